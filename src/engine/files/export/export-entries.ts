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
  readonly emailId: string
  readonly messageId: string | null
  /** Message-IDs of the thread's earlier e-mails, oldest first. */
  readonly earlier: readonly string[]
}

const SCHEMA = `
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    -- JSON.
    entry TEXT NOT NULL,
    -- Identify the e-mail and its message; null for e-mails outside threads.
    emailId TEXT,
    sameAs TEXT
  ) STRICT;
  CREATE INDEX entries_in_order ON entries (at, seq);
  CREATE INDEX entries_by_id ON entries (emailId) WHERE emailId IS NOT NULL;
  CREATE INDEX entries_by_message ON entries (sameAs) WHERE sameAs IS NOT NULL;`

/** Maximum number of references to earlier messages. */
const MAX_REFERENCES = 20
/** SQLite cache size; longer lists spill to a temporary file. */
const CACHE_KILOBYTES = 16_000

/** A temporary SQLite database, because a mailbox may not fit in memory. */
export class ExportEntryStore {
  // The system removes the temporary file of an unnamed database, even after a crash.
  readonly #database = new Database('')
  readonly #insert
  readonly #selectInThread
  readonly #selectInOrder
  #count = 0

  constructor() {
    this.#database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    this.#database.exec(SCHEMA)
    this.#insert = this.#database.prepare<[number, string, string | null, string | null]>(
      'INSERT INTO entries (at, entry, emailId, sameAs) VALUES (?, ?, ?, ?)',
    )
    this.#selectInThread = this.#database.prepare<[string, string | null]>(
      'SELECT 1 FROM entries WHERE emailId = ? UNION ALL SELECT 1 FROM entries WHERE sameAs = ? LIMIT 1',
    )
    this.#selectInOrder = this.#database.prepare<[], string>('SELECT entry FROM entries ORDER BY at, seq').pluck()
  }

  count(): number {
    return this.#count
  }

  /**
   * Add threads first: list entries that a thread has, by ID or message, are skipped. @param emails all of a thread,
   * oldest first, or some of a list
   */
  note(emails: readonly MailRow[], place: ExportPlace): void {
    const isThread = place.list === 'threads'
    const messageIds: string[] = []
    this.#database.transaction(() => {
      for (const { id, at, from, subject, messageId } of emails) {
        const same = identifyMessage({ messageId, from: from ?? '', subject })
        if (!isThread && this.#selectInThread.get(id, same) !== undefined) continue
        const earlier = isThread ? messageIds.slice(-MAX_REFERENCES) : []
        const entry: ExportEntry = { ...place, at, emailId: id, messageId, earlier }
        this.#insert.run(at, JSON.stringify(entry), isThread ? id : null, isThread ? same : null)
        this.#count += 1
        if (messageId !== null) messageIds.push(messageId)
      }
    })()
  }

  /** Oldest first. */
  *pages(size: number): Generator<readonly ExportEntry[]> {
    let page: ExportEntry[] = []
    for (const entry of this.#selectInOrder.iterate()) {
      page.push(JSON.parse(entry) as ExportEntry)
      if (page.length < size) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  close(): void {
    this.#database.close()
  }
}
