import { z } from 'zod'
import { parseJsonAs } from '../../../shared/parse-json.ts'
import { toPlatformReplySubject } from '../../../shared/reply-recipients.ts'
import type { Thread } from '../../../shared/model.ts'
import type { ListedDraft } from '../../platform/resources/drafts.ts'
import type { MailPlatform } from '../../platform/mail-platform.ts'
import { lacksOperation, PlatformRefusalError } from '../../platform/platform-problem.ts'
import type { Priority } from '../../platform/request-budget.ts'
import type { CallOptions } from '../../platform/requests.ts'
import { RepeatedPageGuard } from '../../own/repeated-pages.ts'
import { Loop, type EngineService, type EventListeners } from '../../timing/loop.ts'
import { nullIfNotFound } from './draft-copy.ts'
import type { WritingParts } from './writing-parts.ts'
import { attempt } from '../../store/storage-problem.ts'

/** Minimum interval between two reads of an inbox's list at a window's request. */
const FRESH_MS = 5_000
/** Minimum interval between reads when the inbox's threads change. */
const AFTER_CHANGES_MS = 60_000
/** Minimum interval between reads of a list when nothing changes, and between reads of any two lists. */
const EVERY_MS = 4 * 60_000
const BETWEEN_MS = 60_000
/** More drafts than any inbox has. */
const MAX_DRAFTS = 1_000

const keptList = z.custom<readonly ListedDraft[]>(Array.isArray)
const keyOf = (inboxId: string): string => `drafts ${inboxId}`

const isGoneOrSent = (thrown: unknown): boolean =>
  lacksOperation(thrown) ||
  (thrown instanceof PlatformRefusalError && thrown.status === 409 && thrown.problem.code === 'refused')

/**
 * Gives reply drafts that lack a subject the one that the platform will send: `Re:` and the thread's subject
 * (platform.md 14.6). For an opened draft, the thread is fetched if not cached, because the draft keeps this subject.
 */
export const withReplySubjects = <Platform extends Pick<MailPlatform, 'listDrafts' | 'getDraft' | 'getThread'>>(
  platform: Platform,
  threadHere: (inboxId: string, threadId: string) => Pick<Thread, 'subject'> | undefined,
): Platform => {
  const withSubject = <Draft extends object>(draft: Draft, thread: Pick<Thread, 'subject'> | undefined): Draft =>
    thread === undefined ? draft : { ...draft, subject: toPlatformReplySubject(thread.subject) }
  return {
    ...platform,
    listDrafts: async (inboxId, options) => {
      const page = await platform.listDrafts(inboxId, options)
      const items = page.items.map((draft) =>
        draft.subject !== null || draft.threadId === null
          ? draft
          : withSubject(draft, threadHere(inboxId, draft.threadId)),
      )
      return { ...page, items }
    },
    getDraft: async (inboxId, draftId, options) => {
      const draft = await platform.getDraft(inboxId, draftId, options)
      const { subject, threadId } = draft
      if (subject !== null || threadId === null) return draft
      const thread =
        threadHere(inboxId, threadId) ?? (await nullIfNotFound(platform.getThread(inboxId, threadId, options)))
      return withSubject(draft, thread ?? { subject: null })
    },
  }
}

type Listener = (inboxId: string, drafts: readonly ListedDraft[]) => void

