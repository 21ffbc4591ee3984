import type { LocalMatch, ThreadExcerpt } from '../../../shared/model.ts'
import { toWordTerms } from '../../../shared/search/highlight-terms.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { EmailStore } from '../../store/emails.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { findExcerpt } from './excerpt.ts'

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
