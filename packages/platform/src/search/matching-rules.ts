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

/** See platform.md 9.1. A query without terms, such as `€`, matches nothing. */
export function matchesQuery(email: SearchableEmail, terms: readonly QueryTerm[]): boolean {
  return terms.length > 0 && terms.every(({ words, excluded }) => containsPhrase(email.words, words) !== excluded)
}

/** The same for `from`, `to`, `cc` and `bcc` (platform.md 9.9). A part lies within one name or address. */
export function matchesPeople(people: string, values: readonly string[]): boolean {
  return values.some((value) => people.includes(value))
}

/** See platform.md 9.10. */
export function matchesAttachment(email: SearchableEmail, wanted: boolean): boolean {
  return email.hasAttachment === wanted
}

/** See platform.md 9.11. */
export function isOnOrAfter(email: SearchableEmail, start: number): boolean {
  return email.receivedAt >= start
}

/** See platform.md 9.11. */
export function isOnOrBefore(email: SearchableEmail, end: number): boolean {
  return email.receivedAt <= end
}

/** All filters must match the same e-mail (platform.md 9.4), and they combine with AND (platform.md 9.2). */
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

/** True if there is a condition on the e-mail, so that platform.md 9.5 applies. */
export function hasEmailFilter(filters: EmailFilters): boolean {
  return Object.values(filters).some((filter) => filter !== null)
}

/**
 * The matching e-mail must be in one of the folders (platform.md 9.5). An e-mail is in its thread's folder. A sent one
 * is also in `sent`, unless its thread is in `spam` or `trash` (platform.md 11.10).
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

/** See platform.md 9.12. */
export function threadIsInFolders(thread: SearchableThread, folders: readonly Folder[]): boolean {
  return folders.some((folder) =>
    folder === 'sent' ? thread.outboundCount > 0 && !isSpamOrTrash(thread) : thread.folder === folder,
  )
}

function isSpamOrTrash(thread: SearchableThread): boolean {
  return thread.folder === 'spam' || thread.folder === 'trash'
}

/** See platform.md 9.14. */
function threadMatchesReadState(thread: SearchableThread, read: boolean): boolean {
  return (thread.unreadCount === 0) === read
}

/** See platform.md 9.13. */
function threadHasLabel(thread: SearchableThread, labelled: ReadonlySet<number>): boolean {
  return labelled.has(thread.seq)
}

/**
 * Conditions on the thread (platform.md 9.3).
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
