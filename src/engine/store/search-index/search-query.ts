import { FOLDERS } from '../../../shared/model.ts'
import { resolveDateBound, type Clock } from '../../../shared/search/date-bounds.ts'
import { toWordTerms, type WordTerm } from '../../../shared/search/highlight-terms.ts'
import { toMarkLabelId } from '../../../shared/thread-marks.ts'
import {
  PEOPLE_FIELDS,
  listMatchableFolders,
  type DateBound,
  type EmailFilter,
  type ThreadFilter,
  type ThreadQuery,
} from '../../../shared/thread-query.ts'
import {
  attachmentToken,
  kindToken,
  OUTBOUND_TOKEN,
  toPersonReference,
  personToken,
  subjectToken,
  listTokensBetween,
} from './index-tokens.ts'
import type { People } from './people.ts'
import { toPersonSearchPart } from './searchable-email.ts'
import type { Spellings } from './spellings.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A filter with dates resolved to milliseconds since the epoch. */
export interface ResolvedFilter extends Omit<ThreadFilter, 'since' | 'until'>, Pick<ThreadQuery, 'lastWordIsPrefix'> {
  /** Inclusive. */
  readonly since: number | null
  /** Exclusive. */
  readonly until: number | null
  /** True to include other spellings. The platform doesn't do this. */
  readonly isWidened?: boolean
}

export interface ResolvedThreadQuery extends ResolvedFilter {
  readonly inboxId: string
}

/** Resolves days and periods to times, relative to the clock's current time. */
export const resolveDates = <Query extends Pick<EmailFilter, 'since' | 'until'>>(query: Query, clock: Clock) => {
  const moment = (bound: DateBound | null): number | null => (bound === null ? null : resolveDateBound(bound, clock))
  return { ...query, since: moment(query.since), until: moment(query.until) }
}

/** A query for the index, including other spellings. */
export const resolveQuery = (query: ThreadQuery, clock: Clock): ResolvedThreadQuery => ({
  ...resolveDates(query, clock),
  inboxId: query.inboxIds[0] ?? '',
  isWidened: true,
})

/** Conditions on a single e-mail beyond its words (platform.md 9.4). */
export interface EmailConditions {
  readonly since: number
  readonly until: number
  /** Checks by people, one for each field with too many matching people to query the index for each. */
  readonly people: readonly ((marks: readonly string[]) => boolean)[]
}

export interface SearchPlan {
  /** `sent` means that one of the thread's e-mails was sent; if the query has conditions on e-mails, a matching one. */
  readonly folders: ReadonlySet<string>
  readonly isAnywhere: boolean
  readonly labelIds: readonly string[]
  readonly assignedTo: readonly string[] | null
  readonly notAssignedTo: readonly string[]
  readonly read: boolean | null
  readonly dropped: boolean | null
  /** Marks, as label IDs. A thread must have all of them. */
  readonly markLabelIds: readonly string[]
  readonly withoutLabelIds: readonly string[]
  /** Null if the query has no conditions on e-mails. */
  readonly email: EmailConditions | null
  /** FTS5 expression; null to check every e-mail. */
  readonly expression: string | null
  /** Other spellings of the searched words and phrases that occur in local mail. */
  readonly spellings: readonly string[]
  /** Words and phrases that determine a thread's most relevant e-mail. */
  readonly terms: readonly WordTerm[]
}

/** Maximum people to look up individually in the index. If more match, each e-mail's people are checked instead. */
const MAX_PEOPLE = 64

const quoted = (token: string): string => `"${token}"`
const anyOf = (tokens: readonly string[]): string => `(${tokens.map(quoted).join(' OR ')})`
const phrase = ({ words, isInSubject }: WordTerm): string =>
  quoted((isInSubject === true ? words.map(subjectToken) : words).join(' '))

const beginning = (term: WordTerm, vocabulary: Pick<Vocabulary, 'beginning'>): string =>
  term.isInSubject === true ? `${phrase(term)} *` : vocabulary.beginning(term.words)

interface PeoplePlan {
  readonly expressions: readonly string[]
  readonly rules: EmailConditions['people']
}

