import type { FoundHere, ThreadExcerpt } from '../../shared/model.ts'
import { wordTermsOf } from '../../shared/search/mark-words.ts'
import type { ThreadQuery } from '../../shared/thread-query.ts'
import type { EmailStore } from '../store/emails.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { excerptOf } from './excerpt.ts'

/** The longest time for which the engine's thread does nothing else: a formatted e-mail has to be read for its words first. */
const TURN_MS = 10

/**
 * What stands around the words of a search in e-mails that were found.
 * @param until `performance.now()` from which on no more are read
 * @returns of the first of them, in their order: of one at least, so that whoever asks for the rest comes to an end
 */
export const readExcerpts = (
  emails: Pick<EmailStore, 'searchable'>,
  inbox: InboxRef,
  query: ThreadQuery,
  found: readonly FoundHere[],
  until = performance.now() + TURN_MS,
): readonly ThreadExcerpt[] => {
  const terms = wordTermsOf(query).filter(({ isExcluded }) => !isExcluded)
  const read: ThreadExcerpt[] = []
  for (const { threadId, emailId } of found) {
    const email = terms.length === 0 ? undefined : emails.searchable(inbox, threadId, emailId)
    read.push({ threadId, emailId, text: email === undefined ? null : excerptOf(email, terms) })
    if (performance.now() >= until) break
  }
  return read
}
