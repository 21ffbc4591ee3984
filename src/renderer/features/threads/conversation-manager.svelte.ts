import type { Conversation } from '../../../shared/contract.ts'
import type { Email, Label, Thread } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Preferences } from '../../../shared/preferences.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { ThreadStateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import { PendingChanges, type OptimisticChange, type ChangedThreads } from './pending-changes.svelte.ts'
import { ConversationFolds } from './conversation-folds.svelte.ts'

/** Milliseconds on the screen until mail counts as read, so that mail the user merely steps past stays unread. */
const READ_DELAY_MS: Readonly<Record<Exclude<Preferences['markRead'], 'never'>, number>> = {
  'at-once': 400,
  soon: 2000,
}
/** Limit for recently opened threads. */
const MAX_REMEMBERED = 20
/** Milliseconds to wait for the search match before the thread opens without it. */
const MATCH_TIMEOUT_MS = 700

/** Change to the open thread that the user did not make. */
export type RemoteThreadChange =
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  /** The platform no longer has the thread. */
  | { readonly kind: 'gone' }

const movedSince = (before: Thread, now: Thread): RemoteThreadChange | null => {
  if (before.onServer && !now.onServer) return { kind: 'gone' }
  return before.folder === now.folder ? null : { kind: 'moved', from: before.folder, to: now.folder }
}

export class ConversationManager {
  readonly #backend: Backend
  readonly #onUnreadOpened: (thread: Thread) => void
  readonly #markRead: () => Preferences['markRead']
  readonly #until: AbortSignal
  readonly #pending = new PendingChanges()
  /** Inbox of the thread, the search that it was opened from, and the e-mail to open at. */
  #asked = { inboxId: '', query: null as ThreadQuery | null, emailId: null as string | null }
  threadId = $state.raw<string | null>(null)
  #opened = $state.raw<Conversation | null>(null)
  /** With pending changes. Null while loading. */
  readonly conversation: Conversation | null = $derived(
    this.#opened === null ? null : { ...this.#opened, thread: this.#pending.withPending(this.#opened.thread) },
  )
  #matchedId = $state.raw<string | null>(null)
  folds = $state.raw<ConversationFolds | null>(null)
  problem = $state.raw<Problem | null>(null)
  #arrivedIds = $state.raw<readonly string[]>([])
  /** Null if the thread has not moved, or once the user has seen the notice. */
  moved = $state.raw<RemoteThreadChange | null>(null)
  /** Recently opened threads, newest first, as they were then. */
  recent: readonly Thread[] = $state.raw([])
  /** Number of reads, to detect stale responses. */
  #readCount = 0
  /** True from the request for the thread until it is displayed. */
  #isOpening = false
  /** True if the user moved the thread, in any window, or undid a move, and the next read has yet to show that. */
  #isOwnMove = false

