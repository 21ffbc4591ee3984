import type { EmailDirection } from '../storage/emails.ts'
import type { Folder } from '../storage/threads.ts'
import type { EmailFilters, ThreadFilters } from './search-parameters.ts'
import type { QueryTerm } from './parse-query.ts'
import { countPhraseMatches, containsPhrase } from './word-index.ts'

export interface SearchableThread {
  readonly seq: number
  readonly folder: Folder
  readonly unreadCount: number
  readonly outboundCount: number
}

/** Data of an e-mail that searches compare. Texts are folded, as in the search index. */
export interface SearchableEmail {
  readonly direction: EmailDirection
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly hasAttachment: boolean
  readonly sender: string
  readonly recipients: string
  readonly cc: string
  readonly bcc: string
  readonly subjectWords: string
  readonly words: string
}

/**
 * Contract, Search threads, rule 1: "`query` matches an email when every non-excluded word appears somewhere in it;
 * excluded words must not appear." A query without terms, such as `€`, matches nothing.
 */
export function matchesQuery(email: SearchableEmail, terms: readonly QueryTerm[]): boolean {
  return terms.length > 0 && terms.every(({ words, excluded }) => containsPhrase(email.words, words) !== excluded)
}

/**
 * Contract, Search threads, `from`: "each value matches part of the sender address or name, case-insensitive; a thread
 * matches if any value matches"; `to`, `cc` and `bcc` are "matched like `from`". A part lies within one name or address.
 */
export function matchesPeople(people: string, values: readonly string[]): boolean {
  return values.some((value) => people.includes(value))
}

/** Contract, Search threads, `has_attachment`: "`true` matches emails with an attachment, `false` emails without." */
export function matchesAttachment(email: SearchableEmail, wanted: boolean): boolean {
  return email.hasAttachment === wanted
}

/** Contract, Search threads, `start_date`: "Emails sent on or after this moment." */
export function isOnOrAfter(email: SearchableEmail, start: number): boolean {
  return email.receivedAt >= start
}

/** Contract, Search threads, `end_date`: "Emails sent on or before this moment." */
export function isOnOrBefore(email: SearchableEmail, end: number): boolean {
  return email.receivedAt <= end
}

/**
 * Contract, Search threads, rule 4: all e-mail filters "must all match the same single email of the thread". By rule 2,
 * they combine with AND.
 */
export function emailMatches(email: SearchableEmail, filters: EmailFilters): boolean {
  return (
    (filters.startDate === null || isOnOrAfter(email, filters.startDate)) &&
    (filters.endDate === null || isOnOrBefore(email, filters.endDate)) &&
    (filters.hasAttachment === null || matchesAttachment(email, filters.hasAttachment)) &&
    (filters.from === null || matchesPeople(email.sender, filters.from)) &&
    (filters.to === null || matchesPeople(email.recipients, filters.to)) &&
    (filters.cc === null || matchesPeople(email.cc, filters.cc)) &&
    (filters.bcc === null || matchesPeople(email.bcc, filters.bcc)) &&
    (filters.query === null || matchesQuery(email, filters.query))
  )
}

/** True if rule 5 applies: "When any of those email filters is set". */
export function hasEmailFilter(filters: EmailFilters): boolean {
  return Object.values(filters).some((filter) => filter !== null)
}

/**
 * Contract, Search threads, rule 5: "the matching email must itself be in one of `folders`; for `sent` it must be an
 * email the inbox sent". An e-mail is in its thread's folder. A sent one is also in `sent`, unless its thread is in
 * `spam` or `trash`, which "are included only when named".
 */
export function emailIsInFolders(
  thread: SearchableThread,
  email: SearchableEmail,
  folders: readonly Folder[],
): boolean {
  return folders.some((folder) =>
    folder === 'sent' ? email.direction === 'outbound' && !isSpamOrTrash(thread) : thread.folder === folder,
  )
}

/** Contract, Search threads, `folders`: "A thread is returned when any of its emails is in one of them." */
export function threadIsInFolders(thread: SearchableThread, folders: readonly Folder[]): boolean {
  return folders.some((folder) =>
    folder === 'sent' ? thread.outboundCount > 0 && !isSpamOrTrash(thread) : thread.folder === folder,
  )
}

function isSpamOrTrash(thread: SearchableThread): boolean {
  return thread.folder === 'spam' || thread.folder === 'trash'
}

/** Contract, Search threads, `read`: "`true`: threads where every email is read. `false`: … at least one unread email." */
export function threadMatchesReadState(thread: SearchableThread, read: boolean): boolean {
  return (thread.unreadCount === 0) === read
}

/** Contract, Search threads, `labels`: "Returns threads having any of these labels." */
export function threadHasLabel(thread: SearchableThread, labelled: ReadonlySet<number>): boolean {
  return labelled.has(thread.seq)
}

/**
 * Contract, Search threads, rule 3: "`folders`, `labels` and `read` apply to the thread as a whole."
 * @param labelled threads with a wanted label; `null` without a label filter
 */
export function threadMatches(
  thread: SearchableThread,
  filters: ThreadFilters,
  labelled: ReadonlySet<number> | null,
): boolean {
  return (
    threadIsInFolders(thread, filters.folders) &&
    (filters.read === null || threadMatchesReadState(thread, filters.read)) &&
    (labelled === null || threadHasLabel(thread, labelled))
  )
}

/**
 * Ranks a thread's e-mails to pick `matched_email_id` ("the most relevant match"). Each word or phrase in the subject
 * counts ten, every other occurrence one. The platform's own weights are unknown.
 */
export function computeRelevance(email: SearchableEmail, terms: readonly QueryTerm[]): number {
  return terms
    .filter(({ excluded }) => !excluded)
    .reduce(
      (sum, { words }) =>
        sum + countPhraseMatches(email.words, words) + 10 * countPhraseMatches(email.subjectWords, words),
      0,
    )
}
