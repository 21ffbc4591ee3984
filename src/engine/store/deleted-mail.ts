import type Database from 'better-sqlite3'

/** Mail of which a person has deleted the only copy: a thread of an inbox, or an e-mail of one of the account's own lists. */
export type DeletedMail =
  | { readonly list: 'threads'; readonly inboxId: string; readonly id: string }
  | { readonly list: 'received' | 'sent'; readonly id: string }

const scopeOf = (mail: DeletedMail): string => (mail.list === 'threads' ? mail.inboxId : '')

const prepareStatements = (database: Database.Database) => ({
  insert: database.prepare<[string, string, string, number]>(
    'INSERT OR REPLACE INTO deleted_here (list, scope, id, at) VALUES (?, ?, ?, ?)',
  ),
  select: database
    .prepare<[string, string, string], number>('SELECT 1 FROM deleted_here WHERE list = ? AND scope = ? AND id = ?')
    .pluck(),
  // The table of what is to be kept has a row for each e-mail of any list, and an index by their IDs.
  inThread: database.prepare<[string], number>('SELECT 1 FROM keeping WHERE id = ? AND list = 2 LIMIT 1').pluck(),
  anywhere: database.prepare<[string], number>('SELECT 1 FROM keeping WHERE id = ? LIMIT 1').pluck(),
})

/** What was deleted here for good. */
export class DeletedMailStore {
  readonly #database: Database.Database
  readonly #now: () => number
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#sql = prepareStatements(database)
  }

  /** Within the write that removes it. */
  add(mail: DeletedMail): void {
    this.#sql.insert.run(mail.list, scopeOf(mail), mail.id, this.#now())
  }

  has(mail: DeletedMail): boolean {
    return this.#sql.select.get(mail.list, scopeOf(mail), mail.id) !== undefined
  }

  /** Runs the writes that remove mail: what they remove is overwritten in the file. */
  thoroughly<Value>(work: () => Value): Value {
    this.#database.pragma('secure_delete = ON')
    try {
      return work()
    } finally {
      this.#database.pragma('secure_delete = OFF')
    }
  }

  /** Whether an e-mail of that ID is in a thread that is here. */
  isInThread(emailId: string): boolean {
    return this.#sql.inThread.get(emailId) !== undefined
  }

  /** Whether anything that is here goes by that ID as an e-mail. */
  isAnywhere(emailId: string): boolean {
    return this.#sql.anywhere.get(emailId) !== undefined
  }
}
