import type { CommandOutput } from '../../../shared/contract.ts'
import type { MailParts } from '../parts.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { withMessage } from '../../platform/problem.ts'
import { EmailsUnsupportedError } from '../../sync/thread-sync.ts'
import { readHistory } from './thread-history.ts'
import { createProblem } from '../../../shared/result.ts'

type Conversation = CommandOutput<'thread.open'>

/** Maximum messages to mark as sent elsewhere; teammates don't send more while the thread is open. */
const MAX_SENT_ELSEWHERE = 5

/** A thread with its e-mails, from the cache if complete, otherwise from the platform. */
export const openThread = async (
  {
    cache,
    threads,
    remoteReplies,
    freshness,
    clock,
  }: Pick<MailParts, 'cache' | 'threads' | 'remoteReplies' | 'freshness' | 'clock'>,
  inbox: InboxRef,
  threadId: string,
): Promise<Conversation> => {
  const fromCache = (): Conversation | undefined => {
    const thread = cache.threads.get(inbox, threadId)
    if (thread === undefined) return undefined
    const emails = cache.emails.ofThread(inbox, threadId, thread.read)
    const sentElsewhere = remoteReplies.sentElsewhere(inbox, emails, MAX_SENT_ELSEWHERE).map(({ id }) => id)
    const history = readHistory(cache.webhookEvents.ofThread(inbox.id, threadId), cache.labels.byId(inbox.key))
    return {
      ...{ thread, emails, ...(sentElsewhere.length > 0 && { sentElsewhere }) },
      ...(history.length > 0 && { history }),
      freshness: freshness(threads.polledAt(inbox), inbox.id),
    }
  }
  /** The platform has removed the thread, so no e-mails will be added to the cached ones. */
  const isOnlyHere = (): boolean => cache.threads.currentState(inbox, threadId)?.onServer === false
  const enoughFromCache = (): Conversation | undefined => {
    const conversation = fromCache()
    return conversation !== undefined && (conversation.emails.length > 0 || isOnlyHere()) ? conversation : undefined
  }
  if (isOnlyHere() || cache.threads.emailsComplete(inbox, threadId)) {
    const conversation = enoughFromCache()
    if (conversation !== undefined) return conversation
  }
  const isThere = cache.threads.currentState(inbox, threadId) !== undefined
  if (!isThere && cache.deleted.has({ list: 'threads', inboxId: inbox.id, id: threadId })) {
    throw createProblem('not_found', 'This thread was deleted from this computer.')
  }
  if (!threads.mayOfferEmails(inbox)) throw new EmailsUnsupportedError()
  try {
    await threads.emails(inbox, threadId, 'action')
  } catch (thrown) {
    const conversation = enoughFromCache()
    if (conversation !== undefined) return conversation
    throw withMessage(thrown, {
      unreachable: 'You are offline, and this thread’s messages are not on this computer yet. Go online to read them.',
      not_found: 'This thread is no longer on the platform, and Linnet has no copy of its messages.',
    })
  }
  const conversation = fromCache()
  if (conversation === undefined) throw createProblem('not_found', 'This thread is no longer on the platform.')
  return { ...conversation, freshness: { state: 'live', at: clock.now() } }
}
