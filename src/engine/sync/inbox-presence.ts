import type { EventHub } from '../own/event-hub.ts'
import type { Problems } from '../own/problems.ts'
import type { Cache } from '../store/cache.ts'

const problemId = (inboxId: string): string => `inbox-gone ${inboxId}`

interface PresenceParts {
  readonly cache: Pick<Cache, 'inboxes'>
  readonly hub: Pick<EventHub, 'inboxes'>
  readonly problems: Pick<Problems, 'raise' | 'clear'>
}

export class InboxPresence {
  readonly #parts: PresenceParts

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** Marks an inbox as gone. Call only after two different requests have confirmed it. */
  isGone(inboxId: string): void {
    const { cache, hub, problems } = this.#parts
    if (!cache.inboxes.markGone(inboxId)) return
    const address = cache.inboxes.get(inboxId)?.inbox.emailAddress ?? inboxId
    problems.raise({
      id: problemId(inboxId),
      code: 'not_found',
      message: `The inbox ${address} is no longer on the platform. Linnet keeps its mail.`,
    })
    hub.inboxes()
  }

  isBack(inboxId: string): void {
    const { cache, hub, problems } = this.#parts
    if (cache.inboxes.markReturned(inboxId)) hub.inboxes()
    problems.clear(problemId(inboxId))
  }
}