/** @returns null if nobody matches */
const planPeople = (query: ResolvedFilter, people: Pick<People, 'find'>): PeoplePlan | null => {
  const expressions: string[] = []
  const rules: ((marks: readonly string[]) => boolean)[] = []
  for (const field of PEOPLE_FIELDS) {
    if (query[field].length === 0) continue
    const parts = query[field].map(toPersonSearchPart)
    const { keys, includes } = people.find(parts, MAX_PEOPLE)
    if (keys?.length === 0) return null
    if (keys === null) {
      const letter = toPersonReference(field, 0).slice(0, 1)
      rules.push((marks) => marks.some((mark) => mark.startsWith(letter) && includes(Number(mark.slice(1)))))
    } else {
      expressions.push(anyOf(keys.map((key) => personToken(toPersonReference(field, key)))))
    }
  }
  return { expressions, rules }
}

/** True if every match of the first term also matches `other`, which is never an open (prefix) term. */
const implies = ({ words, isOpen }: WordTerm, other: WordTerm): boolean => {
  const whole = isOpen ? words.slice(0, -1) : words
  return whole.some((_, at) => other.words.every((word, place) => whole[at + place] === word))
}

/** @param existing folders of the inbox's threads @returns null if nothing can match */
export const planSearch = (
  query: ResolvedFilter,
  people: Pick<People, 'find'>,
  vocabulary: Pick<Vocabulary, 'beginning'>,
  spellings: Pick<Spellings, 'of'>,
  existing: readonly string[] = [],
): SearchPlan | null => {
  const { labelIds, assignedTo, notAssignedTo, read, dropped, hasAttachment, kinds, since, until } = query
  const terms = toWordTerms(query)
  if (terms.length === 0 && query.text.length > 0) return null
  if (assignedTo?.length === 0) return null
  if (since !== null && until !== null && since >= until) return null
  const someone = planPeople(query, people)
  if (someone === null) return null
  const folders = new Set(listMatchableFolders(query, existing))
  const isOnlySent = folders.size === 1 && folders.has('sent')
  const wanted = terms.filter(({ isExcluded }) => !isExcluded)
  const unwanted = terms.filter(({ isExcluded }) => isExcluded)
  // Nothing can match. FTS5 would read every match of a word only to exclude each of them.
  if (unwanted.some((term) => wanted.some((other) => implies(other, term)))) return null
  const asksEmails =
    terms.length + someone.expressions.length + someone.rules.length > 0 ||
    [hasAttachment, kinds, since, until].some((filter) => filter !== null)
  const others = new Map(query.isWidened === true ? wanted.map((term) => [term, spellings.of(term.words)]) : [])
  const every = [
    ...wanted.map((term) => {
      const own = term.isOpen ? beginning(term, vocabulary) : phrase(term)
      const more = (others.get(term) ?? []).map((words) => phrase({ ...term, words }))
      return more.length === 0 ? own : `(${[own, ...more].join(' OR ')})`
    }),
    ...someone.expressions,
    ...(hasAttachment === null ? [] : [quoted(attachmentToken(hasAttachment))]),
    ...(kinds === null ? [] : [anyOf(kinds.map(kindToken))]),
    // No tokens for `since`: reading in order of time is enough.
    ...(until === null ? [] : [anyOf(listTokensBetween(since ?? Number.MIN_SAFE_INTEGER, until))]),
    ...(isOnlySent && asksEmails ? [quoted(OUTBOUND_TOKEN)] : []),
  ]
  // FTS5's NOT needs something to exclude from, so match every e-mail.
  const some = every.length === 0 && unwanted.length > 0 ? [anyOf([false, true].map(attachmentToken))] : every
  const all = some.join(' AND ')
  const expression = unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.map(phrase).join(' OR ')})`
  return {
    folders,
    isAnywhere: FOLDERS.every((folder) => folders.has(folder)),
    labelIds,
    assignedTo,
    notAssignedTo,
    read,
    dropped,
    markLabelIds: (query.marks ?? []).map(toMarkLabelId),
    withoutLabelIds: (query.withoutMarks ?? []).map(toMarkLabelId),
    email: asksEmails ? { since: since ?? -Infinity, until: until ?? Infinity, people: someone.rules } : null,
    expression: expression === '' ? null : expression,
    spellings: [...others.values()].flat().map((words) => words.join(' ')),
    terms: wanted,
  }
}
