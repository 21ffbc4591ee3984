import { Worker } from 'node:worker_threads'
import type { SpellingResponse, SpellingRequest, SpellingWorkerData } from './spelling-messages.ts'

interface SpellingTimes {
  /** Response time-out in milliseconds. The first request waits for the dictionaries to load. */
  readonly longest: number
  /** Idle time in milliseconds before the dictionaries are unloaded. */
  readonly idle: number
}

const TIMES: SpellingTimes = { longest: 10_000, idle: 5 * 60_000 }

/** After this many crashes the thread isn't restarted: one of the dictionaries is broken. */
const MAX_CRASHES = 3

/** Checks words in a worker, which loads the dictionaries on first use. */
export class SpellingWorkerClient {
  readonly #workerFile: string
  readonly #data: SpellingWorkerData
  readonly #times: SpellingTimes
  readonly #waiting = new Map<number, (words: readonly string[] | null) => void>()
  #worker: Worker | null = null
  #last = 0
  #crashes = 0
  #idleTimer: NodeJS.Timeout | null = null

  constructor(workerFile: string, data: SpellingWorkerData, times: SpellingTimes = TIMES) {
    this.#workerFile = workerFile
    this.#data = data
    this.#times = times
  }

  /** Null on a time-out or if the thread stopped. */
  ask(kind: SpellingRequest['kind'], words: readonly string[]): Promise<readonly string[] | null> {
    return new Promise((resolve) => {
      if (this.#crashes >= MAX_CRASHES) return resolve(null)
      this.#worker ??= this.#start()
      if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
      this.#last += 1
      const id = this.#last
      const late = setTimeout(() => {
        this.#crashes += 1
        void this.close()
      }, this.#times.longest)
      this.#waiting.set(id, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
      this.#worker.postMessage({ id, kind, words } satisfies SpellingRequest)
    })
  }

  /** Cancels pending requests and unloads the dictionaries. The next request loads them again. */
  async close(): Promise<void> {
    const ended = this.#worker
    this.#worker = null
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    for (const settle of this.#waiting.values()) settle(null)
    this.#waiting.clear()
    await ended?.terminate()
  }

  #start(): Worker {
    // No environment and bounded memory, because a dictionary is untrusted input.
    const started = new Worker(this.#workerFile, {
      workerData: this.#data,
      env: {},
      name: 'linnet-spelling',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    started.on('message', ({ id, words }: SpellingResponse) => {
      this.#waiting.get(id)?.(words)
      this.#waiting.delete(id)
      if (this.#worker !== started || this.#waiting.size > 0) return
      // Timed from the response: on a busy machine, responding may take longer than the idle time.
      this.#idleTimer = setTimeout(() => void this.close(), this.#times.idle).unref()
    })
    started.on('error', () => {
      this.#crashes += 1
      if (this.#worker === started) void this.close()
    })
    // Spell checking must not keep the app from exiting.
    started.unref()
    return started
  }
}
