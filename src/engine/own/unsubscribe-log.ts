import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { UNSUBSCRIBE_OUTCOMES, type UnsubscribeRecord } from '../../shared/unsubscribe.ts'
import { LocalList, type LocalLists } from './local-list.ts'

export interface UnsubscribeRequest extends UnsubscribeRecord {
  readonly id: string
  /** Identifies the list and its recipient. */
  readonly key: string
  /** Draft of the unsubscribe message; null for a request to the list's server. */
  readonly draftId: string | null
}

const entry: z.ZodType<UnsubscribeRequest> = z.object({
  id: z.string().min(1),
  key: z.string().min(1).max(4_000),
  to: z.string().max(1_000),
  at: z.number(),
  outcome: z.enum(UNSUBSCRIBE_OUTCOMES),
  status: z.number().nullable(),
  leadsTo: z.string().max(253).nullable(),
  draftId: z.string().nullable(),
})

/** Maximum requests to keep, more than anyone needs; the oldest are dropped. */
const MAX = 2_000

const isDone = ({ outcome }: UnsubscribeRecord): boolean => outcome === 'accepted' || outcome === 'sent'

/** Unsubscribe requests made on this computer. Not a cache: they exist nowhere else. */
export class UnsubscribeLog {
  readonly #list: LocalList<UnsubscribeRequest>
  /** Requests without a response yet, whose outcome is still unknown. */
  readonly #waiting = new Set<string>()

  constructor(own: LocalLists, changed: () => void) {
    this.#list = new LocalList(own, 'unsubscribed', entry, changed)
  }

  /** The last request to a list. A successful one takes precedence over later failures. */
  lastOf(key: string): UnsubscribeRecord | null {
    const asked = this.#list.entries.filter(
      (each) => each.key === key && each.outcome !== 'begun' && !this.#waiting.has(each.id),
    )
    const last = asked.find(isDone) ?? asked[0]
    if (last === undefined) return null
    const { to, at, outcome, status, leadsTo } = last
    return { to, at, outcome, status, leadsTo }
  }

  /**
   * Adds a request, which is on disk when this returns. @param isWaiting hides it until `update` or a restart @throws
   * disk errors
   */
  add(asked: Omit<UnsubscribeRequest, 'id'>, isWaiting = false): UnsubscribeRequest {
    const added = { id: randomUUID(), ...asked }
    if (isWaiting) this.#waiting.add(added.id)
    this.#list.set([added, ...this.#list.entries].slice(0, MAX))
    return added
  }

  /** Stores the request's outcome. @throws disk errors */
  update(asked: UnsubscribeRequest): void {
    this.#waiting.delete(asked.id)
    this.#list.rewrite((each) => (each.id === asked.id ? asked : each))
  }

  /** Removes a request that was never sent. @throws disk errors */
  withdraw({ id }: UnsubscribeRequest): void {
    this.#waiting.delete(id)
    this.#list.drop((each) => each.id === id)
  }

  /** The request whose unsubscribe message is in this draft and not sent yet; undefined for any other draft. */
  begunIn(draftId: string): UnsubscribeRequest | undefined {
    return this.#list.entries.find((each) => each.draftId === draftId && each.outcome === 'begun')
  }
}
