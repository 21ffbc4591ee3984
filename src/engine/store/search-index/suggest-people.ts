import type Database from 'better-sqlite3'
import { PEOPLE_FIELDS } from '../../../shared/thread-query.ts'
import { toPersonReference, personToken } from './index-tokens.ts'
import type { EmailSource } from './index-writer.ts'
import type { People } from './people.ts'
import { peopleOf, toPersonSearchText, type SearchablePerson } from './searchable-email.ts'
import { foldToPlainLetters } from './spellings.ts'
import { computeRowidRange } from './thread-order.ts'

/** Maximum people considered. If more match, the typed text is too short to be useful. */
const MAX_CONSIDERED = 200

/**
 * Rank of a match, best first: start of the name, start of a word in it, start of the address, anywhere. @param typed
 * in lower case
 */
const rankPerson = (person: SearchablePerson, typed: string): number => {
  const name = person.name.toLowerCase()
  const lower = name.includes(typed) ? name : foldToPlainLetters(name)
  const mail = person.address.toLowerCase()
  if (lower.startsWith(typed)) return 0
  if (lower.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => word.startsWith(typed))) return 1
  return mail.startsWith(typed) ? 2 : 3
}

/** Sorts people by rank, keeps the order of equal ranks, and drops repeated addresses. */
export const rankPeople = (people: readonly SearchablePerson[], typed: string): readonly SearchablePerson[] => {
  const ranked = people
    .map((person) => ({ person, rank: rankPerson(person, typed), isNameless: person.name === '' }))
    .toSorted((a, b) => a.rank - b.rank || Number(a.isNameless) - Number(b.isNameless))
  const byAddress = new Map<string, SearchablePerson>()
  for (const { person } of ranked) {
    const address = person.address.toLowerCase()
    if (!byAddress.has(address)) byAddress.set(address, person)
  }
  return [...byAddress.values()]
}

/**
 * @param typed part of a name or address, in any case
 * @param limit each person requires reading an e-mail
 * @returns people, named as in the inbox's newest e-mail that mentions them
 */
export type SuggestPeople = (inboxKey: number, typed: string, limit: number) => readonly SearchablePerson[]

const toPerson = (text: string): SearchablePerson => {
  const [name = '', ...address] = text.split('\n')
  return { name, address: address.join('\n') }
}

export const createSuggestPeople = (
  database: Database.Database,
  people: People,
  { read }: EmailSource,
): SuggestPeople => {
  const selectDocument = database
    .prepare<[string, number, number], number>(
      'SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT 1',
    )
    .pluck()
  const selectApart = database
    .prepare<[string, number], number>(
      `SELECT d.email_key FROM search_words AS w
       JOIN search_documents AS d ON d.document = w.rowid
       JOIN search_threads AS t ON t.thread_key = d.thread_key
       WHERE search_words MATCH ? AND w.rowid < 0 AND t.inbox_key = ? LIMIT 1`,
    )
    .pluck()
  const selectEmail = database
    .prepare<[number], number>('SELECT email_key FROM search_documents WHERE document = ?')
    .pluck()

  const emailWith = (inboxKey: number, key: number): number | undefined => {
    const range = computeRowidRange(inboxKey)
    if (range === null) return undefined
    const expression = PEOPLE_FIELDS.map((field) => `"${personToken(toPersonReference(field, key))}"`).join(' OR ')
    const document = selectDocument.get(expression, range.first, range.end)
    return document === undefined ? selectApart.get(expression, inboxKey) : selectEmail.get(document)
  }

  return (inboxKey, typed, limit) => {
    const part = typed.trim().toLowerCase()
    const containing = people.containing(part, MAX_CONSIDERED)
    const keys = new Set(containing.map(({ key }) => key))
    const accented = containing.length < MAX_CONSIDERED ? people.accented(part).filter(({ key }) => !keys.has(key)) : []
    const candidates = new Map([...containing, ...accented].map(({ key, text }) => [toPerson(text), key]))
    const found: SearchablePerson[] = []
    for (const person of rankPeople([...candidates.keys()], part)) {
      const key = candidates.get(person)
      const emailKey = key === undefined ? undefined : emailWith(inboxKey, key)
      const email = emailKey === undefined ? undefined : read(emailKey)
      if (email === undefined) continue
      const text = toPersonSearchText(person)
      const named = peopleOf(email)
      const written = PEOPLE_FIELDS.flatMap((field) => named[field]).find((each) => toPersonSearchText(each) === text)
      if (written !== undefined) found.push(written)
      if (found.length >= limit) break
    }
    return found
  }
}
