import { MOST_INBOX_PAGES } from '../api/inboxes.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { CallOptions } from '../api/requests.ts'
import type { FetchedThreadSummary } from '../api/threads.ts'
import { isNotFound, lacksOperation, PlatformRefusal, UnreadableAnswer } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import { FOLDERS } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
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

/** Finds out what a 404 was about, always by another question than the one that it answered. */
export interface Absence {
  /**
   * Whether an inbox is there: it can be searched, or the platform lists it.
   * @throws the platform's refusal where it has to be certain and cannot be
   */
  readonly inboxExists: (inboxId: string, priority: Priority, options?: HowSure) => Promise<boolean>
  /** The platform has just answered as only one that has the inbox does. */
  readonly sawInbox: (inboxId: string) => void
  /**
   * Asks for the thread itself. Where that is missing as well, a thread that the platform shows right now tells whether
   * threads can be asked for at all. A thread is missing only where the platform answered otherwise both before and
   * after it said so, or where it says so again after that: one that finds nothing for a moment has lost nothing.
   * @throws the platform's refusal where it has to be certain and cannot be
   */
  readonly ofThread: (inboxId: string, threadId: string, priority: Priority, options?: HowSure) => Promise<MissingPart>
}

/** A platform that answered this long ago is taken for one that is well. */
const RECENTLY_MS = 30_000

/** Whether the platform says of the inbox itself that it does not exist (contract, "Errors": `Inbox not found.`). */
const namesInbox = (thrown: unknown): boolean =>
  isNotFound(thrown) && thrown instanceof PlatformRefusal && /\binbox\b/i.test(String(thrown.problem.details?.platform))

/** An inbox that the platform lists and will not show. */
export class InboxWithheld extends ProblemError {
  constructor(cause: unknown) {
    super(
      {
        code: 'platform_failed',
        message: 'The platform lists an inbox without its threads. Linnet tries again.',
      },
      { cause },
    )
    this.name = 'InboxWithheld'
  }
}

/** Not even an inbox that the platform has listed: a fault of the platform's, or of what stands before it. */
class NothingFound extends ProblemError {
  constructor(cause: unknown) {
    super(
      { code: 'platform_failed', message: 'The platform shows none of your mail right now. Linnet tries again.' },
      { cause },
    )
    this.name = 'NothingFound'
  }
}

/**
 * @param signal ends every request
 * @param wasListed whether the platform has listed an inbox that is not known to be gone
 */
export const createAbsence = (
  platform: Pick<MailPlatform, 'searchThreads' | 'listInboxes' | 'getThread'>,
  abilities: Abilities,
  signal: AbortSignal,
  wasListed: (inboxId: string) => boolean,
): Absence => {
  const seenAt = new Map<string, number>()
  const options = (priority: Priority): CallOptions => ({ priority, signal })
  const sawInbox = (inboxId: string): void => void seenAt.set(inboxId, abilities.now())

  const isListed = async (inboxId: string, priority: Priority): Promise<boolean> => {
    let after: string | undefined
    for (let count = 0; count < MOST_INBOX_PAGES; count += 1) {
      const { items, hasMore } = await platform.listInboxes({ ...options(priority), after })
      if (items.some(({ id }) => id === inboxId)) return true
      const last = items.at(-1)?.id
      if (!hasMore || last === undefined || last === after) return false
      after = last
    }
    // Nothing is concluded from a list without an end.
    throw new UnreadableAnswer()
  }

  const lastSeen = (inboxId: string): number => seenAt.get(inboxId) ?? Number.NEGATIVE_INFINITY

  const inboxExists: Absence['inboxExists'] = async (inboxId, priority, { since, certain = false } = {}) => {
    if (since !== undefined && lastSeen(inboxId) > since) return true
    try {
      await platform.searchThreads(inboxId, {}, { ...options(priority), limit: 1 })
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      const listed = await isListed(inboxId, priority).catch((second: unknown) => {
        const cannotTell = lacksOperation(second) || (second instanceof PlatformRefusal && second.status === 403)
        if (!cannotTell) throw second
        if (namesInbox(thrown)) return false
        if (certain) throw thrown
        if (wasListed(inboxId)) throw new NothingFound(thrown)
        return false
      })
      if (!listed) return false
    }
    sawInbox(inboxId)
    return true
  }

  /** A thread that the platform shows right now, other than one; null where it shows none. */
  const findAnother = async (inboxId: string, threadId: string, priority: Priority): Promise<string | null> => {
    const page = await platform.searchThreads(inboxId, { folders: FOLDERS }, { ...options(priority), limit: 2 })
    sawInbox(inboxId)
    return page.items.find(({ thread }) => thread.id !== threadId)?.thread.id ?? null
  }

  /** The thread, where the platform has it. */
  const findThread = async (inboxId: string, threadId: string, priority: Priority): Promise<MissingPart | null> => {
    try {
      const summary = await platform.getThread(inboxId, threadId, options(priority))
      abilities.offered(inboxId, 'retrieve thread')
      sawInbox(inboxId)
      return { part: 'nothing', summary }
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      return null
    }
  }

  /** What is missing, by what the platform says of all but the thread. */
  const partBeside = async (
    inboxId: string,
    threadId: string,
    priority: Priority,
    certain: boolean,
  ): Promise<'inbox' | 'thread' | 'operation'> => {
    const since = abilities.now()
    if (abilities.belief(inboxId, 'retrieve thread') === 'offered') {
      return (await inboxExists(inboxId, priority, { since, certain })) ? 'thread' : 'inbox'
    }
    try {
      const another = await findAnother(inboxId, threadId, priority)
      if (another === null) return 'thread'
      await platform.getThread(inboxId, another, options(priority))
      abilities.offered(inboxId, 'retrieve thread')
      return 'thread'
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await inboxExists(inboxId, priority, { since, certain }))) return 'inbox'
      abilities.refused(inboxId, 'retrieve thread', since)
      if (certain && abilities.belief(inboxId, 'retrieve thread') !== 'seems missing') throw thrown
      return 'operation'
    }
  }

  const ofThread: Absence['ofThread'] = async (inboxId, threadId, priority, { certain = false } = {}) => {
    const wasSeen = abilities.now() - lastSeen(inboxId) < RECENTLY_MS
    const found = await findThread(inboxId, threadId, priority)
    if (found !== null) return found
    const part = await partBeside(inboxId, threadId, priority, certain)
    if (part !== 'thread' || (wasSeen && !certain)) return { part }
    return (await findThread(inboxId, threadId, priority)) ?? { part }
  }

  return { inboxExists, sawInbox, ofThread }
}
