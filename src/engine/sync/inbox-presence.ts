import type { EventHub } from '../event-hub.ts'
import type { Problems } from '../problems/problems.ts'
import type { Cache } from '../store/cache.ts'

/** Marks inboxes that the platform has no more, and those that it has again, and tells the person. */
export interface InboxPresence {
  /** Call only where two different questions have shown it. */
  readonly isGone: (inboxId: string) => void
  readonly isBack: (inboxId: string) => void
}

export const createInboxPresence = (
  inboxes: Pick<Cache['inboxes'], 'get' | 'markGone' | 'markBack'>,
  hub: Pick<EventHub, 'inboxes'>,
  problems: Pick<Problems, 'raise' | 'clear'>,
): InboxPresence => {
  const problemId = (inboxId: string): string => `inbox-gone ${inboxId}`
  return {
    isGone: (inboxId) => {
      if (!inboxes.markGone(inboxId)) return
      const address = inboxes.get(inboxId)?.inbox.emailAddress ?? inboxId
      problems.raise({
        id: problemId(inboxId),
        code: 'not_found',
        message: `The inbox ${address} is no longer on the platform. Linnet keeps its mail.`,
      })
      hub.inboxes()
    },
    isBack: (inboxId) => {
      if (inboxes.markBack(inboxId)) hub.inboxes()
      problems.clear(problemId(inboxId))
    },
  }
}
