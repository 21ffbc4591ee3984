import type { Database } from './database.ts'

/** Which threads changed since the watch began or they were last taken. */
export interface ThreadWatch {
  /** @returns at most `limit` threads, each once; none when no other changed */
  take(limit: number): readonly number[]
  areLeft(): boolean
  end(): void
}

/** Tells of every change to what search and lists know of a thread. */
export interface ThreadChanges {
  watch(): ThreadWatch
}

/** Each table with the thread that a row of it belongs to. */
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

/**
 * The database itself tells, by triggers of this connection, so that no rule has to think of it; the triggers are made
 * when somebody watches for the first time. What a transaction undoes is told as well.
 */
export function createThreadChanges(db: Database): ThreadChanges {
  const watches = new Set<Set<number>>()
  let isTold = false
  const tell = (): void => {
    db.define('note_thread', (seq) => {
      if (typeof seq === 'number') for (const seqs of watches) seqs.add(seq)
      return null
    })
    for (const [table, threadOf] of tables) {
      for (const [event, rows] of events) {
        const notes = rows.map((row) => `SELECT note_thread(${threadOf(row)});`).join(' ')
        db.run(`CREATE TEMP TRIGGER note_${event}_${table} AFTER ${event} ON main.${table} BEGIN ${notes} END`)
      }
    }
  }
  return {
    watch() {
      if (!isTold) tell()
      isTold = true
      const seqs = new Set<number>()
      watches.add(seqs)
      return {
        take(limit) {
          const taken = [...seqs].slice(0, limit)
          for (const seq of taken) seqs.delete(seq)
          return taken
        },
        areLeft: () => seqs.size > 0,
        end: () => watches.delete(seqs),
      }
    },
  }
}
