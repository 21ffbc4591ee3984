import Database from 'better-sqlite3'
import { normalizeMessageId } from '../../store/same-message.ts'

export interface ExportEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly seq: number
  readonly list: 'threads' | 'received' | 'sent'
  /** Null for e-mails in the account's own lists, as is `threadId`. */
  readonly inboxId: string | null
  readonly threadId: string | null
  readonly emailId: string
  readonly messageId: string | null
}

/** An e-mail with the fields that identify its message. */
export interface ExportEmailEntry extends Omit<ExportEntry, 'seq'> {
  readonly from: string | null
  readonly subject: string | null
}

const SCHEMA = `
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    list TEXT NOT NULL,
    inboxId TEXT,
    threadId TEXT,
    emailId TEXT NOT NULL,
    messageId TEXT,
    -- Identifies messages among thread e-mails; null without a Message-ID.
    sameAs TEXT
  ) STRICT;
  CREATE INDEX entries_in_order ON entries (at, seq);
  CREATE INDEX entries_of_thread ON entries (threadId, at, seq) WHERE threadId IS NOT NULL;
  CREATE INDEX entries_by_id ON entries (emailId) WHERE list = 'threads';
  CREATE INDEX entries_by_message ON entries (sameAs) WHERE list = 'threads';`

/** SQLite cache size; longer lists spill to a temporary file. */
const CACHE_KILOBYTES = 16_000
const PAGE = 100

/** Identifies a message by the rules of `store/same-message.ts`; null without a Message-ID. */
const identityOf = ({ messageId, from, subject }: ExportEmailEntry): string | null => {
  const name = normalizeMessageId(messageId)
  if (name === '') return null
  const address = (/<([^<>]*)>\s*$/.exec(from ?? '')?.[1] ?? from ?? '').trim().toLowerCase()
  return JSON.stringify([name, address, (subject ?? '').trim()])
}

/** A temporary SQLite database: a mailbox may not fit in memory, and one big sort would block the engine. */
export class ExportEntryStore {
  readonly #database: Database.Database
  readonly #insert
  readonly #selectInThread
  readonly #selectAfter
  readonly #selectBefore

  constructor() {
    // The system removes the temporary file of an unnamed database, even after a crash.
    const database = new Database('')
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    database.exec(SCHEMA)
    this.#database = database
    this.#insert = database.prepare<[ExportEmailEntry & { readonly same: string | null }]>(
      `INSERT INTO entries (at, list, inboxId, threadId, emailId, messageId, sameAs)
       VALUES (@at, @list, @inboxId, @threadId, @emailId, @messageId, @same)`,
    )
    this.#selectInThread = database.prepare<[string, string | null]>(
      `SELECT 1 FROM entries WHERE list = 'threads' AND emailId = ?
       UNION ALL SELECT 1 FROM entries WHERE list = 'threads' AND sameAs = ? LIMIT 1`,
    )
    this.#selectAfter = database.prepare<[number, number, number], ExportEntry>(
      'SELECT * FROM entries WHERE (at, seq) > (?, ?) ORDER BY at, seq LIMIT ?',
    )
    this.#selectBefore = database
      .prepare<[string | null, number, number, string | null, number], string>(
        `SELECT messageId FROM entries WHERE threadId = ? AND (at, seq) < (?, ?) AND inboxId = ? AND messageId IS NOT NULL
         ORDER BY at DESC, seq DESC LIMIT ?`,
      )
      .pluck()
  }

  count(): number {
    return this.#database.prepare<[], number>('SELECT count(*) FROM entries').pluck().get() ?? 0
  }

  /** Add threads first: list entries that a thread has, by ID or message, are skipped. */
  note(emails: readonly ExportEmailEntry[]): void {
    this.#database.transaction(() => {
      for (const email of emails) {
        const same = identityOf(email)
        const isOfThread = email.list === 'threads'
        if (!isOfThread && this.#selectInThread.get(email.emailId, same) !== undefined) continue
        this.#insert.run({ ...email, same: isOfThread ? same : null })
      }
    })()
  }

  /** Oldest first. */
  *all(): Generator<ExportEntry> {
    let page = this.#selectAfter.all(Number.MIN_SAFE_INTEGER, 0, PAGE)
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield* page
      page = this.#selectAfter.all(last.at, last.seq, PAGE)
    }
  }

  /** Message-IDs of earlier e-mails in the thread, oldest first. */
  before({ threadId, at, seq, inboxId }: ExportEntry, limit: number): readonly string[] {
    return this.#selectBefore.all(threadId, at, seq, inboxId, limit).toReversed()
  }

  close(): void {
    this.#database.close()
  }
}
