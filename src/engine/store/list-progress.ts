import type Database from 'better-sqlite3'
import { parseStoredIds } from './checksummed-payload.ts'

export interface ListProgress {
  /** Last ID of the last page; null at the top. */
  readonly cursor: string | null
  /** Time of the cursor's row as listed by the platform; null at the top. */
  readonly cursorTime: number | null
  /** IDs with time `cursorTime` that the crawl has already found. */
  readonly cursorTies: readonly string[]
  readonly rounds: number
}

export const NO_LIST_PROGRESS: ListProgress = { cursor: null, cursorTime: null, cursorTies: [], rounds: 0 }

interface Row {
  readonly cursor: string | null
  readonly cursor_time: number | null
  readonly cursor_ties: string
  readonly rounds: number
}

export const createListProgressStore = (database: Database.Database) => {
  const select = database.prepare<[string], Row>(
    'SELECT cursor, cursor_time, cursor_ties, rounds FROM walks WHERE list = ?',
  )
  const replace = database.prepare<[string, string | null, number | null, string, number]>(
    `INSERT INTO walks (list, cursor, cursor_time, cursor_ties, rounds) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (list) DO UPDATE SET cursor = excluded.cursor, cursor_time = excluded.cursor_time,
       cursor_ties = excluded.cursor_ties, rounds = excluded.rounds`,
  )
  return {
    get: (list: string): ListProgress => {
      const row = select.get(list)
      if (row === undefined) return NO_LIST_PROGRESS
      const cursorTies = parseStoredIds(row.cursor_ties)
      // If damaged, crawl again from the top.
      return cursorTies === null
        ? NO_LIST_PROGRESS
        : { cursor: row.cursor, cursorTime: row.cursor_time, cursorTies, rounds: row.rounds }
    },
    set: (list: string, { cursor, cursorTime, cursorTies, rounds }: ListProgress): void =>
      void replace.run(list, cursor, cursorTime, JSON.stringify(cursorTies), rounds),
  }
}
