import { ProblemError } from '../shared/result.ts'
import { isNotFound } from './api/platform-problem.ts'
import type { MailPlatform } from './api/mail-platform.ts'
import type { EventHub } from './event-hub.ts'
import type { Problems } from './problems/problems.ts'
import type { BrokenRow } from './store/broken-row.ts'
import type { Cache } from './store/cache.ts'
import { isCorrupt } from './store/storage-problem.ts'
import { FRESH_WALK } from './store/walks.ts'
import type { AccountListSync } from './sync/account-lists.ts'
import type { ThreadSync } from './sync/thread-sync.ts'

export interface Repair {
  /** Takes note of a broken row; what is broken is mended in a later turn of the event loop. */
  readonly note: (row: BrokenRow) => void
  /** Tries again to fetch what could not be fetched. */
  readonly retry: () => void
}

const messageOf = (rows: number): string =>
  rows === 1
    ? 'One entry in Linnet’s copy of your mail was damaged. It is downloading again.'
    : `${rows} entries in Linnet’s copy of your mail were damaged. They are downloading again.`

/**
 * Mends broken rows: first with what else the cache knows, so that they are whole at once, then with what the platform
 * says.
 */
export const createRepair = (parts: {
  readonly cache: Cache
  readonly platform: MailPlatform
  readonly hub: EventHub
  /** Both read the cache when they are made, and so may come upon a broken row: they are asked for in a later turn. */
  readonly threads: () => ThreadSync
  readonly lists: () => AccountListSync
  readonly problems: Problems
  readonly signal: AbortSignal
  /** Something went wrong that is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
}): Repair => {
  const { cache, platform, hub, threads, lists, problems, signal, report } = parts
  const waiting = new Map<string, BrokenRow>()
  /** Every row that was ever broken, each told of once. */
  const told = new Set<string>()
  let isScheduled = false

  const inboxOf = (inboxId: string) => {
    const stored = cache.inboxes.get(inboxId)
    return stored === undefined ? undefined : { key: stored.key, id: inboxId }
  }

  const walkToEnd = async (list: 'contacts'): Promise<void> => {
    cache.walks.set(list, { ...FRESH_WALK, rounds: cache.walks.get(list).rounds })
    for (let isEnd = false; !isEnd;) {
      const step = await lists().walk(list, 'sync')
      // Begun again, it may be lost again at the same place: the rest is for the usual walks.
      isEnd = step.isEnd || step.isLost === true
    }
  }

  /** Puts what else is known in the place of the damaged words. */
  const mendHere = (row: BrokenRow): void => {
    switch (row.kind) {
      case 'thread':
      case 'emails': {
        const inbox = inboxOf(row.inboxId)
        if (inbox === undefined) return
        if (row.kind === 'emails') {
          cache.threads.lackEmails(inbox, row.threadId)
        } else {
          hub.threads(inbox.id, cache.threads.mend(inbox, row.threadId, cache.emails.newest(inbox, row.threadId)))
        }
        return
      }
      case 'received':
        cache.receivedEmails.mend(row.id)
        return
      case 'sent e-mails':
        cache.sentEmails.mend(row.id)
        return
      case 'contacts':
      case 'labels':
      case 'inboxes':
    }
  }

  const fetchAgain = async (row: BrokenRow): Promise<void> => {
    switch (row.kind) {
      case 'thread':
      case 'emails': {
        const inbox = inboxOf(row.inboxId)
        if (inbox === undefined) return
        await threads().fetchAgain(inbox, row.threadId, 'screen')
        cache.emails.settleBroken(inbox, row.threadId)
        hub.emails(inbox.id, [row.threadId])
        return
      }
      case 'received':
        cache.receivedEmails.storeWhole(await platform.getReceivedEmail(row.id, { priority: 'screen', signal }))
        hub.receivedEmails()
        return
      case 'sent e-mails':
        cache.sentEmails.storeWhole(await platform.getSentEmail(row.id, { priority: 'screen', signal }))
        hub.sentEmails()
        return
      case 'contacts':
        await walkToEnd('contacts')
        hub.contacts()
        return
      case 'labels': {
        const found = cache.inboxes.all().find(({ key }) => key === row.inboxKey)
        if (found !== undefined) await threads().labels({ key: found.key, id: found.inbox.id }, 'screen')
        return
      }
      case 'inboxes':
        await lists().inboxes('screen')
    }
  }

  const markGone = (row: BrokenRow): void => {
    if (row.kind === 'received') {
      cache.receivedEmails.markGone(row.id)
      hub.receivedEmails()
    } else if (row.kind === 'sent e-mails') {
      cache.sentEmails.markGone(row.id)
      hub.sentEmails()
    }
  }

  const mend = async (key: string, row: BrokenRow): Promise<void> => {
    try {
      await fetchAgain(row)
      waiting.delete(key)
    } catch (thrown) {
      // What cannot be asked for now is asked for when the platform can be reached again.
      if (!isNotFound(thrown)) {
        if (!(thrown instanceof ProblemError) && !signal.aborted) report(thrown)
        return
      }
      markGone(row)
      waiting.delete(key)
    }
  }

  const mendAll = async (): Promise<void> => {
    isScheduled = false
    const rows = [...waiting]
    for (const [, row] of rows) if (!signal.aborted) mendHere(row)
    for (const [key, row] of rows) if (!signal.aborted) await mend(key, row)
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    // A file that turns out to be damaged as a whole meanwhile is told by the cache itself.
    setImmediate(
      () =>
        void mendAll().catch((thrown: unknown) => {
          if (!isCorrupt(thrown)) report(thrown)
        }),
    )
  }

  return {
    note: (row) => {
      const key = JSON.stringify(row)
      waiting.set(key, row)
      schedule()
      if (told.has(key)) return
      told.add(key)
      problems.raise({ id: 'rows-damaged', code: 'storage_failed', message: messageOf(told.size) })
    },
    retry: () => {
      if (waiting.size > 0) schedule()
    },
  }
}
