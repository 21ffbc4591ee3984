import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** Builds of the programs, by path in the project: they start in a third of the time the sources take. */
export const BUILT = {
  browser: 'out/main/browser.cjs',
  engine: 'out/main/engine-worker.cjs',
  filesWorker: 'out/main/files-worker.cjs',
  linnet: 'out/main/linnet.cjs',
  partsWorker: 'out/main/parts-worker.cjs',
  service: 'out/main/service.cjs',
} as const

/** A program of the project that has printed its first line. */
export interface Program {
  readonly firstLine: string
  readonly pid: number
  /** Everything written to stderr so far. */
  readonly log: () => string
  /** Sends a signal and waits for the exit. @returns the exit code; null if the signal killed it */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

const START_TIMEOUT_MS = 30_000

/** Starts a program with the tests' Node and waits for its first line. @throws with its stderr if it exits first */
export const startProgram = async (
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> => {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS)
  const firstLine = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    ended.then((code) => Promise.reject(new Error(`${script} ended with code ${code}:\n${log}`))),
  ])
  clearTimeout(timer)
  return {
    firstLine,
    // A process that has printed a line has a PID.
    pid: child.pid ?? 0,
    log: () => log,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
