import type { EventName, Events, LinnetEvent, ReplacedLabel } from '../../shared/contract.ts'
import { FOLDERS, type SyncStatus } from '../../shared/model.ts'
import { isMarkLabel } from '../../shared/thread-marks.ts'
import { isCorruptionError } from '../store/storage-problem.ts'
import type { ThreadListChanges } from '../store/thread-list-changes.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** One screen frame; events within it are merged. */
const FRAME_MS = 16

/** Events without a payload: they only say that something must be reloaded. */
type ReloadEvent = { [Name in EventName]: Events[Name] extends null ? Name : never }[EventName]

export interface SearchListener {
  /** @param arrived IDs of new threads and those with new activity */
  readonly touched: (
    inboxId: string,
    threadIds: readonly string[],
    arrived: { readonly keys: () => Iterable<string> },
  ) => void
  /** Keys of an inbox's searches that changed since the last call. */
  readonly takeChanged: (inboxId: string) => readonly string[]
}

const NO_SEARCHES: SearchListener = { touched: () => undefined, takeChanged: () => [] }

const NONE: ReadonlySet<string> = new Set()

/** Changes of an inbox's threads since the last event. */
class ChangedThreads {
  readonly threadIds = new Set<string>()
  readonly folders = new Set<string>()
  readonly labelIds = new Set<string>()
  readonly movedLocally = new Set<string>()
  localOnly = false
  /** True if all searches may have changed. */
  affectsAllSearches = false

  /** @param movedLocally threads moved by a local change or its undo */
  add(touched: Omit<ThreadListChanges, 'unread' | 'arrived' | 'moved'>, movedLocally: Iterable<string>): void {
    this.localOnly ||= touched.localOnly
    for (const id of movedLocally) this.movedLocally.add(id)
    for (const name of ['threadIds', 'folders', 'labelIds'] as const) for (const id of touched[name]) this[name].add(id)
  }

  /** @param searches keys of the inbox's changed searches @returns null if nothing has changed */
  toPayload(inboxId: string, searches: readonly string[]): Events['threads.changed'] | null {
    const { threadIds, folders, labelIds, localOnly, movedLocally, affectsAllSearches } = this
    if (threadIds.size + folders.size + labelIds.size + searches.length === 0 && !affectsAllSearches) return null
    return {
      inboxId,
      folders: [...folders],
      labelIds: [...labelIds],
      ...(localOnly && { localOnly }),
      ...(movedLocally.size > 0 && { movedLocally: [...movedLocally] }),
      threadIds: [...threadIds],
      searches: affectsAllSearches ? null : searches,
    }
  }
}

/** Collects changes and emits deduplicated events once a frame. */
export class EventHub {
  readonly #emit: (event: LinnetEvent) => void
  readonly #status: () => SyncStatus
  readonly #listener: () => SearchListener
  readonly #arrived: (inboxId: string, threads: ReadonlyMap<string, number>) => void
  readonly #clock: Pick<Clock, 'after'>
  readonly #reloadNames: ReloadEvent[] = []
  /** Events that needn't be merged, each once. */
  readonly #events = new Map<string, LinnetEvent>()
  readonly #labels = new Map<string, ReplacedLabel[]>()
  readonly #drafts = new Set<string>()
  readonly #threads = new Map<string, ChangedThreads>()
  readonly #emails = new Map<string, Set<string>>()
  #syncChanged = false
  #cancel: (() => void) | null = null
  #closed = false

  // Fields instead of methods, since they are passed as values.
  readonly inboxes = this.#reloadEvent('inboxes.changed')
  /** Progress of changes to many threads. */
  readonly changes = this.#reloadEvent('changes.progressed')
  readonly contacts = this.#reloadEvent('contacts.changed')
  readonly suppressions = this.#reloadEvent('suppressions.changed')
  readonly receivedEmails = this.#reloadEvent('receivedEmails.changed')
  readonly sentEmails = this.#reloadEvent('sentEmails.changed')
  readonly exports = this.#reloadEvent('exports.changed')
  readonly problems = this.#reloadEvent('problems.changed')
  readonly recentSearches = this.#reloadEvent('recentSearches.changed')
  readonly savedSearches = this.#reloadEvent('savedSearches.changed')
  readonly assignees = this.#reloadEvent('assignees.changed')
  readonly snippets = this.#reloadEvent('snippets.changed')
  readonly templates = this.#reloadEvent('templates.changed')
  readonly rules = this.#reloadEvent('rules.changed')
  readonly shareLinks = this.#reloadEvent('shareLinks.changed')
  readonly senderChoices = this.#reloadEvent('senderChoices.changed')
  readonly unsubscribed = this.#reloadEvent('unsubscribed.changed')
  /** More mail was stored locally, or the user's choices of what to store changed. */
  readonly keeping = this.#reloadEvent('keeping.changed')
  readonly assistants = this.#reloadEvent('assistants.changed')
  readonly backup = this.#reloadEvent('backup.changed')

  /** @param status read once per frame with a change @param arrived called with new or newly active threads */
  constructor(
    emit: (event: LinnetEvent) => void,
    status: () => SyncStatus,
    listener: () => SearchListener = () => NO_SEARCHES,
    arrived: (inboxId: string, threads: ReadonlyMap<string, number>) => void = () => undefined,
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#emit = emit
    this.#status = status
    this.#listener = listener
    this.#arrived = arrived
    this.#clock = clock
  }