  /**
   * @param onUnreadOpened called for each unread thread the user opens, and for unread mail that arrives in the open
   * one: both are marked read
   * @param markRead when to do so; `never` disables it
   */
  constructor(
    backend: Backend,
    onUnreadOpened: (thread: Thread) => void,
    markRead: () => Preferences['markRead'],
    until: AbortSignal,
  ) {
    this.#backend = backend
    this.#markRead = markRead
    this.#onUnreadOpened = onUnreadOpened
    this.#until = until
    const refresh = coalesceCalls(() => void this.#read())
    const refreshIfShown = ({ threadIds }: { readonly threadIds: readonly string[] }): void => {
      if (this.threadId !== null && threadIds.includes(this.threadId)) refresh()
    }
    backend.on('threads.changed', (change) => {
      if (this.threadId !== null && change.movedLocally?.includes(this.threadId) === true) this.#noteOwnMove()
      refreshIfShown(change)
    })
    backend.on('emails.changed', refreshIfShown)
    backend.on('history.changed', ({ threadId }) => refreshIfShown({ threadIds: [threadId] }))
    // Labels may have been renamed or deleted.
    backend.on('labels.changed', ({ inboxId }) => {
      if (this.threadId !== null && inboxId === this.#asked.inboxId) refresh()
    })
  }

  get isOpening(): boolean {
    return this.threadId !== null && this.#opened === null && this.problem === null
  }

  /** E-mail that the search matched; null outside a search or if unknown. */
  get matchedId(): string | null {
    return this.#asked.query === null ? null : this.#matchedId
  }

  /** E-mails that arrived after opening and have not been seen. */
  get arrived(): readonly Email[] {
    return this.#opened?.emails.filter(({ id }) => this.#arrivedIds.includes(id)) ?? []
  }

  dismissArrived(): void {
    this.#arrivedIds = []
  }

  dismissMoved(): void {
    this.moved = null
  }

  /** @param query the search it is opened from, or null @param emailId the e-mail to open at; null for the default */
  show(inboxId: string, threadId: string, query: ThreadQuery | null = null, emailId: string | null = null): void {
    const isSame = this.#asked.inboxId === inboxId && this.threadId === threadId
    if (isSame && (emailId === null || emailId === this.#asked.emailId)) return
    this.#asked = { inboxId, query, emailId }
    this.threadId = threadId
    this.#matchedId = null
    this.folds = null
    this.#arrivedIds = []
    this.moved = null
    this.#opened = null
    this.problem = null
    this.#isOpening = true
    this.#isOwnMove = false
    void this.#read()
  }

  close(): void {
    this.threadId = null
    this.#opened = null
    this.problem = null
    this.#readCount += 1
  }

  retry(): void {
    if (this.threadId !== null) void this.#read()
  }

  /** Shows a change to the open thread before the engine responds. */
  draw(threads: ChangedThreads, change: ThreadStateChange, labels: readonly Label[]): OptimisticChange {
    if (change.folder !== undefined && this.moved?.kind === 'moved') this.moved = null
    return this.#pending.draw(threads, change, labels)
  }

  #noteOwnMove(): void {
    this.#isOwnMove = true
    // The moved thread may have been read before this notification.
    if (this.moved?.kind === 'moved') this.moved = null
  }

  async #read(): Promise<void> {
    if (this.threadId === null) return
    const reading = (this.#readCount += 1)
    const finishRead = this.#pending.startRead()
    const isAfterOwnMove = this.#isOwnMove
    const result = await this.#backend.call('thread.open', { inboxId: this.#asked.inboxId, threadId: this.threadId })
    // A newer read is running; it displays the thread and finishes opening it.
    if (reading !== this.#readCount) return
    if (!result.ok) {
      // Keep the displayed mail if rereading fails.
      if (this.#opened === null) this.problem = result.error
      return
    }
    if (this.#isOpening) {
      const matchedId = await this.#findMatched(result.data)
      if (reading !== this.#readCount) return
      this.#matchedId = matchedId
    }
    const isOpening = this.#isOpening
    this.#isOpening = false
    // A conversation first read without e-mails opens when the first ones load.
    if (isOpening || this.#opened?.emails.length === 0) {
      this.folds = new ConversationFolds(result.data.emails, this.#matchedId)
    }
    const before = this.#opened?.emails
    const isNew = (id: string): boolean => before !== undefined && !before.some((email) => email.id === id)
    const arrived = result.data.emails.filter(({ id }) => isNew(id))
    const hasArrived = arrived.some(({ read }) => !read)
    const drawnBefore = isOpening ? null : (this.conversation?.thread ?? null)
    this.#opened = result.data
    this.problem = null
    finishRead()
    if (before !== undefined && before.length > 0) {
      const { sentElsewhere = [] } = result.data
      const news = arrived.filter(({ id, direction }) => direction === 'inbound' || sentElsewhere.includes(id))
      this.#arrivedIds = [...this.#arrivedIds, ...news.map(({ id }) => id)]
    }
    const drawn = this.conversation?.thread
    if (drawnBefore !== null && drawn !== undefined) {
      const moved = movedSince(drawnBefore, drawn)
      if (moved?.kind === 'gone' || !this.#isOwnMove) this.moved = moved ?? this.moved
    }
    if (isAfterOwnMove) this.#isOwnMove = false
    if (isOpening) this.#remember(result.data.thread)
    if (isOpening || hasArrived) this.#markReadLater(result.data.thread)
  }

  #remember(thread: Thread): void {
    this.recent = [thread, ...this.recent.filter(({ id }) => id !== thread.id)].slice(0, MAX_REMEMBERED)
  }

  /** E-mail to open a search result at. Doesn't wait long if the platform has to be asked. */
  async #findMatched({ thread, emails }: Conversation): Promise<string | null> {
    const { query, emailId } = this.#asked
    if (emailId !== null) return emails.some(({ id }) => id === emailId) ? emailId : null
    if (query === null || emails.length < 2) return null
    const asked = this.#backend.call('thread.matchedEmail', { query, threadId: thread.id })
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), MATCH_TIMEOUT_MS))
    const answer = await Promise.race([asked, late])
    const id = answer?.ok === true ? answer.data : null
    return emails.some((email) => email.id === id) ? id : null
  }

  /** Marks unread mail as read after a glance, or once the window becomes visible. */
  #markReadLater(thread: Thread): void {
    const when = this.#markRead()
    if (thread.read || when === 'never') return
    const opening = this.folds
    const isShown = (): boolean =>
      this.threadId === thread.id && this.folds === opening && this.#markRead() !== 'never' && !this.#until.aborted
    setTimeout(() => {
      if (!isShown()) return
      if (document.visibilityState === 'visible') {
        this.#onUnreadOpened(thread)
        return
      }
      const onVisible = (): void => {
        if (isShown()) this.#onUnreadOpened(thread)
      }
      document.addEventListener('visibilitychange', onVisible, { once: true, signal: this.#until })
    }, READ_DELAY_MS[when])
  }
}
