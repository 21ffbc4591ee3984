import type { Conversation } from '../../../shared/contract.ts'
import type { Email, Label, Thread } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { MarkRead } from '../../../shared/preferences.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { StateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import { soon } from '../../ui/soon.ts'
import { PendingChanges, type DrawnChange, type DrawnThreads } from './pending-changes.svelte.ts'
import { ConversationFolds } from './conversation-folds.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly conversation: ConversationManager
  }
}

/** Milliseconds until what is in front of a person counts as read: what is only passed over on the way does not. */
const GLANCE: Readonly<Record<Exclude<MarkRead, 'never'>, number>> = { 'at-once': 400, soon: 2000 }
/** Threads that can be gone back to by their subjects. */
const REMEMBERED = 20
/** Milliseconds: a thread is opened without knowing which of its e-mails was found rather than after a wait. */
const MATCH_PATIENCE = 700

/** What has become of the open thread while a person reads it, not by their own doing. */
export type MovedElsewhere =
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  /** The platform no longer has it. */
  | { readonly kind: 'gone' }

const movedSince = (before: Thread, now: Thread): MovedElsewhere | null => {
  if (before.onServer && !now.onServer) return { kind: 'gone' }
  return before.folder === now.folder ? null : { kind: 'moved', from: before.folder, to: now.folder }
}

export class ConversationManager {
  readonly #backend: Backend
  readonly #onUnreadOpened: (thread: Thread) => void
  readonly #markRead: () => MarkRead
  readonly #until: AbortSignal
  readonly #pending = new PendingChanges()
  #inboxId = ''
  /** The search in whose results it was opened. */
  #query: ThreadQuery | null = null
  /** The e-mail at which it is opened. */
  #wantedId: string | null = null
  #threadId = $state.raw<string | null>(null)
  #conversation = $state.raw<Conversation | null>(null)
  readonly #drawn = $derived(
    this.#conversation === null
      ? null
      : { ...this.#conversation, thread: this.#pending.drawnOver(this.#conversation.thread) },
  )
  #matchedId = $state.raw<string | null>(null)
  #folds = $state.raw<ConversationFolds | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #arrivedIds = $state.raw<readonly string[]>([])
  #moved = $state.raw<MovedElsewhere | null>(null)
  /** In this window's memory alone: what was read is nobody's business after it. */
  #recent: readonly Thread[] = $state.raw([])
  /** Counts readings, so that an answer that comes late is known as such. */
  #reading = 0
  /** Whether the thread has been asked for and was not shown since. */
  #isOpening = false
  /** A person has moved it, in whatever window, or a move of theirs was taken back: what is read next says so. */
  #isOwnMove = false

