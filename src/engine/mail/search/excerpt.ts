import { findWordSpans, type WordTerm, toWordTerms } from '../../../shared/search/highlight-terms.ts'
import type { SearchableEmail } from '../../store/search-index/searchable-email.ts'
import { htmlToWords } from '../../../shared/mail-text/html-to-text.ts'
import type { LocalMatch, ThreadExcerpt } from '../../../shared/model.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { EmailStore } from '../../store/emails.ts'
import type { InboxRef } from '../../store/inboxes.ts'

/** Maximum characters of a body to search. Matches after that get no excerpt. */
const MAX_SEARCHED_LENGTH = 64 * 1024
/** Characters searched at a time, and their overlap with the next stretch. */
const STRETCH = { length: 4096, overlap: 512 } as const
/**
 * `before`: characters shown before the word, few enough to keep it near the start of the row. `length`: characters
 * shown in total.
 */
const EXCERPT_LENGTHS = { before: 12, length: 200 } as const

const ASCII = /^[\0-\x7f]*$/

/** Quick check before the full one, since most stretches contain none of the terms. Non-ASCII text always passes. */
const mayContain = (stretch: string, terms: readonly WordTerm[]): boolean => {
  if (!ASCII.test(stretch)) return true
  const lower = stretch.toLowerCase()
  return terms.some(({ words }) => words.every((word) => lower.includes(word)))
}

const findFirstMatch = (body: string, terms: readonly WordTerm[]): number | null => {
  for (let from = 0; from < body.length; from += STRETCH.length - STRETCH.overlap) {
    // A word cut at either edge is complete in the neighbouring stretch.
    const stretch = body.slice(from, from + STRETCH.length)
    const first = from === 0 ? 0 : stretch.search(/\s/u)
    const last = from + STRETCH.length >= body.length ? stretch.length : stretch.search(/\s\S*$/u)
    const whole = first < 0 || last <= first ? stretch : stretch.slice(first, last)
    const [span] = mayContain(whole, terms) ? findWordSpans(whole, terms) : []
    if (span !== undefined) return from + Math.max(0, whole === stretch ? 0 : first) + span.start
  }
  return null
}

/** One line around the first search word that the subject doesn't contain; null if the body has none either. */
export const findExcerpt = (
  { subject, text, html }: Pick<SearchableEmail, 'subject' | 'text' | 'html'>,
  terms: readonly WordTerm[],
): string | null => {
  const wanted = terms.filter((term) => findWordSpans(subject ?? '', [term]).length === 0)
  if (wanted.length === 0) return null
  // The plain text may be much shorter than the HTML, for example a mere "view in browser" link.
  const plain = (text ?? '').slice(0, MAX_SEARCHED_LENGTH)
  const inPlain = findFirstMatch(plain, wanted)
  const body = inPlain === null ? htmlToWords((html ?? '').slice(0, MAX_SEARCHED_LENGTH)) : plain
  const at = inPlain ?? findFirstMatch(body, wanted)
  if (at === null) return null
  const near = body.slice(Math.max(0, at - EXCERPT_LENGTHS.before), at)
  const before = at <= EXCERPT_LENGTHS.before ? near : near.slice(Math.max(0, near.search(/\s/u)))
  const line = (before + body.slice(at, at + 2 * EXCERPT_LENGTHS.length))
    .replace(/^[>\s]+|\u034f|[\u200b\u200e\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const shown = Array.from(line).slice(0, EXCERPT_LENGTHS.length).join('')
  return at > EXCERPT_LENGTHS.before ? `… ${shown}` : shown
}

/** Maximum time to block the engine's thread, in milliseconds: HTML e-mails must be converted to text first. */
const TURN_MS = 10

/** Search excerpts for at least the first of these rows. @param until time to stop, by `performance.now()` */
export const readExcerpts = (
  emails: Pick<EmailStore, 'searchable'>,
  inbox: InboxRef,
  query: ThreadQuery,
  found: readonly LocalMatch[],
  until = performance.now() + TURN_MS,
): readonly ThreadExcerpt[] => {
  const terms = toWordTerms(query).filter(({ isExcluded }) => !isExcluded)
  const read: ThreadExcerpt[] = []
  for (const { threadId, emailId } of found) {
    const email = terms.length === 0 ? undefined : emails.searchable(inbox, threadId, emailId)
    read.push({ threadId, emailId, text: email === undefined ? null : findExcerpt(email, terms) })
    if (performance.now() >= until) break
  }
  return read
}
