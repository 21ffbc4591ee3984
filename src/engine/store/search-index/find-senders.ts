/** Finds everyone who sent an inbox's indexed sent e-mails. */
import type Database from 'better-sqlite3'
import { toPersonReference } from './index-tokens.ts'
import type { EmailSource } from './index-writer.ts'
import { peopleOf, type SearchablePerson } from './searchable-email.ts'

/** Limits: the newest threads with sent e-mails, and the number of senders. */
const MAX_THREADS = 500
const MAX_WRITERS = 100

const FROM = toPersonReference('from', 0).slice(0, 1)

/** @returns senders named as in their newest e-mail, most recent first */
export type SenderLookup = (inboxKey: number) => readonly SearchablePerson[]

export const createFindSenders = (database: Database.Database, { read }: EmailSource): SenderLookup => {
  const selectSent = database.prepare<[number, number], { readonly emailKey: number; readonly people: string }>(
    `SELECT email_key AS emailKey, people FROM (
       SELECT thread_key, place, documents_from AS first, room FROM search_threads
       WHERE inbox_key = ? AND has_outbound = 1 ORDER BY place LIMIT ?
     ) AS sent
     CROSS JOIN search_documents ON document BETWEEN sent.first AND sent.first + sent.room - 1
     WHERE search_documents.thread_key = sent.thread_key AND is_outbound = 1
     ORDER BY sent.place, received_at DESC`,
  )
  return (inboxKey) => {
    const found = new Map<string, SearchablePerson>()
    const marks = new Set<string>()
    for (const { emailKey, people } of selectSent.iterate(inboxKey, MAX_THREADS)) {
      const news = people.split(' ').filter((mark) => mark.startsWith(FROM) && !marks.has(mark))
      if (news.length === 0) continue
      for (const mark of news) marks.add(mark)
      const email = read(emailKey)
      if (email === undefined) continue
      for (const person of peopleOf(email).from) {
        const key = `${person.name}\n${person.address.toLowerCase()}`
        if (!found.has(key)) found.set(key, person)
      }
      if (found.size >= MAX_WRITERS) break
    }
    return [...found.values()]
  }
}
