import type { ThreadCountsByFolder } from '../../../shared/model.ts'
import { threadQueryKey, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { Backend } from '../../kernel/backend.ts'

/** Milliseconds without typing before counting: rows come first. */
const COUNT_DELAY_MS = 100

const keyOf = (query: ThreadQuery): string => threadQueryKey({ ...query, folders: null })

export class FolderCountsManager {
  readonly #backend: Backend
  #key: string | null = null
  /** Counts of the previous text until those of the current one arrive. */
  counted = $state.raw<{ readonly key: string; readonly counts: ThreadCountsByFolder } | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(backend: Backend) {
    this.#backend = backend
  }

  of(query: ThreadQuery): ThreadCountsByFolder | null {
    return this.counted?.key === keyOf(query) ? this.counted.counts : null
  }

  count(query: ThreadQuery): void {
    const key = keyOf(query)
    this.#key = key
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      void this.#backend.call('thread.countByFolder', { query }).then((counted) => {
        if (counted.ok && this.#key === key) this.counted = { key, counts: counted.data }
      })
    }, COUNT_DELAY_MS)
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#key = null
    this.counted = null
  }
}
