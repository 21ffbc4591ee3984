import { openDatabase, type FileKind } from '../store/open-database.ts'
import type { Field, Intent, Lane, Step } from './intent.ts'
import { intents } from './migrations/0001-intents.ts'

/** How many changes can be undone, at most. */
const KEPT_CHANGES = 500

/** The kind of file that an outbox is: `LNOb`. It is held by one process, so that no change is ever sent by two. */
const OUTBOX_FILE: FileKind = { applicationId: 0x4c4e_4f62, migrations: [intents], exclusive: true }

type Target = Lane & { readonly field: Field }

/** One field's wish as it is to be kept: `intent` null where none is left. */
export interface IntentWrite {
  readonly target: Target
  readonly intent: Intent | null
}

/** The durable half of the outbox. Every write is on the disk when it returns. */
export interface OutboxFile {
  /** Oldest first. */
  readonly intents: () => readonly Intent[]
  readonly write: (writes: readonly IntentWrite[]) => void
  /** Keeps wishes and what they undo as one. */
  readonly writeChange: (changeId: string, steps: readonly Step[], writes: readonly IntentWrite[]) => void
  readonly steps: (changeId: string) => readonly Step[] | undefined
  readonly close: () => void
}

/**
 * Opens the outbox in a file, or makes it, and takes the account for this process.
 * @throws SQLite's `SQLITE_BUSY` where another process holds it
 */
export const openOutboxFile = (file: string): { readonly outbox: OutboxFile; readonly setAside: string | null } => {
  const { database, setAside } = openDatabase(file, OUTBOX_FILE)
  const selectIntents = database.prepare<[], Intent>(
    'SELECT kind, scope, id, field, wanted, sending FROM intents ORDER BY sequence',
  )
  // An update keeps the row's place in the sequence: what was asked for first is sent first.
  const upsert = database.prepare<[string, string, string, string, string, string | null]>(
    `INSERT INTO intents (kind, scope, id, field, wanted, sending) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, scope, id, field) DO UPDATE SET wanted = excluded.wanted, sending = excluded.sending`,
  )
  const remove = database.prepare<[string, string, string, string]>(
    'DELETE FROM intents WHERE kind = ? AND scope = ? AND id = ? AND field = ?',
  )
  const insertChange = database.prepare<[string, string]>('INSERT INTO changes (id, steps) VALUES (?, ?)')
  const prune = database.prepare<[number]>(
    'DELETE FROM changes WHERE sequence <= (SELECT max(sequence) FROM changes) - ?',
  )
  const selectSteps = database.prepare<[string], string>('SELECT steps FROM changes WHERE id = ?').pluck()

  const apply = (writes: readonly IntentWrite[]): void => {
    for (const { target, intent } of writes) {
      if (intent === null) remove.run(target.kind, target.scope, target.id, target.field)
      else upsert.run(intent.kind, intent.scope, intent.id, intent.field, intent.wanted, intent.sending)
    }
  }

  return {
    outbox: {
      intents: () => selectIntents.all(),
      write: (writes) => database.transaction(apply)(writes),
      writeChange: (changeId, steps, writes) =>
        database.transaction(() => {
          apply(writes)
          insertChange.run(changeId, JSON.stringify(steps))
          prune.run(KEPT_CHANGES)
        })(),
      steps: (changeId) => {
        const text = selectSteps.get(changeId)
        return text === undefined ? undefined : (JSON.parse(text) as Step[])
      },
      close: () => database.close(),
    },
    setAside,
  }
}
