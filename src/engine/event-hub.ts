import type { EventName, Events, LinnetEvent, ReplacedLabel } from '../shared/contract.ts'
import type { SyncStatus } from '../shared/model.ts'
import { GatheredThreads } from './gathered-threads.ts'
import { isCorrupt } from './store/storage-problem.ts'
import type { TouchedThreads } from './store/touched-threads.ts'
import { systemClock, type Clock } from './timing/clock.ts'

/** One frame of a screen: what happens within it is told once. */
const FRAME_MS = 16

/** What a screen is to read again as a whole: the hub's name for it, and the event. */
const WHOLE = {
  inboxes: 'inboxes.changed',
  /** Changes of many threads have gone on. */
  changes: 'changes.progressed',
  contacts: 'contacts.changed',
  receivedEmails: 'receivedEmails.changed',
  sentEmails: 'sentEmails.changed',
  exports: 'exports.changed',
  problems: 'problems.changed',
  recentSearches: 'recentSearches.changed',
  savedSearches: 'savedSearches.changed',
  snippets: 'snippets.changed',
  shareLinks: 'shareLinks.changed',
  senderChoices: 'senderChoices.changed',
  /** More mail is kept, or other choices hold. */
  keeping: 'keeping.changed',
  /** A backup goes on, or is made at other times. */
  backup: 'backup.changed',
} as const satisfies Readonly<Record<string, EventName>>
type Whole = keyof typeof WHOLE
const NAMES_OF_WHOLE = Object.keys(WHOLE) as readonly Whole[]

/** Of those, what lies in the cache, or beside it in files that a repair may have set back. */
const IN_THE_CACHE = [
  'inboxes',
  'contacts',
  'receivedEmails',
  'sentEmails',
  'savedSearches',
  'snippets',
  'shareLinks',
] as const satisfies readonly Whole[]

/** Gathers what changed and tells it once a frame, each thing to read again named once. */
export interface EventHub extends Readonly<Record<Whole, () => void>> {
  /** Labels of the inbox are others than before: so are all lists in which they stand. */
  readonly labels: (inboxId: string, labelIds: readonly string[], replaced?: ReplacedLabel) => void
  /**
   * The unread count of an inbox changes with its threads: no other call is needed for it.
   * @param isOwn whether a change that was made on this computer did it, or taking one back
   */
  readonly threads: (inboxId: string, touched: TouchedThreads, isOwn?: boolean) => void
  readonly emails: (inboxId: string, threadIds: readonly string[]) => void
  /** A search of the inbox is another than before. */
  readonly searches: (inboxId: string) => void
  readonly topics: (contactId: string) => void
  /** What is here of an e-mail's attachments is another than before, or more of one has come. */
  readonly attachments: (emailId: string) => void
  readonly sync: () => void
  /** Every list may be another: the cache is another file. */
  readonly everything: (inboxes: readonly { readonly id: string; readonly labelIds: readonly string[] }[]) => void
  /** Drafts of these inboxes are others than before. */
  readonly drafts: (inboxIds: readonly string[]) => void
  /** The platform has taken a message. */
  readonly sent: (message: Events['draft.sent']) => void
  /** Tells what is gathered now, and nothing after it. */
  readonly close: () => void
}

/** The searches that windows show: they follow the threads of the cache. */
export interface SearchListener {
  /** Threads have changed; `arrived` are those of them that are new or have new activity. */
  readonly touched: (inboxId: string, threadIds: readonly string[], arrived: ReadonlySet<string>) => void
  /** The keys of an inbox's searches that are others than when this was last asked. */
  readonly takeChanged: (inboxId: string) => readonly string[]
}

const NO_SEARCHES: SearchListener = { touched: () => undefined, takeChanged: () => [] }

const NONE: ReadonlySet<string> = new Set()

/**
 * @param status asked once a frame in which it changed
 * @param arrived hears of threads that are new here, or have new activity
 */
