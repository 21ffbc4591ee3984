import { MOST_ARRIVED, type ArrivedMail } from '../../shared/arrived-mail.ts'
import type { Thread } from '../../shared/model.ts'
import type { FactStore } from '../store/facts.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import { isUnread } from '../store/touched-threads.ts'
import type { Clock } from '../timing/clock.ts'
import { throttled } from '../timing/throttle.ts'

/** What comes in one look at the platform is told together. Milliseconds. */
const GATHER_MS = 1_000

/** The platform's clock and this computer's. */
const CLOCKS_DIFFER_MS = 10 * 60_000

/** So often a notification waits for the rules, which want the messages first. */
const MOST_WAITS = 10

const nameOf = (inboxId: string): string => `told of ${inboxId}`

interface NewsParts {
  readonly facts: Pick<FactStore, 'number' | 'set'>
  /** A thread as it is here now. */
  readonly thread: (inboxId: string, threadId: string) => Thread | undefined
  /** Whether a rule wants a thread told, or not; null where none says so, `wait` where they have not looked at it yet. */
  readonly wanted: (inboxId: string, threadId: string) => boolean | 'wait' | null
  readonly tell: (mail: ArrivedMail) => void
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Tells of mail that is new to the person: each thread once for each time that mail has come into it. What is news is told
 * by time: of each inbox it is kept until when mail was told. Mail that was there before this computer had the inbox is no
 * news, however late it is read; mail that came while Linnet was closed is.
 */
export class News {
  readonly #parts: NewsParts
  readonly #waiting = new Map<string, Set<string>>()
  readonly #until = new Map<string, number>()
  /** How often each inbox has waited for its rules. */
  readonly #waits = new Map<string, number>()
  readonly #tellSoon: () => void

  constructor(parts: NewsParts) {
    this.#parts = parts
    this.#tellSoon = throttled(() => this.#tellWaiting(), parts.clock, parts.signal, { everyMs: GATHER_MS })
  }

  /** Threads are new here, or have new activity. @param threads with the time of it: a first sync brings many that are no news */
  arrived(inboxId: string, threads: ReadonlyMap<string, number>): void {
    if (threads.size === 0 || this.#parts.signal.aborted) return
    // Whatever comes later is newer than this moment.
    const since = this.#toldUntil(inboxId)
    const news = [...threads].filter(([, receivedAt]) => receivedAt > since)
    if (news.length === 0) return
    const gathered = this.#waiting.get(inboxId) ?? new Set()
    for (const [id] of news) gathered.add(id)
    this.#waiting.set(inboxId, gathered)
    this.#tellSoon()
  }

  #tellWaiting(): void {
    const all = [...this.#waiting]
    this.#waiting.clear()
    try {
      for (const [inboxId, threadIds] of all) this.#tellOf(inboxId, threadIds)
    } catch (thrown) {
      // A damaged cache is opened anew; its mail is told of then.
      if (!isCorrupt(thrown)) throw thrown
    }
  }

  #tellOf(inboxId: string, threadIds: ReadonlySet<string>): void {
    const { thread, tell, clock, wanted } = this.#parts
    if (this.#waitsForRules(inboxId, threadIds)) return
    const since = this.#toldUntil(inboxId)
    const news = [...threadIds]
      .flatMap((id) => thread(inboxId, id) ?? [])
      // What was read or moved meanwhile, here or elsewhere, is known to somebody.
      .filter((each) => {
        const wish = wanted(inboxId, each.id)
        return wish !== false && (wish === true || isUnread(each)) && each.onServer && each.receivedAt > since
      })
      .toSorted((a, b) => b.receivedAt - a.receivedAt)
    const [newest] = news
    if (newest === undefined) return
    // Before it is told: an end in between costs a notice, and never tells one again and again. A time far ahead silences nothing.
    this.#tellUntil(inboxId, Math.min(newest.receivedAt, clock.now() + CLOCKS_DIFFER_MS))
    tell({
      inboxId,
      count: news.length,
      threads: news.slice(0, MOST_ARRIVED).map(({ id, from, subject, snippet, labels }) => ({
        ...{ threadId: id, from, subject, snippet },
        labelNames: labels.map(({ name }) => name),
      })),
    })
  }

  /** All of an inbox wait together: what is told later would be no news beside what was told first. */
  #waitsForRules(inboxId: string, threadIds: ReadonlySet<string>): boolean {
    const waits = this.#waits.get(inboxId) ?? 0
    this.#waits.delete(inboxId)
    if (waits >= MOST_WAITS || ![...threadIds].some((id) => this.#parts.wanted(inboxId, id) === 'wait')) return false
    this.#waits.set(inboxId, waits + 1)
    this.#waiting.set(inboxId, new Set([...threadIds, ...(this.#waiting.get(inboxId) ?? [])]))
    this.#tellSoon()
    return true
  }

  #toldUntil(inboxId: string): number {
    const { facts, clock } = this.#parts
    const known = this.#until.get(inboxId) ?? facts.number(nameOf(inboxId))
    if (known !== null) return known
    const since = clock.now()
    this.#tellUntil(inboxId, since)
    return since
  }

  #tellUntil(inboxId: string, time: number): void {
    this.#until.set(inboxId, time)
    try {
      this.#parts.facts.set(nameOf(inboxId), time)
    } catch (thrown) {
      // A full disk costs a second notice after the next start, and is told of by whatever needs it.
      if (isCorrupt(thrown)) throw thrown
    }
  }
}
