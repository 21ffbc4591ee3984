import { MOST_INBOX_PAGES } from '../api/inboxes.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { eachPage, type CallOptions } from '../api/requests.ts'
import type { FetchedThreadSummary } from '../api/threads.ts'
import { isNotFound, lacksOperation, PlatformRefusal, UnreadableAnswer } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import { FOLDERS } from '../../shared/model.ts'
import { problem } from '../saying.ts'
import type { Abilities } from './abilities.ts'

/** What is missing where an operation on a thread was answered with 404 or 405. */
export type MissingPart =
  | { readonly part: 'inbox' | 'thread' | 'operation' }
  /** The thread is there: `summary` is what the platform says of it. */
  | { readonly part: 'nothing'; readonly summary: FetchedThreadSummary }

/** How sure an answer has to be. */
interface HowSure {
  /** An answer that the inbox gave after this will do, `Clock.elapsed`. */
  readonly since?: number
  /**
   * Something is given up for it: where search and the list of inboxes cannot tell, only the platform's word that the
   * inbox itself is missing counts. A platform that finds nothing at all is in trouble, and nothing is concluded from it.
   */
  readonly certain?: boolean
}

/** A platform that answered this long ago is taken for one that is well. */
const RECENTLY_MS = 30_000

/** Whether the platform says of the inbox itself that it does not exist (contract, "Errors": `Inbox not found.`). */
const namesInbox = (thrown: unknown): boolean =>
  isNotFound(thrown) && thrown instanceof PlatformRefusal && /\binbox\b/i.test(String(thrown.problem.details?.platform))

const NOTHING_FOUND = 'The platform shows none of your mail right now. Linnet tries again.'

interface AbsenceParts {
  readonly platform: Pick<MailPlatform, 'searchThreads' | 'listInboxes' | 'getThread'>
  readonly abilities: Abilities
  /** Ends every request. */
  readonly signal: AbortSignal
  /** True if the platform has listed an inbox that is not known to be gone. */
  readonly wasListed: (inboxId: string) => boolean
}

/** Finds out what a 404 was about, always by another question than the one that it answered. */
export class Absence {
  readonly #parts: AbsenceParts
  readonly #seenAt = new Map<string, number>()

  constructor(parts: AbsenceParts) {
    this.#parts = parts
  }

  /**
   * Whether an inbox is there: it can be searched, or the platform lists it.
   * @throws the platform's refusal where it has to be certain and cannot be
   */
  async inboxExists(inboxId: string, priority: Priority, { since, certain = false }: HowSure = {}): Promise<boolean> {
    if (since !== undefined && this.#lastSeen(inboxId) > since) return true
    try {
      await this.#parts.platform.searchThreads(inboxId, {}, { ...this.#options(priority), limit: 1 })
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      const listed = await this.#isListed(inboxId, priority).catch((second: unknown) => {
        const cannotTell = lacksOperation(second) || (second instanceof PlatformRefusal && second.status === 403)
        if (!cannotTell) throw second
        if (namesInbox(thrown)) return false
        if (certain) throw thrown
        if (this.#parts.wasListed(inboxId)) throw problem('platform_failed', NOTHING_FOUND, thrown)
        return false
      })
      if (!listed) return false
    }
    this.sawInbox(inboxId)
    return true
  }

  /** The platform has just answered as only one that has the inbox does. */
  sawInbox(inboxId: string): void {
    this.#seenAt.set(inboxId, this.#parts.abilities.now())
  }

  /**
   * Asks for the thread itself. Where that is missing as well, a thread that the platform shows right now tells whether
   * threads can be asked for at all. A thread is missing only where the platform answered otherwise both before and
   * after it said so, or where it says so again after that: one that finds nothing for a moment has lost nothing.
   * @throws the platform's refusal where it has to be certain and cannot be
   */
  async ofThread(
    inboxId: string,
    threadId: string,
    priority: Priority,
    { certain = false }: HowSure = {},
  ): Promise<MissingPart> {
    const wasSeen = this.#parts.abilities.now() - this.#lastSeen(inboxId) < RECENTLY_MS
    const found = await this.#findThread(inboxId, threadId, priority)
    if (found !== null) return found
    const part = await this.#partBeside(inboxId, threadId, priority, certain)
    if (part !== 'thread' || (wasSeen && !certain)) return { part }
    return (await this.#findThread(inboxId, threadId, priority)) ?? { part }
  }

  #options(priority: Priority): CallOptions {
    return { priority, signal: this.#parts.signal }
  }

  #lastSeen(inboxId: string): number {
    return this.#seenAt.get(inboxId) ?? Number.NEGATIVE_INFINITY
  }

  async #isListed(inboxId: string, priority: Priority): Promise<boolean> {
    const fetchPage = (after: string | undefined) =>
      this.#parts.platform.listInboxes({ ...this.#options(priority), after })
    for await (const { items, hasMore } of eachPage(fetchPage, MOST_INBOX_PAGES)) {
      if (items.some(({ id }) => id === inboxId)) return true
      if (!hasMore || items.length === 0) return false
    }
    // Nothing is concluded from a list without an end.
    throw new UnreadableAnswer()
  }

  /** A thread that the platform shows right now, other than one; null where it shows none. */
  async #findAnother(inboxId: string, threadId: string, priority: Priority): Promise<string | null> {
    const options = { ...this.#options(priority), limit: 2 }
    const page = await this.#parts.platform.searchThreads(inboxId, { folders: FOLDERS }, options)
    this.sawInbox(inboxId)
    return page.items.find(({ thread }) => thread.id !== threadId)?.thread.id ?? null
  }

  /** The thread, where the platform has it. */
  async #findThread(inboxId: string, threadId: string, priority: Priority): Promise<MissingPart | null> {
    try {
      const summary = await this.#parts.platform.getThread(inboxId, threadId, this.#options(priority))
      this.#parts.abilities.offered(inboxId, 'retrieve thread')
      this.sawInbox(inboxId)
      return { part: 'nothing', summary }
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      return null
    }
  }

  /** What is missing, by what the platform says of all but the thread. */
  async #partBeside(
    inboxId: string,
    threadId: string,
    priority: Priority,
    certain: boolean,
  ): Promise<'inbox' | 'thread' | 'operation'> {
    const abilities = this.#parts.abilities
    const since = abilities.now()
    if (abilities.belief(inboxId, 'retrieve thread') === 'offered') {
      return (await this.inboxExists(inboxId, priority, { since, certain })) ? 'thread' : 'inbox'
    }
    try {
      const another = await this.#findAnother(inboxId, threadId, priority)
      if (another === null) return 'thread'
      await this.#parts.platform.getThread(inboxId, another, this.#options(priority))
      abilities.offered(inboxId, 'retrieve thread')
      return 'thread'
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await this.inboxExists(inboxId, priority, { since, certain }))) return 'inbox'
      abilities.refused(inboxId, 'retrieve thread', since)
      if (certain && abilities.belief(inboxId, 'retrieve thread') !== 'seems missing') throw thrown
      return 'operation'
    }
  }
}