export const createEventHub = (
  emit: (event: LinnetEvent) => void,
  status: () => SyncStatus,
  listener: () => SearchListener = () => NO_SEARCHES,
  arrived: (inboxId: string, threadIds: ReadonlySet<string>) => void = () => undefined,
  clock: Pick<Clock, 'after'> = systemClock,
): EventHub => {
  const whole = new Set<Whole>()
  const labels = new Map<string, ReplacedLabel[]>()
  const topics = new Set<string>()
  const attachments = new Set<string>()
  const drafts = new Set<string>()
  const sent: Events['draft.sent'][] = []
  const threads = new GatheredThreads()
  const emails = new Map<string, Set<string>>()
  let syncChanged = false
  let cancel: (() => void) | null = null
  let closed = false

  const tellStatus = (): void => {
    try {
      emit({ name: 'sync.changed', payload: status() })
    } catch (thrown) {
      // The account is about to be opened anew, and tells its status then.
      if (!isCorrupt(thrown)) throw thrown
    }
  }

  const searchesOf = (inboxId: string): readonly string[] => {
    try {
      return listener().takeChanged(inboxId)
    } catch (thrown) {
      if (!isCorrupt(thrown)) throw thrown
      return []
    }
  }

  const flush = (): void => {
    cancel?.()
    cancel = null
    for (const name of whole) emit({ name: WHOLE[name], payload: null })
    for (const [inboxId, replaced] of labels) emit({ name: 'labels.changed', payload: { inboxId, replaced } })
    for (const payload of threads.take(searchesOf)) emit({ name: 'threads.changed', payload })
    for (const [inboxId, threadIds] of emails) {
      emit({ name: 'emails.changed', payload: { inboxId, threadIds: [...threadIds] } })
    }
    for (const contactId of topics) emit({ name: 'topics.changed', payload: { contactId } })
    for (const message of sent) emit({ name: 'draft.sent', payload: message })
    if (drafts.size > 0) emit({ name: 'drafts.changed', payload: { inboxIds: [...drafts] } })
    for (const emailId of attachments) emit({ name: 'attachments.changed', payload: { emailId } })
    if (syncChanged) tellStatus()
    for (const told of [whole, labels, emails, topics, attachments, drafts]) told.clear()
    sent.length = 0
    syncChanged = false
  }

  const soon = (): void => {
    if (!closed) cancel ??= clock.after(FRAME_MS, flush)
  }

  /** An inbox's labels, and all lists in which they stand. */
  const showEverything = (inboxId: string, labelIds: readonly string[]): void => {
    labels.set(inboxId, labels.get(inboxId) ?? [])
    threads.addEverything(inboxId, labelIds)
  }

  const tellWhole = (name: Whole) => (): void => {
    whole.add(name)
    soon()
  }

  return {
    // One for each of the names.
    ...(Object.fromEntries(NAMES_OF_WHOLE.map((name) => [name, tellWhole(name)])) as Record<Whole, () => void>),
    labels: (inboxId, labelIds, replaced) => {
      showEverything(inboxId, labelIds)
      if (replaced !== undefined) labels.get(inboxId)?.push(replaced)
      soon()
    },
    threads: (inboxId, touched, isOwn = false) => {
      if (touched.threadIds.size === 0) return
      if (touched.unread || touched.onlyHere) whole.add('inboxes')
      threads.add(inboxId, touched, isOwn)
      listener().touched(inboxId, [...touched.threadIds], touched.arrived)
      arrived(inboxId, touched.arrived)
      soon()
    },
    emails: (inboxId, threadIds) => {
      const gathered = emails.get(inboxId) ?? new Set()
      emails.set(inboxId, gathered)
      for (const id of threadIds) gathered.add(id)
      // Their words may be found now, or not any more.
      listener().touched(inboxId, threadIds, NONE)
      threads.askSearches(inboxId)
      soon()
    },
    searches: (inboxId) => {
      threads.askSearches(inboxId)
      soon()
    },
    topics: (contactId) => {
      topics.add(contactId)
      soon()
    },
    attachments: (emailId) => {
      attachments.add(emailId)
      soon()
    },
    sync: () => {
      syncChanged = true
      soon()
    },
    everything: (inboxes) => {
      for (const name of IN_THE_CACHE) whole.add(name)
      for (const { id, labelIds } of inboxes) {
        showEverything(id, labelIds)
        drafts.add(id)
      }
      syncChanged = true
      soon()
    },
    sent: (message) => {
      sent.push(message)
      soon()
    },
    drafts: (inboxIds) => {
      for (const inboxId of inboxIds) drafts.add(inboxId)
      soon()
    },
    close: () => {
      flush()
      closed = true
    },
  }
}
