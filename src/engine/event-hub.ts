import type { EventName, Events, LinnetEvent, ReplacedLabel } from '../shared/contract.ts'
import type { SyncStatus } from '../shared/model.ts'
import { isMarkLabel } from '../shared/thread-marks.ts'
import { GatheredThreads } from './gathered-threads.ts'
import { isCorrupt } from './store/storage-problem.ts'
import type { TouchedThreads } from './store/touched-threads.ts'
import { systemClock, type Clock } from './timing/clock.ts'

/** One frame of a screen: what happens within it is told once. */
const FRAME_MS = 16

/** Events that say no more than that something is to be read again as a whole. */
type WholeEvent = { [Name in EventName]: Events[Name] extends null ? Name : never }[EventName]

/** Of those, what lies in the cache, or beside it in files that a repair may have set back. */
const IN_THE_CACHE: readonly WholeEvent[] = [
  'inboxes.changed',
  'contacts.changed',
  'suppressions.changed',
  'receivedEmails.changed',
  'sentEmails.changed',
  'savedSearches.changed',
  'snippets.changed',
  'templates.changed',
  'rules.changed',
  'shareLinks.changed',
]

/** The searches that windows show: they follow the threads of the cache. */
export interface SearchListener {
  /** Threads have changed; `arrived` are those of them that are new or have new activity, by their IDs. */
  readonly touched: (
    inboxId: string,
    threadIds: readonly string[],
    arrived: { readonly keys: () => Iterable<string> },
  ) => void
  /** The keys of an inbox's searches that are others than when this was last asked. */
  readonly takeChanged: (inboxId: string) => readonly string[]
}

const NO_SEARCHES: SearchListener = { touched: () => undefined, takeChanged: () => [] }

const NONE: ReadonlySet<string> = new Set()

/** Gathers what changed and emits it once a frame, each thing to read again named once. */
export class EventHub {
  readonly #emit: (event: LinnetEvent) => void
  readonly #status: () => SyncStatus
  readonly #listener: () => SearchListener
  readonly #arrived: (inboxId: string, threads: ReadonlyMap<string, number>) => void
  readonly #clock: Pick<Clock, 'after'>
  readonly #whole = new Set<WholeEvent>()
  readonly #labels = new Map<string, ReplacedLabel[]>()
  readonly #topics = new Set<string>()
  readonly #attachments = new Set<string>()
  readonly #drafts = new Set<string>()
  readonly #sent: Events['draft.sent'][] = []
  readonly #threads = new GatheredThreads()
  readonly #emails = new Map<string, Set<string>>()
  #syncChanged = false
  #cancel: (() => void) | null = null
  #closed = false

  // Fields, not methods: they are handed on as values.
  readonly inboxes = this.#asWhole('inboxes.changed')
  /** Changes of many threads have gone on. */
  readonly changes = this.#asWhole('changes.progressed')
  readonly contacts = this.#asWhole('contacts.changed')
  readonly suppressions = this.#asWhole('suppressions.changed')
  readonly receivedEmails = this.#asWhole('receivedEmails.changed')
  readonly sentEmails = this.#asWhole('sentEmails.changed')
  readonly exports = this.#asWhole('exports.changed')
  readonly problems = this.#asWhole('problems.changed')
  readonly recentSearches = this.#asWhole('recentSearches.changed')
  readonly savedSearches = this.#asWhole('savedSearches.changed')
  readonly assignees = this.#asWhole('assignees.changed')
  readonly snippets = this.#asWhole('snippets.changed')
  readonly templates = this.#asWhole('templates.changed')
  readonly rules = this.#asWhole('rules.changed')
  readonly shareLinks = this.#asWhole('shareLinks.changed')
  readonly senderChoices = this.#asWhole('senderChoices.changed')
  readonly unsubscribed = this.#asWhole('unsubscribed.changed')
  /** More mail is kept, or other choices hold. */
  readonly keeping = this.#asWhole('keeping.changed')
  readonly assistants = this.#asWhole('assistants.changed')
  /** A backup goes on, or is made at other times. */
  readonly backup = this.#asWhole('backup.changed')

  /**
   * @param status asked once a frame in which it changed
   * @param arrived hears of threads that are new here, or have new activity
   */
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

  /** Labels of the inbox have changed, and with them all lists that show them. */
  labels(inboxId: string, labelIds: readonly string[], replaced?: ReplacedLabel): void {
    this.#showEverything(inboxId, labelIds)
    if (replaced !== undefined) this.#labels.get(inboxId)?.push(replaced)
    this.#soon()
  }

