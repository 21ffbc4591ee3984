import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { COMPILED } from '../../support/compiled.ts'

/** Programs in this folder, each of which runs until it is ended. */
type Program =
  | 'backing-up-engine'
  | 'exporting-engine'
  | 'importing-engine'
  | 'restless-engine'
  | 'restless-sender'
  | 'restless-writer'
  | 'ruling-engine'
  | 'sweeping-engine'

/**
 * With protected code pages V8 ends a process now and then in which threads come and go
 * (https://github.com/nodejs/node/issues/64500): that is not the end that these programs are to come to.
 */
const UNPROTECTED_CODE = '--no-memory-protection-keys'

/** Starts a program. @param args what `life.ts` reads, and what the program reads beside it */
export const startLife = (
  program: Program,
  args: readonly (string | number)[],
): ChildProcessByStdio<null, Readable, null> =>
  spawn(process.execPath, [UNPROTECTED_CODE, join(import.meta.dirname, `${program}.ts`), ...args.map(String)], {
    env: { ...process.env, ...COMPILED },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** A line that a program has said. */
export interface Said<Word extends string, What> {
  readonly word: Word
  readonly what: What
}

/**
 * Lets a program live until it has said enough, and a moment more, and ends it with SIGKILL. Lines are counted, and not
 * milliseconds alone, as a busy machine says none in so many.
 * @param moment milliseconds
 * @returns everything that it said
 */
export const liveAndDie = async <Word extends string, What>(
  program: Program,
  args: readonly (string | number)[],
  hasLived: (said: readonly Said<Word, What>[]) => boolean | Promise<boolean>,
  moment: number,
): Promise<readonly Said<Word, What>[]> => {
  const child = startLife(program, args)
  const said: Said<Word, What>[] = []
  const lines = createInterface({ input: child.stdout })
  const hasSaidEnough = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      const at = line.indexOf(' ')
      said.push({ word: line.slice(0, at) as Word, what: JSON.parse(line.slice(at + 1)) as What })
      Promise.resolve(hasLived(said)).then((isEnough) => isEnough && resolve(), reject)
    })
    child.once('exit', (code) => reject(new Error(`${program} ended by itself with ${String(code)}.`)))
  })
  const ended = new Promise<void>((resolve) => lines.once('close', resolve))
  await hasSaidEnough
  await new Promise((resolve) => setTimeout(resolve, moment))
  child.kill('SIGKILL')
  await ended
  return said
}

/** Whether so many things were taken. */
export const hasTaken =
  (count: number) =>
  (said: readonly Said<string, unknown>[]): boolean =>
    said.filter(({ word }) => word === 'taken').length >= count
