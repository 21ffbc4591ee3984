import type { Events, LinnetEvent, ReplacedLabel } from '../shared/contract.ts'
import { FOLDERS, type SyncStatus } from '../shared/model.ts'
import { isCorrupt } from './store/storage-problem.ts'
import type { TouchedThreads } from './store/touched-threads.ts'
import { systemClock, type Clock } from './timing/clock.ts'

/** One frame of a screen: what happens within it is told once. */
const FRAME_MS = 16

/** Gathers what changed and tells it once a frame, each thing to read again named once. */
export interface EventHub {
  readonly inboxes: () => void
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
  /** Changes of many threads have gone on. */
  readonly changes: () => void
  readonly contacts: () => void
  readonly topics: (contactId: string) => void
  readonly receivedEmails: () => void
  readonly sentEmails: () => void
  readonly exports: () => void
  /** What is here of an e-mail's attachments is another than before, or more of one has come. */
  readonly attachments: (emailId: string) => void
  readonly sync: () => void
  /** Every list may be another: the cache is another file. */
  readonly everything: (inboxes: readonly { readonly id: string; readonly labelIds: readonly string[] }[]) => void
  /** The standing problems are others than before. */
  readonly problems: () => void
  readonly recentSearches: () => void
  readonly savedSearches: () => void
  readonly snippets: () => void
  readonly shareLinks: () => void
  /** Drafts of these inboxes are others than before. */
  readonly drafts: (inboxIds: readonly string[]) => void
  /** The platform has taken a message. */
  readonly sent: (message: Events['draft.sent']) => void
  readonly senderChoices: () => void
  /** More mail is kept, or other choices hold. */
  readonly keeping: () => void
  /** A backup goes on, or when they are made is another. */
  readonly backup: () => void
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

interface Gathered {
  readonly threadIds: Set<string>
  readonly folders: Set<string>
  readonly labelIds: Set<string>
  onlyHere: boolean
  readonly movedHere: Set<string>
  /** Every search may be another. */
  areAllSearches: boolean
}

const nothingGathered = (): Gathered => ({
  threadIds: new Set(),
  folders: new Set(),
  labelIds: new Set(),
  onlyHere: false,
  movedHere: new Set(),
  areAllSearches: false,
})
const NONE: ReadonlySet<string> = new Set()

const entryOf = <Value>(map: Map<string, Value>, key: string, fresh: () => Value): Value => {
  const value = map.get(key) ?? fresh()
  map.set(key, value)
  return value
}

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
  const simple = new Set<
    | 'inboxes.changed'
    | 'contacts.changed'
    | 'changes.progressed'
    | 'receivedEmails.changed'
    | 'sentEmails.changed'
    | 'exports.changed'
    | 'problems.changed'
    | 'recentSearches.changed'
    | 'savedSearches.changed'
    | 'snippets.changed'
    | 'shareLinks.changed'
    | 'senderChoices.changed'
    | 'keeping.changed'
    | 'backup.changed'
  >()
  const labels = new Map<string, ReplacedLabel[]>()
  const topics = new Set<string>()
  const attachments = new Set<string>()
  const drafts = new Set<string>()
  const sent: Events['draft.sent'][] = []
  const threads = new Map<string, Gathered>()
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
    for (const name of simple) emit({ name, payload: null })
    for (const [inboxId, replaced] of labels) emit({ name: 'labels.changed', payload: { inboxId, replaced } })
    for (const [inboxId, { threadIds, folders, labelIds, onlyHere, movedHere, areAllSearches }] of threads) {
      const searches = searchesOf(inboxId)
      // What was touched lies in no search, nor did a list change.
      if (threadIds.size + folders.size + labelIds.size + searches.length === 0 && !areAllSearches) continue
      emit({
        name: 'threads.changed',
        payload: {
          inboxId,
          folders: [...folders],
          labelIds: [...labelIds],
          ...(onlyHere && { onlyHere }),
          ...(movedHere.size > 0 && { movedHere: [...movedHere] }),
          threadIds: [...threadIds],
          searches: areAllSearches ? null : searches,
        },
      })
    }
    for (const [inboxId, threadIds] of emails) {
      emit({ name: 'emails.changed', payload: { inboxId, threadIds: [...threadIds] } })
    }
    for (const contactId of topics) emit({ name: 'topics.changed', payload: { contactId } })
    for (const message of sent) emit({ name: 'draft.sent', payload: message })
    if (drafts.size > 0) emit({ name: 'drafts.changed', payload: { inboxIds: [...drafts] } })
    for (const emailId of attachments) emit({ name: 'attachments.changed', payload: { emailId } })
    if (syncChanged) tellStatus()
    simple.clear()
    labels.clear()
    threads.clear()
    emails.clear()
    topics.clear()
    attachments.clear()
    drafts.clear()
    sent.length = 0
    syncChanged = false
  }

  /** An inbox's labels, and all lists in which they stand. */
  const showEverything = (inboxId: string, labelIds: readonly string[]): void => {
    entryOf(labels, inboxId, (): ReplacedLabel[] => [])
    const gathered = entryOf(threads, inboxId, nothingGathered)
    for (const folder of FOLDERS) gathered.folders.add(folder)
    for (const labelId of labelIds) gathered.labelIds.add(labelId)
    gathered.onlyHere = true
    gathered.areAllSearches = true
  }

  const soon = (): void => {
    if (!closed) cancel ??= clock.after(FRAME_MS, flush)
  }

  return {
    inboxes: () => {
      simple.add('inboxes.changed')
      soon()
    },
    labels: (inboxId, labelIds, replaced) => {
      showEverything(inboxId, labelIds)
      if (replaced !== undefined) labels.get(inboxId)?.push(replaced)
      soon()
    },
    threads: (inboxId, touched, isOwn = false) => {
      if (touched.threadIds.size === 0) return
      const gathered = entryOf(threads, inboxId, nothingGathered)
      if (touched.unread || touched.onlyHere) simple.add('inboxes.changed')
      gathered.onlyHere ||= touched.onlyHere
      if (isOwn) for (const id of touched.moved) gathered.movedHere.add(id)
      for (const id of touched.threadIds) gathered.threadIds.add(id)
      for (const folder of touched.folders) gathered.folders.add(folder)
      for (const labelId of touched.labelIds) gathered.labelIds.add(labelId)
      listener().touched(inboxId, [...touched.threadIds], touched.arrived)
      arrived(inboxId, touched.arrived)
      soon()
    },
    emails: (inboxId, threadIds) => {
      const gathered = entryOf(emails, inboxId, () => new Set())
      for (const id of threadIds) gathered.add(id)
      // Their words may be found now, or not any more.
      listener().touched(inboxId, threadIds, NONE)
      entryOf(threads, inboxId, nothingGathered)
      soon()
    },
    searches: (inboxId) => {
      entryOf(threads, inboxId, nothingGathered)
      soon()
    },
    changes: () => {
      simple.add('changes.progressed')
      soon()
    },
    contacts: () => {
      simple.add('contacts.changed')
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
    receivedEmails: () => {
      simple.add('receivedEmails.changed')
      soon()
    },
    sentEmails: () => {
      simple.add('sentEmails.changed')
      soon()
    },
    sync: () => {
      syncChanged = true
      soon()
    },
    exports: () => {
      simple.add('exports.changed')
      soon()
    },
    everything: (inboxes) => {
      for (const name of [
        'inboxes',
        'contacts',
        'receivedEmails',
        'sentEmails',
        'savedSearches',
        'snippets',
        'shareLinks',
      ] as const) {
        simple.add(`${name}.changed`)
      }
      for (const { id, labelIds } of inboxes) {
        showEverything(id, labelIds)
        drafts.add(id)
      }
      syncChanged = true
      soon()
    },
    problems: () => {
      simple.add('problems.changed')
      soon()
    },
    recentSearches: () => {
      simple.add('recentSearches.changed')
      soon()
    },
    savedSearches: () => {
      simple.add('savedSearches.changed')
      soon()
    },
    snippets: () => {
      simple.add('snippets.changed')
      soon()
    },
    shareLinks: () => {
      simple.add('shareLinks.changed')
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
    senderChoices: () => {
      simple.add('senderChoices.changed')
      soon()
    },
    keeping: () => {
      simple.add('keeping.changed')
      soon()
    },
    backup: () => {
      simple.add('backup.changed')
      soon()
    },
    close: () => {
      flush()
      closed = true
    },
  }
}
