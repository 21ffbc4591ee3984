import type { Thread } from '../../../shared/model.ts'
import { RemoteReplyCheck } from './remote-replies.ts'
import { DraftStore } from '../../own/drafts/draft-store.ts'
import { DraftTransfers } from './draft-transfers.ts'
import { Drafts } from './drafts.ts'
import { isBeingSent, countWaitingDrafts } from '../../own/drafts/local-draft.ts'
import { PlatformDrafts, withReplySubjects } from './platform-drafts.ts'
import { DraftSender } from './draft-sender.ts'
import type { WritingParts } from './writing-parts.ts'

export const createDraftServices = (directory: string, given: Omit<WritingParts, 'files'>) => {
  const { cache, hub, report, clock, signal } = given
  const threadHere = (inboxId: string, threadId: string): Pick<Thread, 'subject'> | undefined => {
    const inbox = cache.inboxes.get(inboxId)
    return inbox && cache.threads.get(inbox, threadId)
  }
  const changed = (inboxIds: readonly string[]): void => {
    hub.drafts(inboxIds)
    // The number of waiting drafts may have changed.
    hub.sync()
  }
  const files = new DraftStore(given.own, directory, changed, report)
  const parts: WritingParts = { ...given, files, platform: withReplySubjects(given.platform, threadHere) }
  const theirs = new PlatformDrafts(parts)
  const transfers = new DraftTransfers((inboxIds) => hub.drafts(inboxIds), clock, signal)
  const remoteReplies = new RemoteReplyCheck({ ...parts, theirs })
  const sending = new DraftSender({ ...parts, theirs, remoteReplies, transfers })
  const drafts = new Drafts({ ...parts, theirs, remoteReplies, transfers, sync: sending.sync })
  const countSending = (): number => files.all().filter(isBeingSent).length
  return {
    ...{ files, theirs, drafts, sending, remoteReplies, countSending },
    /** Number of messages held for undo or being sent, plus drafts waiting for the platform. */
    waiting: (isOnline: boolean): number => countSending() + countWaitingDrafts(files.all(), isOnline, clock.now()),
  }
}
