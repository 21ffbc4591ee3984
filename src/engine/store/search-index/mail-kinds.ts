import { hash } from 'node:crypto'
import type Database from 'better-sqlite3'
import { EMAIL_KINDS, type EmailKind, type MailKind } from '../../../shared/thread-query.ts'
import { detectMailKind } from './mail-kind.ts'
import { parsePerson, type SearchableEmail } from './searchable-email.ts'

/** Maximum e-mails examined per name, since anyone can reuse a Message-ID many times. */
const MAX_COPIES = 16

type Named = Pick<SearchableEmail, 'id' | 'messageId' | 'from' | 'subject'>

/**
 * Digest to store instead of a name: short and of fixed length, since senders choose the names. Digests are deleted
 * along with their e-mail.
 */
const digestOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64').slice(0, 22)

const bareMessageId = (messageId: string): string => messageId.replace(/^[\s<]+|[\s>]+$/g, '')

/**
 * Names shared by the copies of an e-mail in its thread and in the received list: its ID, and its Message-ID with
 * sender and subject, since platforms may use different IDs for the copies.
 */
const namesOf = ({ id, messageId, from, subject }: Named): readonly string[] => {
  const name = bareMessageId(messageId ?? '')
  const sender = parsePerson(from[0] ?? '').address.toLowerCase()
  return [digestOf(id), ...(name === '' ? [] : [digestOf(name, sender, (subject ?? '').trim())])]
}

const prepareStatements = (database: Database.Database) => ({
  isAnyKept: database.prepare<[], number>('SELECT 1 FROM search_kinds LIMIT 1').pluck(),
  kind: database.prepare<[string], string>('SELECT kind FROM search_kinds WHERE name = ?').pluck(),
  keep: database.prepare<[string, number, string]>(
    `INSERT INTO search_kinds (name, row_key, kind) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET row_key = excluded.row_key, kind = excluded.kind`,
  ),
  forget: database.prepare<[number]>('DELETE FROM search_kinds WHERE row_key = ?'),
  copies: database
    .prepare<[string, string], number>(
      `SELECT row_key FROM prefetch_queue WHERE id = ? AND list = 2
       UNION SELECT key FROM emails WHERE message_id = ? LIMIT ${MAX_COPIES}`,
    )
    .pluck(),
})

/**
 * Kinds of e-mails. The platform provides headers only for received e-mails that are fetched completely. These headers
 * also decide the kind of the copy in a thread, whichever of the two arrives first. Until then, the sender's address
 * decides.
 */
export class MailKinds {
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  of(email: Named & Pick<SearchableEmail, 'isOutbound' | 'headers'>): EmailKind {
    if (email.isOutbound) return 'sent'
    const [from = ''] = email.from
    if (email.headers !== null) return detectMailKind(from, email.headers)
    // Shortcut, mostly for rebuilding the index, when received e-mails come last.
    if (this.#sql.isAnyKept.get() === undefined) return detectMailKind(from, null)
    for (const name of namesOf(email)) {
      const kept = this.#sql.kind.get(name)
      const kind = EMAIL_KINDS.find((known) => known === kept)
      if (kind !== undefined) return kind
    }
    return detectMailKind(from, null)
  }

  /**
   * Remembers what headers reveal beyond the sender's address.
   * @param rowKey key of the received e-mail
   * @returns keys of possible copies in threads; empty if nothing new was learned
   */
  learn(rowKey: number, email: SearchableEmail): readonly number[] {
    if (email.headers === null) return []
    const [from = ''] = email.from
    const kind: MailKind = detectMailKind(from, email.headers)
    if (kind === detectMailKind(from, null)) return []
    const names = namesOf(email)
    if (names.every((name) => this.#sql.kind.get(name) === kind)) return []
    for (const name of names) this.#sql.keep.run(name, rowKey, kind)
    return this.#sql.copies.all(email.id, bareMessageId(email.messageId ?? ''))
  }

  forget(rowKey: number): void {
    this.#sql.forget.run(rowKey)
  }
}
