import type { Thread } from '../../../shared/model.ts'
import type { Span } from '../../../shared/search/lex-search.ts'
import { markWords, type SearchMarks } from '../../../shared/search/mark-words.ts'
import type { PeopleField } from '../../../shared/thread-query.ts'
import { displayName, parseAddress } from '../../../shared/address.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { asLatin } from '../../ui/look-alike.ts'

const NO_SUBJECT = '(no subject)'

/** A subject for the screen: none is said in words, not left blank. */
export const subjectOf = (subject: string | null): string => {
  const text = visibleText(subject ?? '')
  return text === '' ? NO_SUBJECT : text
}

export const markSubject = (shown: string, marks: SearchMarks | null): readonly Span[] =>
  marks === null || shown === NO_SUBJECT ? [] : markWords(shown, [...marks.terms, ...marks.inSubject])

export interface Correspondent {
  /** As a row shows it: the first name alone where there are several. */
  readonly name: string
  readonly isUnread: boolean
}

/** The people of a thread, as a row names them. */
export interface Correspondents {
  /** Where they stand in its e-mails: those who wrote, or those to whom the person alone wrote. */
  readonly field: PeopleField
  readonly named: readonly Correspondent[]
  /** How many more there are. */
  readonly others: number
  /** Whether the person wrote as well. */
  readonly hasMe: boolean
  /** All of them by their full names, for a tooltip; null where the row says as much. */
  readonly full: string | null
}

/** So many are named; with more of them, one less. */
const MOST = 3
/** People that the tooltip names at most. */
const MOST_IN_FULL = 12

const PARTS = /[,،、，;؛&]|\band\b/u
const isMe = (part: string): boolean => asLatin(part).replace(/[^\p{L}\p{N}]/gu, '') === 'me'

/** Whether a name reads as the person themselves, alone or in a list, or as the word before recipients. */
const passesForOurs = (name: string): boolean => {
  const parts = name.split(PARTS)
  return parts.some(isMe) || /^to\s*[:：∶꞉]/.test(asLatin(name))
}

/** A name that could pass for Linnet's own words stands in quotes, with its address. */
const safeName = (header: string | null): string => {
  const shown = displayName(header)
  return passesForOurs(shown) ? `“${shown}” ${parseAddress(header ?? '').address}` : shown
}

/** Words of names that are no person's: of what they name, the first word says little. */
const NO_PERSON =
  /^(?:an?|the|la|le|les|el|los|las|der|die|das|il|lo|dr|mrs?|ms|prof|jr|sr|inc|ltd|llc|gmbh|co|team|group|support|service|services|system|delivery|news|newsletter|notifications?|alerts?|billing|sales|help|desk|hosting|status|uptime|mail|app|via|[&+])[.:]?$/iu
/** A word that may be a first name: of two letters and more. */
const GIVEN_NAME = /^\p{L}{2}[\p{L}\p{M}'’-]*$/u

/** The first name; all of it where nobody can tell which one that is, and for an address what stands before its domain. */
const shortName = (header: string): string => {
  const name = safeName(header)
  if (name.startsWith('“')) return name
  const { name: written, address, isUnclear } = parseAddress(header)
  if (isUnclear) return name
  if (written === null) return address.slice(0, Math.max(0, address.lastIndexOf('@'))) || name
  // `Aubert, Claire`, as address books write names.
  const [, family = '', given = ''] = /^([^\s,]+(?: [^\s,]+)?), ([^\s,]+(?: [^\s,]+)?)$/u.exec(written) ?? []
  const words = (given === '' ? written : `${given} ${family}`).split(' ')
  const [first = ''] = words
  const isName = words.length > 1 && GIVEN_NAME.test(first) && !words.some((word) => NO_PERSON.test(word))
  return isName ? first : written
}

/** Short names, and the whole ones of those who share a short one. */
const namesOf = (headers: readonly string[], isShort: boolean): readonly string[] => {
  if (!isShort) return headers.map(safeName)
  const short = headers.map(shortName)
  return short.map((name, index) => {
    const isShared = short.some((other, place) => place !== index && other.toLowerCase() === name.toLowerCase())
    return isShared ? safeName(headers[index] ?? null) : name
  })
}

/**
 * Whom a thread is with: the others who wrote in it, who wrote last first; where only the person did, those to whom. A thread
 * without any e-mail that is known has an unknown sender.
 * @param isShort whether somebody who stands beside the person goes by their first name, too
 */
export const correspondents = (
  { writers, from, to, folder, read }: Pick<Thread, 'writers' | 'from' | 'to' | 'folder' | 'read'>,
  isShort = false,
): Correspondents => {
  const theirs = writers.filter((writer) => !writer.isMe)
  const wrote = writers.length > theirs.length
  const isSent = theirs.length === 0 && to.length > 0 && (wrote || folder === 'sent')
  const people = isSent
    ? to.map((header) => ({ from: header, isUnread: false }))
    : theirs.length > 0
      ? theirs
      : from === null || wrote
        ? []
        : [{ from, isUnread: false }]
  const hasMe = wrote && !isSent
  if (people.length === 0 && !hasMe) {
    return { field: 'from', named: [{ name: displayName(null), isUnread: false }], others: 0, hasMe, full: null }
  }
  // Marked as unread after all of it was read.
  const isByHand = !people.some(({ isUnread }) => isUnread)
  const shown = people.slice(0, people.length > MOST ? MOST - 1 : MOST)
  const names = namesOf(
    shown.map((person) => person.from),
    shown.length > 1 || (isShort && hasMe),
  )
  const others = people.length - shown.length
  const inFull = people.slice(0, MOST_IN_FULL).map((person) => safeName(person.from))
  const rest = people.length - inFull.length
  const all = [...inFull, ...(rest > 0 ? [`${rest} more`] : []), ...(hasMe ? ['me'] : [])]
  return {
    field: isSent ? 'to' : 'from',
    named: shown.map(({ isUnread }, index) => ({
      name: names[index] ?? '',
      isUnread: !read && (isUnread || isByHand),
    })),
    others,
    hasMe,
    full: people.length < 2 && !isShort ? null : `${isSent ? 'To: ' : ''}${all.join(', ')}`,
  }
}