/** The drafts on the platform: from colleagues, the platform's agent, and this computer. */
export class PlatformDrafts implements EngineService {
  readonly listeners: EventListeners = {
    // Drafts may have changed along with the threads.
    'threads.changed': ({ inboxId }) => {
      if (this.#readAt.has(inboxId)) this.refreshIfOlder(inboxId, AFTER_CHANGES_MS)
    },
  }
  readonly #parts: WritingParts
  readonly #lists = new Map<string, readonly ListedDraft[]>()
  readonly #readAt = new Map<string, number>()
  /** Start times of each list's last complete read. */
  readonly #completeReadAt = new Map<string, number>()
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Drafts sent or deleted since the start. A list response already in flight may still contain them. */
  readonly #gone = new Set<string>()
  /** When each requested list is read next, by `clock.elapsed`. */
  readonly #dueAt = new Map<string, number>()
  readonly #reading: Loop
  readonly #repeatedPages: RepeatedPageGuard
  #listener: Listener = () => undefined

  constructor(parts: WritingParts) {
    this.#parts = parts
    this.#repeatedPages = new RepeatedPageGuard(parts.problems)
    this.#reading = new Loop(parts.clock, { unref: true })
  }

  start(): void {
    const { report, signal } = this.#parts
    this.#reading.start({ step: () => this.#readDue(), report, retryIn: EVERY_MS, signal })
  }

  async ended(): Promise<void> {
    await this.#reading.ended()
    await Promise.all(this.#inFlight.values())
  }

  /** Sets the listener for complete reads of an inbox's drafts. */
  onRead(listener: Listener): void {
    this.#listener = listener
  }

  of(inboxId: string): readonly ListedDraft[] {
    const known = this.#lists.get(inboxId)
    if (known !== undefined) return known
    const stored = parseJsonAs(keptList, this.#parts.cache.accountMeta.get(keyOf(inboxId)) ?? '[]') ?? []
    this.#lists.set(inboxId, stored)
    return stored
  }

  find(draftId: string): { readonly inboxId: string; readonly draft: ListedDraft } | null {
    for (const { inbox } of this.#parts.cache.inboxes.all()) {
      const draft = this.of(inbox.id).find(({ id }) => id === draftId)
      if (draft !== undefined) return { inboxId: inbox.id, draft }
    }
    return null
  }

  /** Refreshes an inbox's drafts, delayed after a recent read. Failures change nothing; sync reports them. */
  refresh(inboxId: string): void {
    const next = (this.#readAt.get(inboxId) ?? -Infinity) + FRESH_MS
    this.#dueAt.set(inboxId, Math.min(this.#dueAt.get(inboxId) ?? Infinity, next))
    this.#reading.wake()
  }

  /** Refreshes an inbox's drafts unless a read started within `age` milliseconds. */
  refreshIfOlder(inboxId: string, age: number, priority: Priority = 'sync'): void {
    const { clock, signal } = this.#parts
    const now = clock.elapsed()
    const readAt = this.#readAt.get(inboxId) ?? -Infinity
    if (signal.aborted || this.#inFlight.has(inboxId) || now - readAt < age) return
    this.#readAt.set(inboxId, now)
    this.#dueAt.set(inboxId, now + Math.max(EVERY_MS, this.#dueAt.size * BETWEEN_MS))
    const reading = this.#read(inboxId, priority).finally(() => this.#inFlight.delete(inboxId))
    this.#inFlight.set(inboxId, reading)
  }

  /** Like `refreshIfOlder`, for a waiting user. @returns false if the platform didn't return a list that fresh */
  async look(inboxId: string, age: number): Promise<boolean> {
    const since = this.#parts.clock.elapsed() - age
    this.refreshIfOlder(inboxId, age, 'action')
    await this.#inFlight.get(inboxId)
    return (this.#completeReadAt.get(inboxId) ?? -Infinity) >= since
  }

  /** Deletes a draft on the platform and stops listing it. Not an error if it is already gone or sent. */
  async delete(
    { inboxId, id }: { readonly inboxId: string; readonly id: string },
    options: CallOptions,
  ): Promise<void> {
    try {
      await this.#parts.platform.deleteDraft(inboxId, id, options)
    } catch (thrown) {
      if (!isGoneOrSent(thrown)) throw thrown
    }
    this.drop(id)
  }

  /** Stops listing a sent or deleted draft, even if a response in flight still contains it. */
  drop(draftId: string): void {
    this.#gone.add(draftId)
    const found = this.find(draftId)
    if (found === null) return
    const { inboxId } = found
    this.#keep(
      inboxId,
      this.of(inboxId).filter(({ id }) => id !== draftId),
    )
  }

  /** @returns milliseconds until the next read; null if no window has requested a list */
  #readDue(): number | null {
    const now = this.#parts.clock.elapsed()
    for (const [inboxId, at] of this.#dueAt) {
      if (at > now) continue
      this.#dueAt.set(inboxId, now + FRESH_MS)
      this.refreshIfOlder(inboxId, 0)
    }
    const next = Math.min(...this.#dueAt.values())
    return Number.isFinite(next) ? next - now : null
  }

  async #read(inboxId: string, priority: Priority): Promise<void> {
    const { hub, report, clock, signal } = this.#parts
    const askedAt = clock.elapsed()
    try {
      const { listed, isWhole } = await this.#fetchAll(inboxId, priority)
      if (signal.aborted) return
      if (isWhole) this.#completeReadAt.set(inboxId, askedAt)
      // Drafts missing from an incomplete or unreadable list may still exist.
      const kept = isWhole ? [] : this.of(inboxId).filter(({ id }) => !listed.has(id))
      const drafts = [...listed.values(), ...kept].filter(({ id }) => !this.#gone.has(id))
      const isAsBefore = JSON.stringify(drafts) === JSON.stringify(this.of(inboxId))
      if (!isAsBefore) this.#keep(inboxId, drafts)
      this.#listener(inboxId, drafts)
      if (!isAsBefore) hub.drafts([inboxId])
    } catch (thrown) {
      if (signal.aborted) return
      // Not an error: this platform has no drafts.
      if (lacksOperation(thrown)) return
      if (!(thrown instanceof Error && 'problem' in thrown)) report(thrown)
    }
  }

  async #fetchAll(inboxId: string, priority: Priority) {
    const { platform, signal } = this.#parts
    const listed = new Map<string, ListedDraft>()
    let isWhole = true
    let after: string | undefined
    do {
      const page = await this.#repeatedPages.fetch(`drafts ${inboxId}`, 'drafts', after, (cursor) =>
        platform.listDrafts(inboxId, { priority, signal, after: cursor }),
      )
      for (const item of page.items) listed.set(item.id, item)
      isWhole &&= page.isWhole && listed.size <= MAX_DRAFTS
      after = page.hasMore && listed.size <= MAX_DRAFTS ? page.items.at(-1)?.id : undefined
    } while (after !== undefined)
    return { listed, isWhole }
  }

  /** Stores a list, also for offline use. A full disk doesn't stop it from being shown now. */
  #keep(inboxId: string, drafts: readonly ListedDraft[]): void {
    const { cache, report } = this.#parts
    this.#lists.set(inboxId, drafts)
    attempt(() => cache.accountMeta.set(keyOf(inboxId), JSON.stringify(drafts)), report)
  }
}
