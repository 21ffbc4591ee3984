import { MAX_INBOX_PAGES } from './resources/inboxes.ts'
import type { MailPlatform } from './mail-platform.ts'
import { eachPage, type CallOptions } from './requests.ts'
import type { FetchedThreadSummary } from './resources/threads.ts'
import {
  catchMissing,
  isNotFound,
  lacksOperation,
  PlatformRefusalError,
  UnreadableResponseError,
} from './platform-problem.ts'
import type { Priority } from './request-budget.ts'
import { FOLDERS } from '../../shared/model.ts'
import type { Capabilities } from './capabilities.ts'
import { createProblem } from '../../shared/result.ts'

/** The part found to be missing after a thread operation got a 404 or 405. */
export type NotFoundCause =
  | { readonly part: 'inbox' | 'thread' | 'operation' }
  /** The thread exists; `summary` is the platform's data. */
  | { readonly part: 'nothing'; readonly summary: FetchedThreadSummary }

interface CertaintyOptions {
  /** A response from the inbox after this time (`Clock.elapsed`) is proof enough. */
  readonly since?: number
  /**
   * Set if the caller would discard something. Then only a response that names the inbox as missing counts. A platform
   * that finds nothing at all has a problem, so no conclusion is drawn.
   */
  readonly certain?: boolean
}

/** A platform that responded within this time is considered healthy. */
const RECENTLY_MS = 30_000

/** True if the response says that the inbox itself doesn't exist (platform.md 4.5: `Inbox not found.`). */
const namesInbox = (thrown: unknown): boolean =>
  isNotFound(thrown) &&
  thrown instanceof PlatformRefusalError &&
  /\binbox\b/i.test(String(thrown.problem.details?.platform))

const NOTHING_FOUND = 'The platform is not returning any of your mail right now. Linnet will try again.'

interface NotFoundResolverParts {
  readonly platform: Pick<MailPlatform, 'searchThreads' | 'listInboxes' | 'getThread'>
  readonly capabilities: Capabilities
  readonly signal: AbortSignal
  /** True if the platform has listed an inbox that is not known to be gone. */
  readonly wasListed: (inboxId: string) => boolean
}

/** Finds the cause of a 404, always through a different request. */
export class NotFoundResolver {
  readonly #parts: NotFoundResolverParts
  readonly #seenAt = new Map<string, number>()

  constructor(parts: NotFoundResolverParts) {
    this.#parts = parts
  }

  /** True if an inbox can be searched or is listed. @throws the refusal if `certain` is set but can't be satisfied */
  async inboxExists(
    inboxId: string,
    priority: Priority,
    { since, certain = false }: CertaintyOptions = {},
  ): Promise<boolean> {
    if (since !== undefined && this.#lastSeen(inboxId) > since) return true
    try {
      await this.#parts.platform.searchThreads(inboxId, {}, { ...this.#options(priority), limit: 1 })
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      const listed = await this.#isListed(inboxId, priority).catch((second: unknown) => {
        const cannotTell = lacksOperation(second) || (second instanceof PlatformRefusalError && second.status === 403)
        if (!cannotTell) throw second
        if (namesInbox(thrown)) return false
        if (certain) throw thrown
        if (this.#parts.wasListed(inboxId)) throw createProblem('platform_failed', NOTHING_FOUND, thrown)
        return false
      })
      if (!listed) return false
    }
    this.noteInboxSeen(inboxId)
    return true
  }

  /** Call after a response that proves the inbox exists. */
  noteInboxSeen(inboxId: string): void {
    this.#seenAt.set(inboxId, this.#parts.capabilities.now())
  }

  /**
   * Checks the thread itself. If it is missing too, another listed thread shows whether threads can be requested at
   * all. The thread counts as missing only if the platform found other mail both before and after its 404, or if a
   * second request also fails. This guards against platforms that briefly find nothing.
   * @throws the platform's refusal if `certain` is required but impossible
   */
  async ofThread(
    inboxId: string,
    threadId: string,
    priority: Priority,
    { certain = false }: CertaintyOptions = {},
  ): Promise<NotFoundCause> {
    const wasSeen = this.#parts.capabilities.now() - this.#lastSeen(inboxId) < RECENTLY_MS
    const found = await this.#findThread(inboxId, threadId, priority)
    if (found !== null) return found
    const part = await this.#findMissingPart(inboxId, threadId, priority, certain)
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
    for await (const { items, hasMore } of eachPage(fetchPage, MAX_INBOX_PAGES)) {
      if (items.some(({ id }) => id === inboxId)) return true
      if (!hasMore || items.length === 0) return false
    }
    // A list that never ends proves nothing.
    throw new UnreadableResponseError()
  }

  async #findThread(inboxId: string, threadId: string, priority: Priority): Promise<NotFoundCause | null> {
    const summary = await catchMissing(this.#parts.platform.getThread(inboxId, threadId, this.#options(priority)))
    if (summary === null) return null
    this.#parts.capabilities.recordSuccess('retrieve thread', inboxId)
    this.noteInboxSeen(inboxId)
    return { part: 'nothing', summary }
  }

  /** Decides what is missing, using requests that don't involve the thread. */
  async #findMissingPart(
    inboxId: string,
    threadId: string,
    priority: Priority,
    certain: boolean,
  ): Promise<'inbox' | 'thread' | 'operation'> {
    const { capabilities, platform } = this.#parts
    const options = this.#options(priority)
    const since = capabilities.now()
    if (capabilities.belief('retrieve thread', inboxId) === 'offered') {
      return (await this.inboxExists(inboxId, priority, { since, certain })) ? 'thread' : 'inbox'
    }
    try {
      // Any other thread that the platform currently finds.
      const { items } = await platform.searchThreads(inboxId, { folders: FOLDERS }, { ...options, limit: 2 })
      this.noteInboxSeen(inboxId)
      const another = items.find(({ thread }) => thread.id !== threadId)
      if (another === undefined) return 'thread'
      await platform.getThread(inboxId, another.thread.id, options)
      capabilities.recordSuccess('retrieve thread', inboxId)
      return 'thread'
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await this.inboxExists(inboxId, priority, { since, certain }))) return 'inbox'
      capabilities.recordRefusal('retrieve thread', since, inboxId)
      if (certain && capabilities.belief('retrieve thread', inboxId) !== 'seems missing') throw thrown
      return 'operation'
    }
  }
}