  /**
   * @param onUnreadOpened hears of each unread thread that a person opens, and of unread mail that arrives while they
   *   look at its thread: both mark as read
   * @param markRead when they do; with `never` nothing is heard
   */
  constructor(
    backend: Backend,
    onUnreadOpened: (thread: Thread) => void,
    markRead: () => MarkRead,
    until: AbortSignal,
  ) {
    this.#backend = backend
    this.#markRead = markRead
    this.#onUnreadOpened = onUnreadOpened
    this.#until = until
    const refresh = soon(() => void this.#read())
    const refreshIfShown = ({ threadIds }: { readonly threadIds: readonly string[] }): void => {
      if (this.#threadId !== null && threadIds.includes(this.#threadId)) refresh()
    }
    backend.on('threads.changed', (change) => {
      if (this.#threadId !== null && change.movedHere?.includes(this.#threadId) === true) this.#knowOwnMove()
      refreshIfShown(change)
    })
    backend.on('emails.changed', refreshIfShown)
    // Its labels may have other names by now, or be gone.
    backend.on('labels.changed', ({ inboxId }) => {
      if (this.#threadId !== null && inboxId === this.#inboxId) refresh()
    })
  }

  get threadId(): string | null {
    return this.#threadId
  }

  /** Null while it is being read. */
  get conversation(): Conversation | null {
    return this.#drawn
  }

  /** The threads that were opened last, newest first, as they were then. */
  get recent(): readonly Thread[] {
    return this.#recent
  }

  /** Whether a thread is to be open and is not there yet. */
  get isOpening(): boolean {
    return this.#threadId !== null && this.#conversation === null && this.#problem === null
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** The e-mail for which a search found the thread; null outside of a search, and where that is not known. */
  get matchedId(): string | null {
    return this.#query === null ? null : this.#matchedId
  }

  /** The e-mails that have come in since it was opened, and have not been seen yet. */
  get arrived(): readonly Email[] {
    return this.#conversation?.emails.filter(({ id }) => this.#arrivedIds.includes(id)) ?? []
  }

  /** What has come in was seen. */
  seeArrived(): void {
    this.#arrivedIds = []
  }

  /** Null where it is where it was, or a person knows. */
  get moved(): MovedElsewhere | null {
    return this.#moved
  }

  /** A person knows what has become of it. */
  seeMoved(): void {
    this.#moved = null
  }

  /** What of it is unfolded; null while it is being read. */
  get folds(): ConversationFolds | null {
    return this.#folds
  }

  /**
   * @param query the search in whose results it is opened; null elsewhere
   * @param emailId the e-mail at which it is opened; null where that is not said
   */
  show(inboxId: string, threadId: string, query: ThreadQuery | null = null, emailId: string | null = null): void {
    const isSame = this.#inboxId === inboxId && this.#threadId === threadId
    if (isSame && (emailId === null || emailId === this.#wantedId)) return
    this.#wantedId = emailId
    this.#inboxId = inboxId
    this.#threadId = threadId
    this.#query = query
    this.#matchedId = null
    this.#folds = null
    this.#arrivedIds = []
    this.#moved = null
    this.#conversation = null
    this.#problem = null
    this.#isOpening = true
    this.#isOwnMove = false
    void this.#read()
  }

  close(): void {
    this.#threadId = null
    this.#conversation = null
    this.#problem = null
    this.#reading += 1
  }

  retry(): void {
    if (this.#threadId !== null) void this.#read()
  }

  /** Draws a change over the open thread before the engine has answered. */
  draw(threads: DrawnThreads, change: StateChange, labels: readonly Label[]): DrawnChange {
    if (change.folder !== undefined && this.#moved?.kind === 'moved') this.#moved = null
    return this.#pending.draw(threads, change, labels)
  }

  #knowOwnMove(): void {
    this.#isOwnMove = true
    // It may have been read before that was told.
    if (this.#moved?.kind === 'moved') this.#moved = null
  }

  async #read(): Promise<void> {
    if (this.#threadId === null) return
    this.#reading += 1
    const reading = this.#reading
    const endReading = this.#pending.beginReading()
    const isAfterOwnMove = this.#isOwnMove
    const result = await this.#backend.call('thread.open', { inboxId: this.#inboxId, threadId: this.#threadId })
    // A newer reading is under way, which shows the thread in its place and does whatever opening it is to do.
    if (reading !== this.#reading) return
    if (!result.ok) {
      // What is on the screen is still the mail, even where it could not be read again.
      if (this.#conversation === null) this.#problem = result.error
      return
    }
    if (this.#isOpening) {
      const matchedId = await this.#findMatched(result.data)
      if (reading !== this.#reading) return
      this.#matchedId = matchedId
    }
    const isOpening = this.#isOpening
    this.#isOpening = false
    // What could not be read before its e-mails were here opens with the first of them.
    if (isOpening || this.#conversation?.emails.length === 0) {
      this.#folds = new ConversationFolds(result.data.emails, this.#matchedId)
    }
    const before = this.#conversation?.emails
    const isNew = (id: string): boolean => before !== undefined && !before.some((email) => email.id === id)
    const arrived = result.data.emails.filter(({ id }) => isNew(id))
    const hasArrived = arrived.some(({ read }) => !read)
    const drawnBefore = isOpening ? null : (this.#drawn?.thread ?? null)
    this.#conversation = result.data
    this.#problem = null
    endReading()
    if (before !== undefined && before.length > 0) {
      const { sentElsewhere = [] } = result.data
      const news = arrived.filter(({ id, direction }) => direction === 'inbound' || sentElsewhere.includes(id))
      this.#arrivedIds = [...this.#arrivedIds, ...news.map(({ id }) => id)]
    }
    const drawn = this.#drawn?.thread
    if (drawnBefore !== null && drawn !== undefined) {
      const moved = movedSince(drawnBefore, drawn)
      if (moved?.kind === 'gone' || !this.#isOwnMove) this.#moved = moved ?? this.#moved
    }
    if (isAfterOwnMove) this.#isOwnMove = false
    if (isOpening) this.#remember(result.data.thread)
    if (isOpening || hasArrived) this.#look(result.data.thread)
  }

  #remember(thread: Thread): void {
    this.#recent = [thread, ...this.#recent.filter(({ id }) => id !== thread.id)].slice(0, REMEMBERED)
  }

  /** The e-mail at which a result is opened. Where the platform has to be asked for it, it is not waited for long. */
  async #findMatched({ thread, emails }: Conversation): Promise<string | null> {
    if (this.#wantedId !== null) return emails.some(({ id }) => id === this.#wantedId) ? this.#wantedId : null
    if (this.#query === null || emails.length < 2) return null
    const asked = this.#backend.call('thread.matchedEmail', { query: this.#query, threadId: thread.id })
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), MATCH_PATIENCE))
    const answer = await Promise.race([asked, late])
    const id = answer?.ok === true ? answer.data : null
    return emails.some((email) => email.id === id) ? id : null
  }

  /** Unread mail is in front of a person, or will be as soon as the window is. */
  #look(thread: Thread): void {
    const when = this.#markRead()
    if (thread.read || when === 'never') return
    const opening = this.#folds
    // A person may have said meanwhile that nothing is to be marked.
    const isShown = (): boolean =>
      this.#threadId === thread.id && this.#folds === opening && this.#markRead() !== 'never' && !this.#until.aborted
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
    }, GLANCE[when])
  }
}
