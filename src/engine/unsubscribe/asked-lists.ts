import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { UNSUBSCRIBE_OUTCOMES, type Unsubscribed } from '../../shared/unsubscribing.ts'
import { OwnList, type OwnLists } from '../store/own-list.ts'

export interface AskedList extends Unsubscribed {
  readonly id: string
  /** The list, and whom it writes to. */
  readonly key: string
  /** Of the message to it; null where its server was asked. */
  readonly draftId: string | null
}

const entry: z.ZodType<AskedList> = z.object({
  id: z.string().min(1),
  key: z.string().min(1).max(4_000),
  to: z.string().max(1_000),
  at: z.number(),
  outcome: z.enum(UNSUBSCRIBE_OUTCOMES),
  status: z.number().nullable(),
  leadsTo: z.string().max(253).nullable(),
  draftId: z.string().nullable(),
})

/** More than anybody asks; the oldest make room. */
const MOST = 2_000

const isDone = ({ outcome }: Unsubscribed): boolean => outcome === 'accepted' || outcome === 'sent'

/** Each once, newest first. */
const tidy = (asked: readonly AskedList[]): readonly AskedList[] =>
  [...new Map(asked.map((each) => [each.id, each])).values()].toSorted((one, other) => other.at - one.at).slice(0, MOST)

/** The requests to lists that were made on this computer. No cache: nobody else knows of them. */
export class AskedLists {
  readonly #list: OwnList<AskedList>
  readonly #changed: () => void
  #asked: readonly AskedList[]
  /** Those that are not answered yet, as nobody can say what will come of them. */
  readonly #waiting = new Set<string>()

  /** @param changed is told after each change */
  constructor(own: OwnLists, changed: () => void) {
    this.#list = new OwnList(own, 'unsubscribed', entry)
    this.#changed = changed
    this.#asked = tidy(this.#list.read())
  }

  /** What a list was last asked; a later attempt that came to nothing does not hide that it was left. */
  lastOf(key: string): Unsubscribed | null {
    const asked = this.#asked.filter(
      (each) => each.key === key && each.outcome !== 'begun' && !this.#waiting.has(each.id),
    )
    const last = asked.find(isDone) ?? asked[0]
    if (last === undefined) return null
    const { to, at, outcome, status, leadsTo } = last
    return { to, at, outcome, status, leadsTo }
  }

  /**
   * On the disk when it returns.
   * @param isWaiting it is only said of once it is updated, or after the next start
   * @throws what the disk throws
   */
  add(asked: Omit<AskedList, 'id'>, isWaiting = false): AskedList {
    const added = { id: randomUUID(), ...asked }
    if (isWaiting) this.#waiting.add(added.id)
    this.#keep([added, ...this.#asked])
    return added
  }

  /** The same request, with what became of it. @throws what the disk throws */
  update(asked: AskedList): void {
    this.#waiting.delete(asked.id)
    this.#keep(this.#asked.map((each) => (each.id === asked.id ? asked : each)))
  }

  /** Nothing was sent after all. @throws what the disk throws */
  withdraw({ id }: AskedList): void {
    this.#waiting.delete(id)
    this.#keep(this.#asked.filter((each) => each.id !== id))
  }

  /** The message to a list that is still a draft; undefined where the draft is for something else. */
  begunIn(draftId: string): AskedList | undefined {
    return this.#asked.find((each) => each.draftId === draftId && each.outcome === 'begun')
  }

  #keep(next: readonly AskedList[]): void {
    const tidied = tidy(next)
    this.#list.write(tidied)
    this.#asked = tidied
    this.#changed()
  }
}
