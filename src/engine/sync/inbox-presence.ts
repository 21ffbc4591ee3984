import type { EventHub } from '../own/event-hub.ts'
import type { Problems } from '../own/problems.ts'
import type { Cache } from '../store/cache.ts'

const problemId = (inboxId: string): string => `inbox-gone ${inboxId}`

export class InboxPresence {
  readonly #inboxes: Pick<Cache['inboxes'], 'get' | 'markGone' | 'markReturned'>
  readonly #hub: Pick<EventHub, 'inboxes'>
  readonly #problems: Pick<Problems, 'raise' | 'clear'>

  constructor(
    inboxes: Pick<Cache['inboxes'], 'get' | 'markGone' | 'markReturned'>,
    hub: Pick<EventHub, 'inboxes'>,
    problems: Pick<Problems, 'raise' | 'clear'>,
  ) {
    this.#inboxes = inboxes
    this.#hub = hub
    this.#problems = problems
  }

  /** Marks an inbox as gone. Call only after two different requests have confirmed it. */
  isGone(inboxId: string): void {
    if (!this.#inboxes.markGone(inboxId)) return
    const address = this.#inboxes.get(inboxId)?.inbox.emailAddress ?? inboxId
    this.#problems.raise({
      id: problemId(inboxId),
      code: 'not_found',
      message: `The inbox ${address} is no longer on the platform. Linnet keeps its mail.`,
    })
    this.#hub.inboxes()
  }

  isBack(inboxId: string): void {
    if (this.#inboxes.markReturned(inboxId)) this.#hub.inboxes()
    this.#problems.clear(problemId(inboxId))
  }
}