  /** Marks labels as changed, and all lists that show them. */
  labels(inboxId: string, labelIds: readonly string[], replaced?: ReplacedLabel): void {
    this.#markEverything(inboxId, labelIds)
    if (replaced !== undefined) this.#labels.get(inboxId)?.push(replaced)
    this.#scheduleFlush()
  }

  /** Marks threads, and their inbox's unread count, as changed. @param isOwn true for a local change or its undo */
  threads(inboxId: string, touched: ThreadListChanges, isOwn = false): void {
    if (touched.threadIds.size === 0) return
    if (touched.unread || touched.localOnly || [...touched.labelIds].some(isMarkLabel)) this.inboxes()
    this.#threadsIn(inboxId).add(touched, isOwn ? touched.moved : [])
    this.#listener().touched(inboxId, [...touched.threadIds], touched.arrived)
    if (touched.arrived.size > 0) this.#arrived(inboxId, touched.arrived)
    this.#scheduleFlush()
  }

  emails(inboxId: string, threadIds: readonly string[]): void {
    const gathered = this.#emails.get(inboxId) ?? new Set()
    this.#emails.set(inboxId, gathered)
    for (const id of threadIds) gathered.add(id)
    // Searches may now match or stop matching.
    this.#listener().touched(inboxId, threadIds, NONE)
    this.searches(inboxId)
  }

  /** Marks an inbox's searches that changed. */
  searches(inboxId: string): void {
    this.#threadsIn(inboxId)
    this.#scheduleFlush()
  }

  topics(contactId: string): void {
    this.#add({ name: 'topics.changed', payload: { contactId } })
  }

  /** Stored attachments or download progress changed. */
  attachments(emailId: string): void {
    this.#add({ name: 'attachments.changed', payload: { emailId } })
  }

  /** An event of a thread was read from the log of a webhook. */
  history(inboxId: string, threadId: string): void {
    this.#add({ name: 'history.changed', payload: { inboxId, threadId } })
  }

  sync(): void {
    this.#syncChanged = true
    this.#scheduleFlush()
  }

  /** The account's files were replaced, so every list may differ. */
  everything(inboxes: readonly { readonly id: string; readonly labelIds: readonly string[] }[]): void {
    for (const name of this.#reloadNames) this.#add({ name, payload: null })
    for (const { id, labelIds } of inboxes) {
      this.#markEverything(id, labelIds)
      this.#drafts.add(id)
    }
    this.#syncChanged = true
    this.#scheduleFlush()
  }

  drafts(inboxIds: readonly string[]): void {
    for (const inboxId of inboxIds) this.#drafts.add(inboxId)
    this.#scheduleFlush()
  }

  sent(message: Events['draft.sent']): void {
    this.#add({ name: 'draft.sent', payload: message })
  }

  /** Emits pending events and stops. */
  close(): void {
    this.#flush()
    this.#closed = true
  }

  #reloadEvent(name: ReloadEvent): () => void {
    this.#reloadNames.push(name)
    return () => this.#add({ name, payload: null })
  }

  #add(event: LinnetEvent): void {
    this.#events.set(JSON.stringify(event), event)
    this.#scheduleFlush()
  }

  #markEverything(inboxId: string, labelIds: readonly string[]): void {
    this.#labels.set(inboxId, this.#labels.get(inboxId) ?? [])
    const threads = this.#threadsIn(inboxId)
    const all = { threadIds: NONE, folders: new Set(FOLDERS), labelIds: new Set(labelIds), localOnly: true }
    threads.add(all, NONE)
    threads.affectsAllSearches = true
  }

  #threadsIn(inboxId: string): ChangedThreads {
    const threads = this.#threads.get(inboxId) ?? new ChangedThreads()
    this.#threads.set(inboxId, threads)
    return threads
  }

  #scheduleFlush(): void {
    if (!this.#closed) this.#cancel ??= this.#clock.after(FRAME_MS, () => this.#flush())
  }

  #flush(): void {
    const emit = this.#emit
    this.#cancel?.()
    this.#cancel = null
    // Changes during an event belong to the next frame.
    const [events, threads] = [[...this.#events.values()], [...this.#threads]]
    const [labels, emails, draftInboxIds] = [[...this.#labels], [...this.#emails], [...this.#drafts]]
    const isSyncChanged = this.#syncChanged
    for (const told of [this.#events, this.#labels, this.#threads, this.#emails, this.#drafts]) told.clear()
    this.#syncChanged = false
    for (const event of events) emit(event)
    for (const [inboxId, replaced] of labels) emit({ name: 'labels.changed', payload: { inboxId, replaced } })
    for (const [inboxId, changed] of threads) {
      const payload = changed.toPayload(inboxId, this.#searchesOf(inboxId))
      if (payload !== null) emit({ name: 'threads.changed', payload })
    }
    for (const [inboxId, threadIds] of emails) {
      emit({ name: 'emails.changed', payload: { inboxId, threadIds: [...threadIds] } })
    }
    if (draftInboxIds.length > 0) emit({ name: 'drafts.changed', payload: { inboxIds: draftInboxIds } })
    if (isSyncChanged) this.#emitStatus()
  }

  #searchesOf(inboxId: string): readonly string[] {
    try {
      return this.#listener().takeChanged(inboxId)
    } catch (thrown) {
      if (!isCorruptionError(thrown)) throw thrown
      return []
    }
  }

  #emitStatus(): void {
    try {
      this.#emit({ name: 'sync.changed', payload: this.#status() })
    } catch (thrown) {
      // If the cache is corrupt, the account is about to be reopened and will report its status then.
      if (!isCorruptionError(thrown)) throw thrown
    }
  }
}
