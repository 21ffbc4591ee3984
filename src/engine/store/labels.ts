import type Database from 'better-sqlite3'
import { bareLabel, confirmedLabel, readKeptLabel, type FetchedLabel } from '../api/labels.ts'
import { textOf } from '../api/words.ts'
import type { Label } from '../../shared/model.ts'
import type { OnBroken } from './broken-row.ts'
import { joinTransaction } from './join-transaction.ts'

/** The labels of an inbox, with the changes that are still on their way laid over them. */
export interface LabelStore {
  /** In the platform's order; those that it does not have yet come last. */
  readonly all: (inboxKey: number) => readonly Label[]
  /** By ID, for the chips of a list; null for a label that is not to be seen, whatever the words of its threads say. */
  readonly byId: (inboxKey: number) => ReadonlyMap<string, Label | null>
  /** The platform's own last word, without what is pending. */
  readonly onPlatform: (inboxKey: number) => readonly Label[]
  /** Whether the platform had the label and has it no more. */
  readonly isGone: (inboxKey: number, labelId: string) => boolean
  /**
   * Keeps exactly what the platform lists.
   * @returns whether anything differs from before
   */
  readonly replaceAll: (inboxKey: number, labels: readonly FetchedLabel[]) => boolean
  /** Keeps what the platform has confirmed of one label: one that is new comes last. */
  readonly put: (inboxKey: number, label: Label) => void
  /** The platform does not have the label any more. */
  readonly remove: (inboxKey: number, labelId: string) => void
  /** What is pending is other than before. */
  readonly project: (inboxKey: number) => void
}

/** What a person has changed of an inbox's labels and the platform has not confirmed yet. */
export interface LabelOverlay {
  /** Of labels that are there, by ID. */
  readonly looks: ReadonlyMap<string, Partial<Pick<Label, 'name' | 'color'>>>
  readonly made: readonly Label[]
  readonly deleted: ReadonlySet<string>
  /** The ID of today by one that some threads still carry. */
  readonly formerIds: ReadonlyMap<string, string>
}
export type PendingLabels = (inboxId: string) => LabelOverlay

export const NO_PENDING_LABELS: LabelOverlay = { looks: new Map(), made: [], deleted: new Set(), formerIds: new Map() }

interface Row {
  readonly id: string
  readonly position: number
  readonly wire: string
}

export const createLabelStore = (
  database: Database.Database,
  pending: PendingLabels,
  onBroken: OnBroken,
): LabelStore => {
  const select = database.prepare<[number], Row>(
    'SELECT id, position, wire FROM labels WHERE inbox_key = ? ORDER BY position',
  )
  const selectInboxId = database.prepare<[number], string>('SELECT id FROM inboxes WHERE key = ?').pluck()
  const selectGone = database.prepare<[number], string>('SELECT id FROM gone_labels WHERE inbox_key = ?').pluck()
  const selectIsGone = database
    .prepare<[number, string], number>('SELECT 1 FROM gone_labels WHERE inbox_key = ? AND id = ?')
    .pluck()
  const remove = database.prepare<[number]>('DELETE FROM labels WHERE inbox_key = ?')
  const removeOne = database.prepare<[number, string]>('DELETE FROM labels WHERE inbox_key = ? AND id = ?')
  const insert = database.prepare<[number, string, number, string]>(
    'INSERT OR REPLACE INTO labels (inbox_key, id, position, wire) VALUES (?, ?, ?, ?)',
  )
  const insertGone = database.prepare<[number, string]>(
    'INSERT OR IGNORE INTO gone_labels (inbox_key, id) VALUES (?, ?)',
  )
  const removeGone = database.prepare<[number, string]>('DELETE FROM gone_labels WHERE inbox_key = ? AND id = ?')
  /** Every row of a list asks for its labels; they change seldom. */
  const known = new Map<number, { readonly all: readonly Label[]; readonly byId: ReadonlyMap<string, Label | null> }>()

  const onPlatform = (inboxKey: number): readonly Label[] =>
    select.all(inboxKey).map(({ id, wire }) => {
      const kept = readKeptLabel(wire, id)
      if (kept === null) onBroken({ kind: 'labels', inboxKey })
      const { name, color } = kept ?? bareLabel(id)
      return { id, name, color }
    })

  const shown = (inboxKey: number) => {
    const before = known.get(inboxKey)
    if (before !== undefined) return before
    const { looks, made, deleted, formerIds } = pending(selectInboxId.get(inboxKey) ?? '')
    const there = onPlatform(inboxKey)
    const ids = new Set(there.map(({ id }) => id))
    const all = [
      ...there.flatMap((label) => (deleted.has(label.id) ? [] : [{ ...label, ...looks.get(label.id) }])),
      ...made.filter(({ id }) => !ids.has(id)),
    ]
    const hidden = [...deleted, ...selectGone.all(inboxKey)].map((id) => [id, null] as const)
    const byId = new Map<string, Label | null>([...hidden, ...all.map((label) => [label.id, label] as const)])
    for (const [was, id] of formerIds) byId.set(was, byId.get(id) ?? null)
    const labels = { all, byId }
    known.set(inboxKey, labels)
    return labels
  }

  return {
    all: (inboxKey) => shown(inboxKey).all,
    byId: (inboxKey) => shown(inboxKey).byId,
    onPlatform,
    isGone: (inboxKey, labelId) => selectIsGone.get(inboxKey, labelId) !== undefined,
    replaceAll: (inboxKey, labels) => {
      const before = select.all(inboxKey)
      const after = labels.map(textOf)
      if (before.length === after.length && before.every(({ wire }, index) => wire === after[index])) return false
      const ids = new Set(labels.map(({ id }) => id))
      joinTransaction(database, () => {
        remove.run(inboxKey)
        for (const { id } of before) if (!ids.has(id)) insertGone.run(inboxKey, id)
        labels.forEach((label, position) => {
          insert.run(inboxKey, label.id, position, textOf(label))
          removeGone.run(inboxKey, label.id)
        })
      })
      known.delete(inboxKey)
      return true
    },
    put: (inboxKey, label) => {
      const rows = select.all(inboxKey)
      const position = rows.find(({ id }) => id === label.id)?.position ?? (rows.at(-1)?.position ?? -1) + 1
      joinTransaction(database, () => {
        insert.run(inboxKey, label.id, position, textOf(confirmedLabel(label)))
        removeGone.run(inboxKey, label.id)
      })
      known.delete(inboxKey)
    },
    remove: (inboxKey, labelId) => {
      joinTransaction(database, () => {
        removeOne.run(inboxKey, labelId)
        insertGone.run(inboxKey, labelId)
      })
      known.delete(inboxKey)
    },
    project: (inboxKey) => void known.delete(inboxKey),
  }
}
