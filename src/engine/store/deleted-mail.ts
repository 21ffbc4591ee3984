import type Database from 'better-sqlite3'

/** Mail whose only copy the user has deleted: a thread in an inbox, or an e-mail in an account-wide list. */
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
  // `keeping` has a row for each e-mail in any list, indexed by ID.
  inThread: database.prepare<[string], number>('SELECT 1 FROM keeping WHERE id = ? AND list = 2 LIMIT 1').pluck(),
  anywhere: database.prepare<[string], number>('SELECT 1 FROM keeping WHERE id = ? LIMIT 1').pluck(),
})

/** Mail permanently deleted on this computer. */
export class DeletedMailStore {
  readonly #database: Database.Database
  readonly #now: () => number
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#sql = prepareStatements(database)
  }

  /** Call within the transaction that removes the mail. */
  add(mail: DeletedMail): void {
    this.#sql.insert.run(mail.list, scopeOf(mail), mail.id, this.#now())
  }

  has(mail: DeletedMail): boolean {
    return this.#sql.select.get(mail.list, scopeOf(mail), mail.id) !== undefined
  }

  /** Runs deletions with `secure_delete`, so that deleted data is overwritten in the file. */
  withSecureDelete<Value>(work: () => Value): Value {
    this.#database.pragma('secure_delete = ON')
    try {
      return work()
    } finally {
      this.#database.pragma('secure_delete = OFF')
    }
  }

  isInThread(emailId: string): boolean {
    return this.#sql.inThread.get(emailId) !== undefined
  }

  /** True if any list contains an e-mail with that ID. */
  isAnywhere(emailId: string): boolean {
    return this.#sql.anywhere.get(emailId) !== undefined
  }
}
