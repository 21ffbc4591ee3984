import Database from 'better-sqlite3'
import type { MailRow } from '../../store/mail-rows.ts'
import { identifyMessage } from '../../store/same-message.ts'

/** Where an e-mail is. `inboxId` and `threadId` are null for e-mails in the account's own lists. */
interface ExportPlace {
  readonly list: 'threads' | 'received' | 'sent'
  readonly inboxId: string | null
  readonly threadId: string | null
}

export interface ExportEntry extends ExportPlace {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly seq: number
  readonly emailId: string
  readonly messageId: string | null
  readonly earlier: string
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
    -- JSON: Message-IDs of the thread's earlier e-mails, oldest first.
    earlier TEXT NOT NULL,
    -- Identifies messages among thread e-mails; null without a Message-ID.
    sameAs TEXT
  ) STRICT;
  CREATE INDEX entries_in_order ON entries (at, seq);
  CREATE INDEX entries_by_id ON entries (emailId) WHERE list = 'threads';
  CREATE INDEX entries_by_message ON entries (sameAs) WHERE list = 'threads';`

/** Maximum number of references to earlier messages. */
const MAX_REFERENCES = 20
/** SQLite cache size; longer lists spill to a temporary file. */
const CACHE_KILOBYTES = 16_000

/** A temporary SQLite database, because a mailbox may not fit in memory. */
export class ExportEntryStore {
  readonly #database: Database.Database
  readonly #insert
  readonly #selectInThread
  readonly #selectAfter

  constructor() {
    // The system removes the temporary file of an unnamed database, even after a crash.
    const database = new Database('')
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    database.exec(SCHEMA)
    this.#database = database
    this.#insert = database.prepare<
      [MailRow & ExportPlace & { readonly earlier: string; readonly same: string | null }]
    >(
      `INSERT INTO entries (at, list, inboxId, threadId, emailId, messageId, earlier, sameAs)
       VALUES (@at, @list, @inboxId, @threadId, @id, @messageId, @earlier, @same)`,
    )
    this.#selectInThread = database.prepare<[string, string | null]>(
      `SELECT 1 FROM entries WHERE list = 'threads' AND emailId = ?
       UNION ALL SELECT 1 FROM entries WHERE list = 'threads' AND sameAs = ? LIMIT 1`,
    )
    this.#selectAfter = database.prepare<[number, number, number], ExportEntry>(
      'SELECT * FROM entries WHERE (at, seq) > (?, ?) ORDER BY at, seq LIMIT ?',
    )
  }

  count(): number {
    return this.#database.prepare<[], number>('SELECT count(*) FROM entries').pluck().get() ?? 0
  }

  /**
   * Add threads first: list entries that a thread has, by ID or message, are skipped. @param emails all of a thread,
   * oldest first, or some of a list
   */
  note(emails: readonly MailRow[], place: ExportPlace): void {
    const messageIds: string[] = []
    this.#database.transaction(() => {
      for (const email of emails) {
        const same = identifyMessage({ ...email, from: email.from ?? '' })
        const isOfThread = place.list === 'threads'
        if (!isOfThread && this.#selectInThread.get(email.id, same) !== undefined) continue
        const earlier = JSON.stringify(isOfThread ? messageIds.slice(-MAX_REFERENCES) : [])
        this.#insert.run({ ...email, ...place, earlier, same: isOfThread ? same : null })
        if (email.messageId !== null) messageIds.push(email.messageId)
      }
    })()
  }

  /** Oldest first. */
  *pages(size: number): Generator<readonly ExportEntry[]> {
    let page = this.#selectAfter.all(Number.MIN_SAFE_INTEGER, 0, size)
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield page
      page = this.#selectAfter.all(last.at, last.seq, size)
    }
  }

  close(): void {
    this.#database.close()
  }
}
