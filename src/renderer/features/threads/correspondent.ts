import type { Thread } from '../../../shared/model.ts'
import type { Span } from '../../../shared/search/lex-search.ts'
import { findWordSpans, type HighlightTerms } from '../../../shared/search/highlight-terms.ts'
import type { PeopleField } from '../../../shared/thread-query.ts'
import { toDisplayName, parseAddress } from '../../../shared/address.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatNumber } from '../../ui/format-quantity.ts'
import { foldLookAlikes } from '../../ui/look-alike.ts'

const NO_SUBJECT = '(no subject)'

/** Subject for display, with a placeholder if empty. */
export const formatSubject = (subject: string | null): string => {
  const text = toVisibleText(subject ?? '')
  return text === '' ? NO_SUBJECT : text
}

export const findSubjectMarks = (shown: string, marks: HighlightTerms | null): readonly Span[] =>
  marks === null || shown === NO_SUBJECT ? [] : findWordSpans(shown, [...marks.terms, ...marks.inSubject])

export interface Correspondent {
  /** As displayed in a row: with several people, first names only. */
  readonly name: string
  readonly isUnread: boolean
}

export interface Correspondents {
  /** Header of the first person, or null if nobody else is known. */
  readonly first: string | null
  /** `from` for those who wrote; `to` for recipients if only the user wrote. */
  readonly field: PeopleField
  readonly named: readonly Correspondent[]
  readonly others: number
  readonly hasMe: boolean
  /** Everyone's full name, for a tooltip; null if the row already shows them all. */
  readonly full: string | null
}

/** Names in a row; one fewer if others follow. */
const MAX = 3
const MAX_IN_FULL = 12

const NAME_SEPARATOR = /[,،、，;؛&]|\band\b/u
const isMe = (part: string): boolean => foldLookAlikes(part).replace(/[^\p{L}\p{N}]/gu, '') === 'me'

/** True if a name could pass for "me", alone or in a list, or for the "To:" before recipients. */
const imitatesUi = (name: string): boolean => {
  const parts = name.split(NAME_SEPARATOR)
  return parts.some(isMe) || /^to\s*[:：∶꞉]/.test(foldLookAlikes(name))
}

/** Quotes a name that could pass for Linnet's own text, and adds its address. */
const safeName = (header: string | null): string => {
  const shown = toDisplayName(header)
  return imitatesUi(shown) ? `“${shown}” ${parseAddress(header ?? '').address}` : shown
}

/** Words found in the names of organisations, whose first word says little. */
const ORGANIZATION_WORD =
  /^(?:an?|the|la|le|les|el|los|las|der|die|das|il|lo|dr|mrs?|ms|prof|jr|sr|inc|ltd|llc|gmbh|co|team|group|support|service|services|system|delivery|news|newsletter|notifications?|alerts?|billing|sales|help|desk|hosting|status|uptime|mail|app|via|[&+])[.:]?$/iu
const GIVEN_NAME = /^\p{L}{2}[\p{L}\p{M}'’-]*$/u

/** First name, or the full name if unclear; for a bare address, the part before its domain. */
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
  const isName = words.length > 1 && GIVEN_NAME.test(first) && !words.some((word) => ORGANIZATION_WORD.test(word))
  return isName ? first : written
}

/** Short names, or full ones for people who share a short name. */
const namesOf = (headers: readonly string[], isShort: boolean): readonly string[] => {
  if (!isShort) return headers.map(safeName)
  const short = headers.map(shortName)
  return short.map((name, index) => {
    const isShared = short.some((other, place) => place !== index && other.toLowerCase() === name.toLowerCase())
    return isShared ? safeName(headers[index] ?? null) : name
  })
}

/**
 * The others who wrote in a thread, latest first; its recipients if only the user wrote. The sender is unknown if no
 * e-mail is known.
 * @param isShort true to shorten the name even if only one person and the user wrote
 */
export const findCorrespondents = (
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
    return {
      first: null,
      field: 'from',
      named: [{ name: toDisplayName(null), isUnread: false }],
      others: 0,
      hasMe,
      full: null,
    }
  }
  // No e-mail is unread, so the user marked the thread unread after reading it.
  const isMarkedUnread = !people.some(({ isUnread }) => isUnread)
  const shown = people.slice(0, people.length > MAX ? MAX - 1 : MAX)
  const names = namesOf(
    shown.map((person) => person.from),
    shown.length > 1 || (isShort && hasMe),
  )
  const others = people.length - shown.length
  const inFull = people.slice(0, MAX_IN_FULL).map((person) => safeName(person.from))
  const rest = people.length - inFull.length
  const all = [...inFull, ...(rest > 0 ? [`${rest} more`] : []), ...(hasMe ? ['me'] : [])]
  return {
    first: people[0]?.from ?? null,
    field: isSent ? 'to' : 'from',
    named: shown.map(({ isUnread }, index) => ({
      name: names[index] ?? '',
      isUnread: !read && (isUnread || isMarkedUnread),
    })),
    others,
    hasMe,
    full: people.length < 2 && !isShort ? null : `${isSent ? 'To: ' : ''}${all.join(', ')}`,
  }
}

/** The displayed people in words: `To Ada and 3 more`. */
export const listCorrespondents = ({ field, named, others, hasMe }: Correspondents): string => {
  const names = [
    ...named.map(({ name }) => name),
    ...(others > 0 ? [`${formatNumber(others)} more`] : []),
    ...(hasMe ? ['me'] : []),
  ]
  return `${field === 'to' ? 'To ' : ''}${formatList(names)}`
}
