import type Database from 'better-sqlite3'

/** Mail of which a person has deleted the only copy: a thread of an inbox, or an e-mail of one of the account's own lists. */
export type DeletedMail =
  | { readonly list: 'threads'; readonly inboxId: string; readonly id: string }
  | { readonly list: 'received' | 'sent'; readonly id: string }

/** What was deleted here for good. */
export interface DeletedMailStore {
  /** Within the write that removes it. */
  readonly add: (mail: DeletedMail) => void
  readonly has: (mail: DeletedMail) => boolean
  /** Runs the writes that remove mail: what they remove is overwritten in the file, rather than left to be. */
  readonly thoroughly: <Value>(work: () => Value) => Value
  /** Whether an e-mail of that ID is in a thread that is here. */
  readonly isInThread: (emailId: string) => boolean
  /** Whether anything that is here goes by that ID as an e-mail. */
  readonly isAnywhere: (emailId: string) => boolean
}

const scopeOf = (mail: DeletedMail): string => (mail.list === 'threads' ? mail.inboxId : '')

export const createDeletedMailStore = (database: Database.Database, now: () => number): DeletedMailStore => {
  const insert = database.prepare<[string, string, string, number]>(
    'INSERT OR REPLACE INTO deleted_here (list, scope, id, at) VALUES (?, ?, ?, ?)',
  )
  const select = database
    .prepare<[string, string, string], number>('SELECT 1 FROM deleted_here WHERE list = ? AND scope = ? AND id = ?')
    .pluck()
  // The table of what is to be kept has a row for each e-mail of any list, and an index by their IDs.
  const selectInThread = database
    .prepare<[string], number>('SELECT 1 FROM keeping WHERE id = ? AND list = 2 LIMIT 1')
    .pluck()
  const selectAnywhere = database.prepare<[string], number>('SELECT 1 FROM keeping WHERE id = ? LIMIT 1').pluck()
  return {
    add: (mail) => {
      insert.run(mail.list, scopeOf(mail), mail.id, now())
    },
    has: (mail) => select.get(mail.list, scopeOf(mail), mail.id) !== undefined,
    thoroughly: (work) => {
      database.pragma('secure_delete = ON')
      try {
        return work()
      } finally {
        database.pragma('secure_delete = OFF')
      }
    },
    isInThread: (emailId) => selectInThread.get(emailId) !== undefined,
    isAnywhere: (emailId) => selectAnywhere.get(emailId) !== undefined,
  }
}
