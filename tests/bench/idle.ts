import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { findElectron } from '../../scripts/find-electron.mjs'
import { root } from '../support/program.ts'
import { startApp, writeEmptyApp } from './bench-electron.ts'
import type { Figure } from './figure.ts'

/** Milliseconds until the demo's mail is fetched. */
const SETTLED_MS = 200_000
const WATCHED_MS = 60_000
/** Unit of `/proc/PID/stat` on Linux, for any CPU that Electron supports. */
const TICK_MS = 10

interface Usage {
  readonly cpuMs: number
  /** Number of times each thread went to sleep, by thread ID. It woke up equally often. */
  readonly sleeps: ReadonlyMap<string, number>
}

/** Reads proc_pid_stat(5) and proc_pid_status(5). */
const usageOf = (pid: number): Usage => {
  // Fields from the third on: the second, a name in brackets, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const sleepsOf = (thread: string): number => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
  }
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    sleeps: new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, sleepsOf(thread)])),
  }
}

interface Idle {
  /** CPU milliseconds per minute. */
  readonly cpu: number
  /** Wake-ups per second. */
  readonly wakes: number
}

const measureApp = async (
  electron: string,
  args: readonly string[],
  open: (endpoint: string) => Promise<void>,
): Promise<Idle> => {
  const app = startApp(electron, args)
  try {
    await open(await app.endpoint)
    await sleep(SETTLED_MS)
    const pid = app.process.pid ?? 0
    const [before, since] = [usageOf(pid), performance.now()]
    await sleep(WATCHED_MS)
    const [after, seconds] = [usageOf(pid), (performance.now() - since) / 1000]
    const wakes = [...after.sleeps].reduce((sum, [thread, count]) => sum + count - (before.sleeps.get(thread) ?? 0), 0)
    return { cpu: ((after.cpuMs - before.cpuMs) * 60) / seconds, wakes: wakes / seconds }
  } finally {
    await app.stop()
  }
}

/** Disconnects once the mail is shown: a debugger would wake the app. */
const openDemo = async (endpoint: string): Promise<void> => {
  const browser = await chromium.connectOverCDP(endpoint)
  const [context] = browser.contexts()
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
  await page?.getByRole('button', { name: 'Try the demo' }).click()
  await page?.getByRole('option').first().waitFor({ timeout: 120_000 })
  await browser.close()
}

/** The main process of the idle demo, compared with the main process of an empty app running at the same time. */
export const measureIdle = async (): Promise<readonly Figure[]> => {
  const electron = findElectron()
  if (electron === null) throw new Error('There is no Electron to start.')
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-idle-'))
  try {
    const emptyArgs = [`--user-data-dir=${join(directory, 'empty')}`, writeEmptyApp(directory)]
    const [empty, demo] = await Promise.all([
      measureApp(electron, emptyArgs, () => Promise.resolve()),
      measureApp(electron, [`--data-dir=${join(directory, 'demo')}`, root], openDemo),
    ])
    const figure = (name: string, of: keyof Idle, unit: string, most: number): Figure => ({
      name: `${name} of the main process, the settled demo shown, above an empty Electron window's`,
      measured: demo[of] - empty[of],
      unit,
      bound: { kind: 'at most', value: most },
      note: `${demo[of].toFixed(1)}, empty ${empty[of].toFixed(1)}; over ${WATCHED_MS / 1000} s, ${SETTLED_MS / 1000} s after the start`,
    })
    return [figure('processor time a minute', 'cpu', 'ms', 200), figure('wake-ups a second', 'wakes', '', 10)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
