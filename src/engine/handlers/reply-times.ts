import type { DomainHandlers } from '../../shared/contract.ts'
import type { OpenAccount } from '../account.ts'
import type { OwnPart } from '../account-own.ts'
import { createLocalClock } from '../timing/clock.ts'
import {
  type ReplyTimes,
  findFirstReply,
  type FirstReplies,
  type InboxReplyTimes,
  computeMedian,
  findOldestUnansweredTime,
} from '../../shared/reply-times.ts'
import { NO_FILTER } from '../../shared/thread-query.ts'
import { resolveQuery } from '../store/search-index/search-query.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { createYielder } from '../timing/turns.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Threads checked per batch for mail from a person. */
const BATCH_SIZE = 20
/** Maximum number of waiting threads to check, to bound the search if most are newsletters and automated mail. */
const MAX_WAITING = 2_000

interface Times {
  readonly threadKey: number
  readonly inboxKey: number
  readonly folder: string
  readonly received: number[]
  readonly sent: number[]
}

interface ReplyTimesParts {
  readonly cache: Pick<Cache, 'inboxes' | 'threads' | 'search' | 'threadSearch' | 'answeredThreads' | 'backlog'>
  readonly clock: Parameters<typeof resolveQuery>[1]
  readonly now: number
  readonly signal: AbortSignal
}

/** Times of the e-mails in all threads. Yields to the event loop every few milliseconds. */
const readTimes = async (
  { cache: { answeredThreads }, signal }: ReplyTimesParts,
  yieldTurn: () => Promise<void>,
): Promise<readonly Times[]> => {
  const times = new Map<number, Times>()
  for (let after = 0; ;) {
    const some = answeredThreads.threadsAfter(after)
    for (const thread of some) {
      if (thread.folder !== 'spam' && thread.folder !== 'trash') {
        times.set(thread.threadKey, { ...thread, received: [], sent: [] })
      }
    }
    const last = some.at(-1)
    if (last === undefined) break
    after = last.threadKey
    await yieldTurn()
    signal.throwIfAborted()
  }
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const some = answeredThreads.emailsAfter(after)
    for (const { threadKey, receivedAt, isOutbound } of some) {
      times.get(threadKey)?.[isOutbound === 1 ? 'sent' : 'received'].push(receivedAt)
    }
    const last = some.at(-1)
    if (last === undefined) break
    after = last.document
    await yieldTurn()
    signal.throwIfAborted()
  }
  return [...times.values()]
}

const summarizeReplies = (
  answers: readonly { readonly at: number; readonly took: number }[],
  since: number,
): FirstReplies => {
  const took = answers.flatMap((answer) => (answer.at >= since ? [answer.took] : []))
  return { threads: took.length, median: computeMedian(took) }
}

/** The longest-waiting thread whose mail is from a person and completely stored. */
const findLongestWaiting = async (
  { cache, clock, signal }: ReplyTimesParts,
  inbox: InboxRef,
  waiting: readonly { readonly threadKey: number; readonly since: number }[],
  yieldTurn: () => Promise<void>,
): Promise<InboxReplyTimes['longest']> => {
  const query = resolveQuery({ ...NO_FILTER, inboxIds: [inbox.id], folders: ['inbox'], kinds: ['person'] }, clock)
  for (let at = 0; at < Math.min(waiting.length, MAX_WAITING); at += BATCH_SIZE) {
    const some = waiting.slice(at, at + BATCH_SIZE).flatMap(({ threadKey, since }) => {
      const id = cache.answeredThreads.idOf(threadKey)
      return id === undefined ? [] : [{ id, since }]
    })
    const found = cache.threadSearch
      .matching(
        query,
        some.map(({ id }) => id),
      )
      .find(({ emailId }) => emailId !== null)
    if (found !== undefined) {
      const subject = cache.threads.get(inbox, found.id)?.subject ?? null
      return { threadId: found.id, subject, since: some.find(({ id }) => id === found.id)?.since ?? found.time }
    }
    await yieldTurn()
    signal.throwIfAborted()
  }
  return null
}

/** Response times and the longest wait, from local mail only. */
const readReplyTimes = async (parts: ReplyTimesParts): Promise<ReplyTimes> => {
  const { cache, now } = parts
  const yieldTurn = createYielder()
  const all = await readTimes(parts, yieldTurn)
  const inboxes: InboxReplyTimes[] = []
  // Number of threads left out because their messages aren't fetched yet.
  let lacking = 0
  for (const inbox of cache.inboxes.all()) {
    const answers: { readonly at: number; readonly took: number }[] = []
    const waiting: { readonly threadKey: number; readonly since: number }[] = []
    let count = 0
    for (const times of all) {
      // Checking the clock for each thread would cost more than the work.
      if ((count += 1) % 256 === 0) await yieldTurn()
      if (times.inboxKey !== inbox.key) continue
      const answer = findFirstReply(times)
      if (answer !== null) answers.push(answer)
      const since = times.folder === 'inbox' ? findOldestUnansweredTime(times) : null
      if (since !== null) waiting.push({ threadKey: times.threadKey, since })
    }
    waiting.sort((one, other) => one.since - other.since)
    lacking += cache.backlog.count(inbox.key, now - 30 * DAY_MS)
    inboxes.push({
      inboxId: inbox.id,
      week: summarizeReplies(answers, now - 7 * DAY_MS),
      month: summarizeReplies(answers, now - 30 * DAY_MS),
      longest: await findLongestWaiting(parts, inbox, waiting, yieldTurn),
    })
  }
  return { inboxes, waiting: cache.search.countUnindexed() + lacking }
}

export const createReplyTimeHandlers = (
  { cache }: OwnPart,
  { clock, signal }: Pick<OpenAccount, 'clock' | 'signal'>,
): DomainHandlers<'answer'> => ({
  'answer.times': () => readReplyTimes({ cache, clock: createLocalClock(clock.now)(), now: clock.now(), signal }),
})
