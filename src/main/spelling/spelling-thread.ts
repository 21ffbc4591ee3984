import { Worker } from 'node:worker_threads'
import type { SpellingAnswer, SpellingQuestion, SpellingThreadData } from './spelling-questions.ts'

interface SpellingTimes {
  /** Milliseconds for an answer. The first one waits for the dictionaries. */
  readonly longest: number
  /** Milliseconds without a question until the dictionaries' memory is given back. */
  readonly idle: number
}

const TIMES: SpellingTimes = { longest: 10_000, idle: 5 * 60_000 }

/** A thread that dies more often than this is left alone: a dictionary of the system's is broken. */
const MOST_DEATHS = 3

/** Words are checked elsewhere, by dictionaries that are loaded when the first one comes. */
export class SpellingThread {
  readonly #workerFile: string
  readonly #data: SpellingThreadData
  readonly #times: SpellingTimes
  readonly #waiting = new Map<number, (words: readonly string[] | null) => void>()
  #worker: Worker | null = null
  #last = 0
  #deaths = 0
  #rest: NodeJS.Timeout | null = null

  /** @param workerFile the thread's own */
  constructor(workerFile: string, data: SpellingThreadData, times: SpellingTimes = TIMES) {
    this.#workerFile = workerFile
    this.#data = data
    this.#times = times
  }

  /** Null where it takes too long or the thread has ended. */
  ask(kind: SpellingQuestion['kind'], words: readonly string[]): Promise<readonly string[] | null> {
    return new Promise((resolve) => {
      if (this.#deaths >= MOST_DEATHS) return resolve(null)
      this.#worker ??= this.#start()
      if (this.#rest !== null) clearTimeout(this.#rest)
      this.#last += 1
      const id = this.#last
      const late = setTimeout(() => {
        this.#deaths += 1
        void this.close()
      }, this.#times.longest)
      this.#waiting.set(id, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
      this.#worker.postMessage({ id, kind, words } satisfies SpellingQuestion)
    })
  }

  /** Gives up what is asked, and the dictionaries' memory with it; the next question starts anew. */
  async close(): Promise<void> {
    const ended = this.#worker
    this.#worker = null
    if (this.#rest !== null) clearTimeout(this.#rest)
    for (const settle of this.#waiting.values()) settle(null)
    this.#waiting.clear()
    await ended?.terminate()
  }

  #start(): Worker {
    // Its own environment is nobody's, and its memory bounded: a dictionary is a file like any other.
    const started = new Worker(this.#workerFile, {
      workerData: this.#data,
      env: {},
      name: 'linnet-spelling',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    started.on('message', ({ id, words }: SpellingAnswer) => {
      this.#waiting.get(id)?.(words)
      this.#waiting.delete(id)
      if (this.#worker !== started || this.#waiting.size > 0) return
      // Not from the question on: a busy machine may take longer to answer than an idle thread is kept.
      this.#rest = setTimeout(() => void this.close(), this.#times.idle).unref()
    })
    started.on('error', () => {
      this.#deaths += 1
      if (this.#worker === started) void this.close()
    })
    // No word is worth an app that does not end.
    started.unref()
    return started
  }
}
