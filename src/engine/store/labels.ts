import type Database from 'better-sqlite3'
import { bareLabel, readKeptLabel, type FetchedLabel } from '../api/answers/labels.ts'
import { textOf } from '../api/answers/words.ts'
import type { Label } from '../../shared/model.ts'
import type { OnBroken } from './broken-row.ts'
import { joinTransaction } from './join-transaction.ts'

export interface LabelStore {
  /** In the platform's order. */
  readonly all: (inboxKey: number) => readonly Label[]
  /** By ID, for the chips of a list. */
  readonly byId: (inboxKey: number) => ReadonlyMap<string, Label>
  /**
   * Keeps exactly what the platform lists.
   * @returns whether anything differs from before
   */
  readonly replaceAll: (inboxKey: number, labels: readonly FetchedLabel[]) => boolean
}

interface Row {
  readonly id: string
  readonly position: number
  readonly wire: string
}

export const createLabelStore = (database: Database.Database, onBroken: OnBroken): LabelStore => {
  const select = database.prepare<[number], Row>(
    'SELECT id, position, wire FROM labels WHERE inbox_key = ? ORDER BY position',
  )
  const remove = database.prepare<[number]>('DELETE FROM labels WHERE inbox_key = ?')
  const insert = database.prepare<[number, string, number, string]>(
    'INSERT OR REPLACE INTO labels (inbox_key, id, position, wire) VALUES (?, ?, ?, ?)',
  )
  /** Every row of a list asks for its labels; they change seldom. */
  const known = new Map<number, ReadonlyMap<string, Label>>()

  const all = (inboxKey: number): readonly Label[] =>
    select.all(inboxKey).map(({ id, wire }) => {
      const kept = readKeptLabel(wire, id)
      if (kept === null) onBroken({ kind: 'labels', inboxKey })
      return kept ?? bareLabel(id)
    })

  return {
    all,
    byId: (inboxKey) => {
      const labels = known.get(inboxKey) ?? new Map(all(inboxKey).map((label) => [label.id, label]))
      known.set(inboxKey, labels)
      return labels
    },
    replaceAll: (inboxKey, labels) => {
      const before = select.all(inboxKey).map(({ wire }) => wire)
      const after = labels.map(textOf)
      if (before.length === after.length && before.every((wire, index) => wire === after[index])) return false
      joinTransaction(database, () => {
        remove.run(inboxKey)
        labels.forEach((label, position) => insert.run(inboxKey, label.id, position, textOf(label)))
      })
      known.delete(inboxKey)
      return true
    },
  }
}
