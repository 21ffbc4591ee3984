import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeNotices } from '../../../scripts/third-party-notices.ts'
import { root } from '../../support/program.ts'

it('names each package once, with its version and licence text', () => {
  const packages = ['zod', 'better-sqlite3', 'zod'].map((name) => join(root, 'node_modules', name))
  const text = describeNotices(packages)
  expect(text.match(/^better-sqlite3 \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1)
  expect(text.match(/^zod \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1)
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(2)
  expect(text.indexOf('better-sqlite3 ')).toBeLessThan(text.indexOf('\nzod '))
})

it('links the source of a package', () => {
  const text = describeNotices([join(root, 'node_modules', 'hunspell-wasm')])
  expect(text).toMatch(/^Source: https:\/\/github\.com\/rotemdan\/hunspell-wasm$/m)
  expect(text).toContain('MOZILLA PUBLIC LICENSE')
})

it('rejects a package without a licence', () => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-notices-'))
  mkdirSync(join(directory, 'a'))
  writeFileSync(join(directory, 'a', 'package.json'), JSON.stringify({ name: 'a', version: '1.0.0' }))
  expect(() => describeNotices([join(directory, 'a')])).toThrow('a has no licence')
  rmSync(directory, { recursive: true })
})
