import type Database from 'better-sqlite3'
import { createPlaceholderLabel, toFetchedLabel, labelParser, type FetchedLabel } from '../platform/resources/labels.ts'
import { serializePayload } from '../platform/raw-payload.ts'
import type { Label } from '../../shared/model.ts'
import { runInTransaction } from './watch-database.ts'

/** The user's label changes that the platform hasn't confirmed yet. */
export interface LabelOverlay {
  /** Changes to existing labels, by ID. */
  readonly changes: ReadonlyMap<string, Partial<Pick<Label, 'name' | 'color'>>>
  readonly made: readonly Label[]
  readonly deleted: ReadonlySet<string>
}
export type PendingLabels = (inboxId: string) => LabelOverlay

export const NO_PENDING_LABELS: LabelOverlay = {
  changes: new Map(),
  made: [],
  deleted: new Set(),
}

interface Row {
  readonly id: string
  readonly position: number
  readonly wire: string
}

const prepareStatements = (database: Database.Database) => ({
  ofInbox: database.prepare<[number], Row>(
    'SELECT id, position, wire FROM labels WHERE inbox_key = ? AND on_server = 1 ORDER BY position',
  ),
  inboxId: database.prepare<[number], string>('SELECT id FROM inboxes WHERE key = ?').pluck(),
  gone: database.prepare<[number], string>('SELECT id FROM labels WHERE inbox_key = ? AND on_server = 0').pluck(),
  isGone: database
    .prepare<[number, string], number>('SELECT 1 FROM labels WHERE inbox_key = ? AND id = ? AND on_server = 0')
    .pluck(),
  markAllGone: database.prepare<[number]>('UPDATE labels SET on_server = 0 WHERE inbox_key = ?'),
  markGone: database.prepare<[number, string]>(
    `INSERT INTO labels (inbox_key, id, position, on_server, wire) VALUES (?, ?, 0, 0, '')
     ON CONFLICT DO UPDATE SET on_server = 0`,
  ),
  put: database.prepare<[number, string, number, string]>(
    'INSERT OR REPLACE INTO labels (inbox_key, id, position, wire) VALUES (?, ?, ?, ?)',
  ),
})

interface ShownLabels {
  readonly all: readonly Label[]
  readonly byId: ReadonlyMap<string, Label | null>
}

export class LabelStore {
  readonly #database: Database.Database
  readonly #pending: PendingLabels
  readonly #sql: ReturnType<typeof prepareStatements>
  /** Cached because every row of a list reads its labels, and labels seldom change. */
  readonly #known = new Map<number, ShownLabels>()

  constructor(database: Database.Database, pending: PendingLabels) {
    this.#database = database
    this.#pending = pending
    this.#sql = prepareStatements(database)
  }

  /** Labels in the platform's order, followed by labels that the platform doesn't have yet. */
  all(inboxKey: number): readonly Label[] {
    return this.#shown(inboxKey).all
  }

  /** Labels by ID, for the chips in a list. Null for labels to hide even if threads still carry them. */
  byId(inboxKey: number): ReadonlyMap<string, Label | null> {
    return this.#shown(inboxKey).byId
  }

  /** The platform's latest state, without pending changes. A damaged label shows its ID until the next poll. */
  onPlatform(inboxKey: number): readonly Label[] {
    return this.#sql.ofInbox.all(inboxKey).map(({ id, wire }) => {
      const { name, color } = labelParser.stored(wire, id) ?? createPlaceholderLabel(id)
      return { id, name, color }
    })
  }

  /** True if the platform used to have the label. */
  isGone(inboxKey: number, labelId: string): boolean {
    return this.#sql.isGone.get(inboxKey, labelId) !== undefined
  }

  /** @returns true if anything has changed */
  replaceAll(inboxKey: number, labels: readonly FetchedLabel[]): boolean {
    const before = this.#sql.ofInbox.all(inboxKey)
    const after = labels.map(serializePayload)
    if (before.length === after.length && before.every(({ wire }, index) => wire === after[index])) return false
    runInTransaction(this.#database, () => {
      this.#sql.markAllGone.run(inboxKey)
      labels.forEach(({ id }, position) => this.#sql.put.run(inboxKey, id, position, after[position] ?? ''))
    })
    this.#known.delete(inboxKey)
    return true
  }

  /** Stores a label that the platform has confirmed. A new label goes last. */
  put(inboxKey: number, label: Label): void {
    const rows = this.#sql.ofInbox.all(inboxKey)
    const position = rows.find(({ id }) => id === label.id)?.position ?? (rows.at(-1)?.position ?? -1) + 1
    this.#sql.put.run(inboxKey, label.id, position, serializePayload(toFetchedLabel(label)))
    this.#known.delete(inboxKey)
  }

  remove(inboxKey: number, labelId: string): void {
    this.#sql.markGone.run(inboxKey, labelId)
    this.#known.delete(inboxKey)
  }

  /** Call when the pending changes have changed. */
  project(inboxKey: number): void {
    this.#known.delete(inboxKey)
  }

  #shown(inboxKey: number): ShownLabels {
    const before = this.#known.get(inboxKey)
    if (before !== undefined) return before
    const { changes, made, deleted } = this.#pending(this.#sql.inboxId.get(inboxKey) ?? '')
    const there = this.onPlatform(inboxKey)
    const ids = new Set(there.map(({ id }) => id))
    const all = [
      ...there.flatMap((label) => (deleted.has(label.id) ? [] : [{ ...label, ...changes.get(label.id) }])),
      ...made.filter(({ id }) => !ids.has(id)),
    ]
    const hidden = [...deleted, ...this.#sql.gone.all(inboxKey)].map((id) => [id, null] as const)
    const byId = new Map<string, Label | null>([...hidden, ...all.map((label) => [label.id, label] as const)])
    const labels = { all, byId }
    this.#known.set(inboxKey, labels)
    return labels
  }
}
