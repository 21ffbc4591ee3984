import type { ThreadsByFolder } from '../../../shared/model.ts'
import { threadQueryKey, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { Backend } from '../../kernel/backend.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly folderCounts: FolderCountsManager
  }
}

/** Milliseconds without another letter before anything is counted: the rows come first. */
const PAUSE = 100

/** A search wherever it looks: its counts are the same. */
const keyOf = (query: ThreadQuery): string => threadQueryKey({ ...query, folders: null })

/** How many threads the search on the screen finds in each folder. */
export class FolderCountsManager {
  readonly #backend: Backend
  #key: string | null = null
  #counted = $state.raw<{ readonly key: string; readonly counts: ThreadsByFolder } | null>(null)
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** What was counted last: while a person types, that of the letter before stays until the next is known. */
  get latest(): ThreadsByFolder | null {
    return this.#counted?.counts ?? null
  }

  /** The counts of this very search; null where they are not known. */
  of(query: ThreadQuery): ThreadsByFolder | null {
    return this.#counted?.key === keyOf(query) ? this.#counted.counts : null
  }

  /** Call when the rows of a search have been read. */
  count(query: ThreadQuery): void {
    const key = keyOf(query)
    this.#key = key
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#backend.call('thread.countByFolder', { query }).then((counted) => {
        if (counted.ok && this.#key === key) this.#counted = { key, counts: counted.data }
      })
    }, PAUSE)
  }

  /** No search is on the screen. */
  forget(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#key = null
    this.#counted = null
  }
}
