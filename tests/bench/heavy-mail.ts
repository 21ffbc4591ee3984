import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../../scripts/find-chromium.mjs'
import { root } from '../support/program.ts'
import { median, type Figure } from './figure.ts'

/** Milliseconds after a click within which the list must scroll again. */
const BOUND_MS = 300
/** Maximum milliseconds without a frame while the message opens. */
const FRAME_MS = 200
/** Maximum extra milliseconds until the editor of a reply appears, compared with an ordinary message. */
const REPLY_MS = 1_000
/** Maximum milliseconds without a frame while a reply opens. */
const REPLY_FRAME_MS = 100
const ROUNDS = 3

interface Blocked {
  readonly host: string
  readonly name: string
  readonly longest: number
  readonly untilScrolled: number
}

/** A line printed by the end-to-end test: `browser Many links {"longest":40,"untilShown":90,"untilScrolled":60}`. */
const line = /(browser|electron) (.+?)\s+(\{"longest":\d+,.*"untilScrolled":\d+\})/g

/** Name of the message that replies to heavy ones are compared with. */
const ORDINARY = 'An ordinary message'

/** A line about a reply: `browser Many links reply {"longest":40,"untilShown":90}`. */
const replyLine = /(browser|electron) (.+?)\s+reply (\{"longest":\d+,"untilShown":\d+\})/g

interface Reply {
  readonly what: string
  readonly name: string
  readonly longest: number
  readonly untilShown: number
}

const replyFigures = (output: string): readonly Figure[] => {
  const replies = [...output.matchAll(replyLine)].map(([, host = '', name = '', json = '{}']): Reply => {
    const times = JSON.parse(json) as Pick<Reply, 'longest' | 'untilShown'>
    return { what: `${host}: a reply to “${name}”`, name, ...times }
  })
  const ordinary = median(replies.filter(({ name }) => name === ORDINARY).map(({ untilShown }) => untilShown))
  const heavy = replies.filter(({ name }) => name !== ORDINARY)
  return [...Map.groupBy(heavy, ({ what }) => what)].flatMap(([what, rounds]): Figure[] => [
    {
      name: `${what}, until its editor is there, beyond one to an ordinary message, the median of its rounds`,
      measured: median(rounds.map(({ untilShown }) => untilShown)) - ordinary,
      unit: 'ms',
      bound: { kind: 'at most', value: REPLY_MS },
      note: `rounds: ${rounds.map(({ untilShown }) => `${untilShown} ms`).join(', ')}; ordinary ${ordinary} ms`,
    },
    {
      name: `${what}, the longest time without a frame, the median of its rounds`,
      measured: median(rounds.map(({ longest }) => longest)),
      unit: 'ms',
      bound: { kind: 'at most', value: REPLY_FRAME_MS },
      note: `rounds: ${rounds.map(({ longest }) => `${longest} ms`).join(', ')}`,
    },
  ])
}

/**
 * Measures how long clicking a heavy message blocks scrolling in the list, at the click or at any moment after it, and
 * how long replying to it blocks the window. Runs the end-to-end test of that name in Chromium and, with BENCH_ELECTRON=1, in Electron. Needs `npm run build`.
 */
export const measureHeavyMail = async (): Promise<readonly Figure[]> => {
  if (!existsSync(join(root, 'out/main/browser.cjs'))) throw new Error('There is no build to measure: npm run build.')
  const { browser, shell } = await ensureChromium()
  const projects = ['--project=browser', ...(process.env.BENCH_ELECTRON === '1' ? ['--project=electron'] : [])]
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--config',
      'tests/e2e/playwright.config.ts',
      '--reporter=line',
      '--workers=1',
      `--repeat-each=${ROUNDS}`,
      ...projects,
      'heavy-mail.spec.ts',
    ],
    {
      cwd: root,
      env: { ...process.env, LINNET_TEST_CHROMIUM: browser, LINNET_TEST_HEADLESS_SHELL: shell },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const opened = [...output.matchAll(line)].map(([, host = '', name = '', json = '{}']): Blocked => {
    const times = JSON.parse(json) as Pick<Blocked, 'longest' | 'untilScrolled'>
    return { host, name, ...times }
  })
  if (code !== 0 || opened.length === 0)
    throw new Error(`The test of heavy mail ended with ${String(code)}:\n${output}`)
  // Median of the rounds. Each round opens every message once, in a separate Linnet.
  const opening = [...Map.groupBy(opened, ({ host, name }) => `${host}: “${name}”`)].flatMap(
    ([what, rounds]): Figure[] => [
      {
        name: `${what} is clicked, until the list follows the wheel, the median of its rounds`,
        measured: median(rounds.map(({ untilScrolled, longest }) => Math.max(untilScrolled, longest))),
        unit: 'ms',
        bound: { kind: 'at most', value: BOUND_MS },
        note: `rounds: ${rounds.map(({ untilScrolled }) => `${untilScrolled} ms`).join(', ')}`,
      },
      {
        name: `${what} opens, the longest time without a frame, the median of its rounds`,
        measured: median(rounds.map(({ longest }) => longest)),
        unit: 'ms',
        bound: { kind: 'at most', value: FRAME_MS },
        note: `rounds: ${rounds.map(({ longest }) => `${longest} ms`).join(', ')}`,
      },
    ],
  )
  return [...opening, ...replyFigures(output)]
}
