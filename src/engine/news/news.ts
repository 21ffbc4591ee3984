import { MOST_ARRIVED, type ArrivedMail } from '../../shared/arrived-mail.ts'
import type { Thread } from '../../shared/model.ts'
import type { FactStore } from '../store/facts.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import { isUnread } from '../store/touched-threads.ts'
import type { Clock } from '../timing/clock.ts'
import { throttled } from '../timing/throttle.ts'

/** Tells of mail that is new to the person: each thread once for each time that mail has come into it. */
export interface News {
  /** Threads are new here, or have new activity. */
  readonly arrived: (inboxId: string, threadIds: ReadonlySet<string>) => void
}

/** What comes in one look at the platform is told together. Milliseconds. */
const GATHER_MS = 1_000

/** The platform's clock and this computer's. */
const CLOCKS_DIFFER_MS = 10 * 60_000

const nameOf = (inboxId: string): string => `told of ${inboxId}`

/**
 * What is news is told by time: of each inbox it is kept until when mail was told. Mail that was there before this computer had
 * the inbox is no news, however late it is read; mail that came while Linnet was closed is.
 * @param thread as it is here now
 */
export const createNews = ({
  facts,
  thread,
  tell,
  signal,
  clock,
}: {
  readonly facts: Pick<FactStore, 'number' | 'set'>
  readonly thread: (inboxId: string, threadId: string) => Thread | undefined
  readonly tell: (mail: ArrivedMail) => void
  readonly signal: AbortSignal
  readonly clock: Clock
}): News => {
  const { now } = clock
  const waiting = new Map<string, Set<string>>()

  const until = new Map<string, number>()
  const tellUntil = (inboxId: string, time: number): void => {
    until.set(inboxId, time)
    try {
      facts.set(nameOf(inboxId), time)
    } catch (thrown) {
      // A full disk costs a second notice after the next start, and is told of by whatever needs it.
      if (isCorrupt(thrown)) throw thrown
    }
  }
  const toldUntil = (inboxId: string): number => {
    const known = until.get(inboxId) ?? facts.number(nameOf(inboxId))
    if (known !== null) return known
    const since = now()
    tellUntil(inboxId, since)
    return since
  }

  const tellOf = (inboxId: string, threadIds: ReadonlySet<string>): void => {
    const since = toldUntil(inboxId)
    const news = [...threadIds]
      .flatMap((id) => thread(inboxId, id) ?? [])
      // What was read or moved meanwhile, here or elsewhere, is known to somebody.
      .filter((each) => isUnread(each) && each.onServer && each.receivedAt > since)
      .toSorted((a, b) => b.receivedAt - a.receivedAt)
    const [newest] = news
    if (newest === undefined) return
    // Before it is told: an end in between costs a notice, and never tells one again and again. A time far ahead silences nothing.
    tellUntil(inboxId, Math.min(newest.receivedAt, now() + CLOCKS_DIFFER_MS))
    tell({
      inboxId,
      count: news.length,
      threads: news.slice(0, MOST_ARRIVED).map(({ id, from, subject, snippet, labels }) => ({
        ...{ threadId: id, from, subject, snippet },
        labelNames: labels.map(({ name }) => name),
      })),
    })
  }

  const tellSoon = throttled(
    () => {
      const all = [...waiting]
      waiting.clear()
      try {
        for (const [inboxId, threadIds] of all) tellOf(inboxId, threadIds)
      } catch (thrown) {
        // A damaged cache is opened anew; its mail is told of then.
        if (!isCorrupt(thrown)) throw thrown
      }
    },
    clock,
    signal,
    { everyMs: GATHER_MS },
  )

  return {
    arrived: (inboxId, threadIds) => {
      if (threadIds.size === 0 || signal.aborted) return
      // Whatever comes later is newer than this moment.
      toldUntil(inboxId)
      const gathered = waiting.get(inboxId) ?? new Set()
      for (const id of threadIds) gathered.add(id)
      waiting.set(inboxId, gathered)
      tellSoon()
    },
  }
}
