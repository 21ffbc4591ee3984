/** Whether somebody was met before: in what they sent, or in what was sent to them. */
import type Database from 'better-sqlite3'
import { readAccountEmailKey } from './account-keys.ts'
import { personMark, personToken } from './index-tokens.ts'
import type { People } from './people.ts'
import { readPerson } from './searchable-email.ts'

/** An e-mail, and in which list it is looked at: the same message may be in a thread and in the list of received ones. */
export interface MetEmail {
  /** As the header has it. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly list: 'threads' | 'received'
}

/** @returns null where there is too much to look through */
export type HasEarlierMail = (email: MetEmail) => boolean | null

/** Names under which one address writes, and longer addresses that begin as it does. */
const MOST_PEOPLE = 200
/** E-mails that are looked at, those of the oldest threads first, where an earlier one is most likely. */
const MOST_EMAILS = 5_000

export const createHasEarlierMail = (database: Database.Database, people: People): HasEarlierMail => {
  // A smaller rowid is a thread of later activity (`thread-places.ts`).
  const select = database.prepare<
    [string, number],
    { readonly emailKey: number; readonly receivedAt: number; readonly isOutbound: number; readonly people: string }
  >(
    `SELECT d.email_key AS emailKey, d.received_at AS receivedAt, d.is_outbound AS isOutbound, d.people AS people
     FROM search_words AS w JOIN search_documents AS d ON d.document = w.rowid
     WHERE search_words MATCH ? ORDER BY w.rowid DESC LIMIT ?`,
  )
  return ({ from, receivedAt, list }) => {
    const address = readPerson(from).address.trim().toLowerCase()
    if (address === '') return null
    const similar = people.having(`\n${address}`, MOST_PEOPLE)
    if (similar.length === MOST_PEOPLE) return null
    const keys = similar.filter(({ text }) => text.endsWith(`\n${address}`)).map(({ key }) => key)
    if (keys.length === 0) return false
    const senders = new Set(keys.map((key) => personMark('from', key)))
    const marks = keys.flatMap((key) => (['from', 'to', 'cc', 'bcc'] as const).map((field) => personMark(field, key)))
    const expression = marks.map((mark) => `"${personToken(mark)}"`).join(' OR ')
    let looked = 0
    for (const email of select.iterate(expression, MOST_EMAILS)) {
      looked += 1
      if (email.receivedAt >= receivedAt) continue
      if (email.isOutbound === 1) return true
      const isInList = (readAccountEmailKey(email.emailKey)?.list ?? 'threads') === list
      if (isInList && email.people.split(' ').some((mark) => senders.has(mark))) return true
    }
    return looked === MOST_EMAILS ? null : false
  }
}
