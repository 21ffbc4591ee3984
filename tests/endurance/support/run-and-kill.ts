import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { COMPILED } from '../../support/compiled.ts'

type Program =
  | 'backing-up-engine'
  | 'exporting-engine'
  | 'importing-engine'
  | 'restless-engine'
  | 'restless-own-file'
  | 'restless-sender'
  | 'restless-writer'
  | 'ruling-engine'
  | 'sweeping-engine'

/**
 * With protected code pages, V8 sometimes crashes a process that starts and stops threads
 * (https://github.com/nodejs/node/issues/64500). These tests need to see only their own kills.
 */
const UNPROTECTED_CODE = '--no-memory-protection-keys'

/** @param args the arguments that `killable-engine.ts` reads, followed by the program's own */
export const startKillable = (
  program: Program,
  args: readonly (string | number)[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessByStdio<null, Readable, null> =>
  spawn(process.execPath, [UNPROTECTED_CODE, join(import.meta.dirname, `${program}.ts`), ...args.map(String)], {
    env: { ...process.env, ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

export interface OutputLine<Word extends string, What> {
  readonly word: Word
  readonly what: What
}

/**
 * Runs a program until it has printed enough, then a moment longer, and kills it with SIGKILL. Counts lines rather than
 * only milliseconds, because a busy machine may print nothing in that time.
 * @param moment milliseconds
 * @returns everything that it printed
 */
export const runAndKill = async <Word extends string, What>(
  program: Program,
  args: readonly (string | number)[],
  hasLived: (output: readonly OutputLine<Word, What>[]) => boolean | Promise<boolean>,
  moment: number,
  env?: Readonly<Record<string, string>>,
): Promise<readonly OutputLine<Word, What>[]> => {
  const child = startKillable(program, args, env)
  const output: OutputLine<Word, What>[] = []
  const lines = createInterface({ input: child.stdout })
  const hasSaidEnough = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      const at = line.indexOf(' ')
      output.push({ word: line.slice(0, at) as Word, what: JSON.parse(line.slice(at + 1)) as What })
      Promise.resolve(hasLived(output)).then((isEnough) => isEnough && resolve(), reject)
    })
    child.once('exit', (code) => reject(new Error(`${program} ended by itself with ${String(code)}.`)))
  })
  const ended = new Promise<void>((resolve) => lines.once('close', resolve))
  await hasSaidEnough
  await new Promise((resolve) => setTimeout(resolve, moment))
  child.kill('SIGKILL')
  await ended
  return output
}

export const hasTaken =
  (count: number) =>
  (output: readonly OutputLine<string, unknown>[]): boolean =>
    output.filter(({ word }) => word === 'taken').length >= count
