import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isReached, type Figure } from '../../bench/figure.ts'
import type { Outcome } from '../../bench/run-parts.ts'
import { root } from '../../support/program.ts'

const figure: Figure = { name: 'rows', measured: 1, unit: '', bound: null, note: '' }

/** Source code of the parts; all but the last fail. */
const PARTS = `{
  throws: async () => { openWindow(); throw new Error('No row was painted.') },
  'takes too long': () => { openWindow(); return new Promise(() => undefined) },
  'waits for nothing': () => new Promise(() => undefined),
  'measures nothing': async () => [],
  measures: async () => [${JSON.stringify(figure)}],
}`
const PROGRAM = `
import { spawn } from 'node:child_process'
import { runParts } from ${JSON.stringify(join(root, 'tests', 'bench', 'run-parts.ts'))}
const openWindow = () => spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)'])
console.log(JSON.stringify(await runParts(Object.entries(${PARTS}), 600)))
`

it('counts failed parts, stops what they left running, and measures the next one', () => {
  const args = ['--input-type=module', '--eval', PROGRAM]
  // It must exit alone: the time-out kills it if a leftover program keeps it alive.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 })
  expect(status, stderr).toBe(0)
  const { figures, failures } = JSON.parse(stdout) as Outcome
  expect(failures).toEqual([
    'throws: No row was painted.',
    'takes too long: It did not end within 0.01 minutes.',
    'waits for nothing: It waits for something that never comes.',
    'measures nothing: It measured nothing.',
  ])
  expect(figures).toMatchObject([{ ...figure, part: 'measures' }])
})

it('accepts only finite numbers as measurements', () => {
  for (const measured of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    for (const bound of [null, { kind: 'at most', value: 2 }, { kind: 'at least', value: 0.5 }] as const)
      expect(isReached({ ...figure, measured, bound })).toBe(false)
  }
  expect(isReached(figure)).toBeNull()
  expect(isReached({ ...figure, bound: { kind: 'at most', value: 2 } })).toBe(true)
  expect(isReached({ ...figure, bound: { kind: 'at least', value: 2 } })).toBe(false)
})
