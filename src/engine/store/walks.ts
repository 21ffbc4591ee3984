import type Database from 'better-sqlite3'
import { readKeptIds } from './broken-row.ts'

/** How far one of the platform's lists has been walked. */
export interface Walk {
  /** The last ID of the last page; null at the top of the list. */
  readonly cursor: string | null
  /** The time of the cursor's row as the list gave it; null at the top. */
  readonly cursorTime: number | null
  /** IDs at `cursorTime` that the walk has met. */
  readonly cursorTies: readonly string[]
  /** How often the walk has come to the list's end. */
  readonly rounds: number
}

export const FRESH_WALK: Walk = { cursor: null, cursorTime: null, cursorTies: [], rounds: 0 }

interface Row {
  readonly cursor: string | null
  readonly cursor_time: number | null
  readonly cursor_ties: string
  readonly rounds: number
}

export class WalkStore {
  readonly #select: Database.Statement<[string], Row>
  readonly #replace: Database.Statement<[string, string | null, number | null, string, number]>

  constructor(database: Database.Database) {
    this.#select = database.prepare('SELECT cursor, cursor_time, cursor_ties, rounds FROM walks WHERE list = ?')
    this.#replace = database.prepare(
      `INSERT INTO walks (list, cursor, cursor_time, cursor_ties, rounds) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (list) DO UPDATE SET cursor = excluded.cursor, cursor_time = excluded.cursor_time,
         cursor_ties = excluded.cursor_ties, rounds = excluded.rounds`,
    )
  }

  get(list: string): Walk {
    const row = this.#select.get(list)
    if (row === undefined) return FRESH_WALK
    const cursorTies = readKeptIds(row.cursor_ties)
    // What was damaged is walked again from the top.
    return cursorTies === null
      ? FRESH_WALK
      : { cursor: row.cursor, cursorTime: row.cursor_time, cursorTies, rounds: row.rounds }
  }

  set(list: string, { cursor, cursorTime, cursorTies, rounds }: Walk): void {
    this.#replace.run(list, cursor, cursorTime, JSON.stringify(cursorTies), rounds)
  }
}
