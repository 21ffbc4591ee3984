import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeNotices } from '../../../scripts/third-party-notices.ts'
import { root } from '../../support/program.ts'

it('each package is named once, with its version, its licence and the words of it', () => {
  const packages = ['zod', 'better-sqlite3', 'zod'].map((name) => join(root, 'node_modules', name))
  const text = describeNotices(packages)
  expect(text.match(/^better-sqlite3 \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1)
  expect(text.match(/^zod \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1)
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(2)
  expect(text.indexOf('better-sqlite3 ')).toBeLessThan(text.indexOf('\nzod '))
})

it('says where the source of a package is', () => {
  const text = describeNotices([join(root, 'node_modules', 'hunspell-wasm')])
  expect(text).toMatch(/^Source: https:\/\/github\.com\/rotemdan\/hunspell-wasm$/m)
  expect(text).toContain('MOZILLA PUBLIC LICENSE')
})

it('a package without a licence is not shipped', () => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-notices-'))
  mkdirSync(join(directory, 'a'))
  writeFileSync(join(directory, 'a', 'package.json'), JSON.stringify({ name: 'a', version: '1.0.0' }))
  expect(() => describeNotices([join(directory, 'a')])).toThrow('a has no licence')
  rmSync(directory, { recursive: true })
})