  /**
   * The unread count of an inbox changes with its threads: no other call is needed for it.
   * @param isOwn whether a change that was made on this computer did it, or taking one back
   */
  threads(inboxId: string, touched: TouchedThreads, isOwn = false): void {
    if (touched.threadIds.size === 0) return
    if (touched.unread || touched.onlyHere || [...touched.labelIds].some(isMarkLabel))
      this.#whole.add('inboxes.changed')
    this.#threads.add(inboxId, touched, isOwn)
    this.#listener().touched(inboxId, [...touched.threadIds], touched.arrived)
    this.#arrived(inboxId, touched.arrived)
    this.#soon()
  }

  emails(inboxId: string, threadIds: readonly string[]): void {
    const gathered = this.#emails.get(inboxId) ?? new Set()
    this.#emails.set(inboxId, gathered)
    for (const id of threadIds) gathered.add(id)
    // Their words may be found now, or not any more.
    this.#listener().touched(inboxId, threadIds, NONE)
    this.#threads.askSearches(inboxId)
    this.#soon()
  }

  searches(inboxId: string): void {
    this.#threads.askSearches(inboxId)
    this.#soon()
  }

  topics(contactId: string): void {
    this.#topics.add(contactId)
    this.#soon()
  }

  /** What is here of an e-mail's attachments has changed, or more of one has come. */
  attachments(emailId: string): void {
    this.#attachments.add(emailId)
    this.#soon()
  }

  sync(): void {
    this.#syncChanged = true
    this.#soon()
  }

  /** Every list may be another: the cache is another file. */
  everything(inboxes: readonly { readonly id: string; readonly labelIds: readonly string[] }[]): void {
    for (const name of IN_THE_CACHE) this.#whole.add(name)
    for (const { id, labelIds } of inboxes) {
      this.#showEverything(id, labelIds)
      this.#drafts.add(id)
    }
    this.#syncChanged = true
    this.#soon()
  }

  drafts(inboxIds: readonly string[]): void {
    for (const inboxId of inboxIds) this.#drafts.add(inboxId)
    this.#soon()
  }

  sent(message: Events['draft.sent']): void {
    this.#sent.push(message)
    this.#soon()
  }

  /** Emits what is gathered now, and nothing after it. */
  close(): void {
    this.#flush()
    this.#closed = true
  }

  #asWhole(name: WholeEvent): () => void {
    return () => {
      this.#whole.add(name)
      this.#soon()
    }
  }

  /** An inbox's labels, and all lists that show them. */
  #showEverything(inboxId: string, labelIds: readonly string[]): void {
    this.#labels.set(inboxId, this.#labels.get(inboxId) ?? [])
    this.#threads.addEverything(inboxId, labelIds)
  }

  #soon(): void {
    if (!this.#closed) this.#cancel ??= this.#clock.after(FRAME_MS, () => this.#flush())
  }

  #flush(): void {
    const emit = this.#emit
    this.#cancel?.()
    this.#cancel = null
    for (const name of this.#whole) emit({ name, payload: null })
    for (const [inboxId, replaced] of this.#labels) emit({ name: 'labels.changed', payload: { inboxId, replaced } })
    for (const payload of this.#threads.take((inboxId) => this.#searchesOf(inboxId))) {
      emit({ name: 'threads.changed', payload })
    }
    for (const [inboxId, threadIds] of this.#emails) {
      emit({ name: 'emails.changed', payload: { inboxId, threadIds: [...threadIds] } })
    }
    for (const contactId of this.#topics) emit({ name: 'topics.changed', payload: { contactId } })
    for (const message of this.#sent) emit({ name: 'draft.sent', payload: message })
    if (this.#drafts.size > 0) emit({ name: 'drafts.changed', payload: { inboxIds: [...this.#drafts] } })
    for (const emailId of this.#attachments) emit({ name: 'attachments.changed', payload: { emailId } })
    if (this.#syncChanged) this.#tellStatus()
    const gathered = [this.#whole, this.#labels, this.#emails, this.#topics, this.#attachments, this.#drafts]
    for (const told of gathered) told.clear()
    this.#sent.length = 0
    this.#syncChanged = false
  }

  #searchesOf(inboxId: string): readonly string[] {
    try {
      return this.#listener().takeChanged(inboxId)
    } catch (thrown) {
      if (!isCorrupt(thrown)) throw thrown
      return []
    }
  }

  #tellStatus(): void {
    try {
      this.#emit({ name: 'sync.changed', payload: this.#status() })
    } catch (thrown) {
      // The account is about to be opened anew, and tells its status then.
      if (!isCorrupt(thrown)) throw thrown
    }
  }
}
