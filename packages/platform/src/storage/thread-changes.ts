import type { Database } from './database.ts'

const tables = [
  ['threads', (row: string) => `${row}.seq`],
  ['emails', (row: string) => `${row}.thread_seq`],
  ['search_index', (row: string) => `(SELECT thread_seq FROM main.emails WHERE seq = ${row}.email_seq)`],
  ['thread_labels', (row: string) => `${row}.thread_seq`],
] as const
const events = [
  ['INSERT', ['NEW']],
  ['UPDATE', ['OLD', 'NEW']],
  ['DELETE', ['OLD']],
] as const

/** Threads that changed since the watch started or since the last `take`. */
class ThreadWatch {
  readonly #seqs = new Set<number>()
  readonly #onEnd: (watch: ThreadWatch) => void

  constructor(onEnd: (watch: ThreadWatch) => void) {
    this.#onEnd = onEnd
  }

  note(seq: number): void {
    this.#seqs.add(seq)
  }

  /** @returns at most `limit` distinct threads */
  take(limit: number): readonly number[] {
    const taken = [...this.#seqs].slice(0, limit)
    for (const seq of taken) this.#seqs.delete(seq)
    return taken
  }

  areLeft(): boolean {
    return this.#seqs.size > 0
  }

  end(): void {
    this.#onEnd(this)
  }
}

/**
 * Reports every change to thread data that search and lists use. Database triggers do the reporting, so no code that
 * writes can forget it; the first watch creates the triggers. Rolled-back changes are reported too.
 */
export class ThreadChanges {
  readonly #db: Database
  readonly #watches = new Set<ThreadWatch>()
  #hasTriggers = false

  constructor(db: Database) {
    this.#db = db
  }

  watch(): ThreadWatch {
    if (!this.#hasTriggers) this.#createTriggers()
    this.#hasTriggers = true
    const watch = new ThreadWatch((ended) => this.#watches.delete(ended))
    this.#watches.add(watch)
    return watch
  }

  #createTriggers(): void {
    this.#db.define('note_thread', (seq) => {
      if (typeof seq === 'number') for (const watch of this.#watches) watch.note(seq)
      return null
    })
    for (const [table, threadOf] of tables) {
      for (const [event, rows] of events) {
        const notes = rows.map((row) => `SELECT note_thread(${threadOf(row)});`).join(' ')
        this.#db.run(`CREATE TEMP TRIGGER note_${event}_${table} AFTER ${event} ON main.${table} BEGIN ${notes} END`)
      }
    }
  }
}
