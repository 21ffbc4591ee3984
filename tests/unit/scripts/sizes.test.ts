/** What may be longer than the linter allows is a list that shrinks. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { longFiles, withLateVariables, withLongFunctions } from '../../../scripts/sizes.mjs'

const ROOT = join(import.meta.dirname, '../../..')
const directory = mkdtempSync(join(tmpdir(), 'linnet-sizes-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The files of a list that keep to a rule. */
const within = (files: readonly string[], rule: string, how: object): readonly string[] => {
  const config = join(directory, `${rule}.json`)
  writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules: { [rule]: ['warn', how] } }))
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint')
  const said = execFileSync(process.execPath, [oxlint, '-c', config, '-f', 'unix', ...files], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return files.filter((file) => !said.includes(`${file}:`))
}

it('lists no file that keeps to the bounds by now', () => {
  expect(within(withLongFunctions, 'max-lines-per-function', { max: 150 })).toEqual([])
  expect(within(longFiles, 'max-lines', { max: 500 })).toEqual([])
  expect(within(withLateVariables, 'no-use-before-define', { functions: false })).toEqual([])
  for (const file of longFiles) expect(readFileSync(join(ROOT, file), 'utf8')).not.toContain('disable max-lines')
})
