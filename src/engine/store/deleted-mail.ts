import type Database from 'better-sqlite3'

/** Mail whose only copy the user has deleted: a thread in an inbox, or an e-mail in an account-wide list. */
export type DeletedMail =
  | { readonly list: 'threads'; readonly inboxId: string; readonly id: string }
  | { readonly list: 'received' | 'sent'; readonly id: string }

const scopeOf = (mail: DeletedMail): string => (mail.list === 'threads' ? mail.inboxId : '')

/** Mail permanently deleted on this computer. */
export const createDeletedMailStore = (database: Database.Database, now: () => number) => {
  const insert = database.prepare<[string, string, string, number]>(
    'INSERT OR REPLACE INTO deleted_mail (list, scope, id, at) VALUES (?, ?, ?, ?)',
  )
  const select = database.prepare<[string, string, string]>(
    'SELECT 1 FROM deleted_mail WHERE list = ? AND scope = ? AND id = ?',
  )
  // `prefetch_queue` has a row for each e-mail in any list, indexed by ID.
  const inThread = database.prepare<[string]>('SELECT 1 FROM prefetch_queue WHERE id = ? AND list = 2 LIMIT 1')
  const anywhere = database.prepare<[string]>('SELECT 1 FROM prefetch_queue WHERE id = ? LIMIT 1')
  return {
    /** Call within the transaction that removes the mail. */
    add: (mail: DeletedMail): void => void insert.run(mail.list, scopeOf(mail), mail.id, now()),
    has: (mail: DeletedMail): boolean => select.get(mail.list, scopeOf(mail), mail.id) !== undefined,
    /** Runs deletions with `secure_delete`, so that deleted data is overwritten in the file. */
    withSecureDelete: <Value>(work: () => Value): Value => {
      database.pragma('secure_delete = ON')
      try {
        return work()
      } finally {
        database.pragma('secure_delete = OFF')
      }
    },
    isInThread: (emailId: string): boolean => inThread.get(emailId) !== undefined,
    /** True if any list contains an e-mail with that ID. */
    isAnywhere: (emailId: string): boolean => anywhere.get(emailId) !== undefined,
  }
}
