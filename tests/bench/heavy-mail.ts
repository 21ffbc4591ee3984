import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/program.ts'
import type { Figure } from './figure.ts'

/** Milliseconds after a click within which the list scrolls again. */
const BOUND_MS = 300

interface Blocked {
  readonly host: string
  readonly name: string
  readonly longest: number
  readonly untilScrolled: number
}

/** A line of the end-to-end test, such as `browser Many links {"longest":40,"untilScrolled":60} 0`. */
const line = /(browser|electron) (.+?)\s+(\{"longest":\d+,"untilScrolled":\d+\})/g

/**
 * How long a click on a heavy message keeps the list from scrolling: what the end-to-end test of the name measures, in
 * Chromium and, with BENCH_ELECTRON=1, in Electron. Needs `npm run build`.
 */
export const measureHeavyMail = async (): Promise<readonly Figure[]> => {
  if (!existsSync(join(root, 'out/main/browser.cjs'))) throw new Error('There is no build to measure: npm run build.')
  const projects = ['--project=browser', ...(process.env.BENCH_ELECTRON === '1' ? ['--project=electron'] : [])]
  const child = spawn(
    join(root, 'node_modules/.bin/playwright'),
    [
      'test',
      '--config',
      'tests/e2e/playwright.config.ts',
      '--reporter=line',
      ...projects,
      '-g',
      'heavy mail never takes',
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await new Promise((resolve) => child.once('close', resolve))
  const opened = [...output.matchAll(line)].map(([, host = '', name = '', json = '{}']): Blocked => {
    const times = JSON.parse(json) as Pick<Blocked, 'longest' | 'untilScrolled'>
    return { host, name, ...times }
  })
  if (opened.length === 0) throw new Error(`No heavy message was opened:\n${output}`)
  return opened.map(({ host, name, longest, untilScrolled }) => ({
    name: `${host}: “${name}” is clicked, until the list scrolls`,
    measured: untilScrolled,
    unit: 'ms',
    bound: { kind: 'at most', value: BOUND_MS },
    note: `longest time without a frame ${longest} ms`,
  }))
}
