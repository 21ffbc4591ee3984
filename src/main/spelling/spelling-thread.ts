import { Worker } from 'node:worker_threads'
import type { SpellingAnswer, SpellingQuestion, SpellingThreadData } from './spelling-questions.ts'

/** Words are checked elsewhere, by dictionaries that are loaded when the first one comes. */
export interface SpellingThread {
  /** Null where it takes too long or the thread has ended. */
  readonly ask: (kind: SpellingQuestion['kind'], words: readonly string[]) => Promise<readonly string[] | null>
  readonly close: () => Promise<void>
}

interface SpellingTimes {
  /** Milliseconds for an answer. The first one waits for the dictionaries. */
  readonly longest: number
  /** Milliseconds without a question until the dictionaries' memory is given back. */
  readonly idle: number
}

const TIMES: SpellingTimes = { longest: 10_000, idle: 5 * 60_000 }

/** A thread that dies more often than this is left alone: a dictionary of the system's is broken. */
const MOST_DEATHS = 3

/** @param workerFile the thread's own */
export const startSpellingThread = (
  workerFile: string,
  data: SpellingThreadData,
  { longest, idle }: SpellingTimes = TIMES,
): SpellingThread => {
  const waiting = new Map<number, (words: readonly string[] | null) => void>()
  let worker: Worker | null = null
  let last = 0
  let deaths = 0
  let rest: NodeJS.Timeout | null = null

  const end = async (): Promise<void> => {
    const ended = worker
    worker = null
    if (rest !== null) clearTimeout(rest)
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
    await ended?.terminate()
  }

  const start = (): Worker => {
    // Its own environment is nobody's, and its memory bounded: a dictionary is a file like any other.
    const started = new Worker(workerFile, {
      workerData: data,
      env: {},
      name: 'linnet-spelling',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    started.on('message', ({ id, words }: SpellingAnswer) => {
      waiting.get(id)?.(words)
      waiting.delete(id)
      // Not from the question on: a busy machine may take longer to answer than an idle thread is kept.
      if (worker === started && waiting.size === 0) rest = setTimeout(() => void end(), idle).unref()
    })
    started.on('error', () => {
      deaths += 1
      if (worker === started) void end()
    })
    // No word is worth an app that does not end.
    started.unref()
    return started
  }

  return {
    ask: (kind, words) =>
      new Promise((resolve) => {
        if (deaths >= MOST_DEATHS) return resolve(null)
        worker ??= start()
        if (rest !== null) clearTimeout(rest)
        last += 1
        const id = last
        const late = setTimeout(() => {
          deaths += 1
          void end()
        }, longest)
        waiting.set(id, (answer) => {
          clearTimeout(late)
          resolve(answer)
        })
        worker.postMessage({ id, kind, words } satisfies SpellingQuestion)
      }),
    close: end,
  }
}
