import { ProblemError } from '../shared/result.ts'
import { isNotFound } from './api/platform-problem.ts'
import type { MailPlatform } from './api/mail-platform.ts'
import type { EventHub } from './event-hub.ts'
import type { Problems } from './problems/problems.ts'
import type { BrokenRow } from './store/broken-row.ts'
import type { Cache } from './store/cache.ts'
import type { InboxRef } from './store/inboxes.ts'
import { isCorrupt } from './store/storage-problem.ts'
import { FRESH_WALK } from './store/walks.ts'
import type { AccountListSync } from './sync/account-lists.ts'
import type { ThreadSync } from './sync/thread-sync.ts'

const messageOf = (rows: number): string =>
  rows === 1
    ? 'One entry in Linnet’s copy of your mail was damaged. It is downloading again.'
    : `${rows} entries in Linnet’s copy of your mail were damaged. They are downloading again.`

interface RepairParts {
  readonly cache: Cache
  readonly platform: MailPlatform
  readonly hub: EventHub
  /** Both read the cache when they are made, and so may come upon a broken row: they are asked for in a later turn. */
  readonly threads: () => ThreadSync
  readonly lists: () => AccountListSync
  readonly problems: Problems
  readonly signal: AbortSignal
  /** Called with what went wrong and is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
}

/**
 * Repairs broken rows: first with what else the cache knows, so that they are whole at once, then with what the platform
 * says.
 */
export class Repair {
  readonly #parts: RepairParts
  readonly #waiting = new Map<string, BrokenRow>()
  /** Every row that was ever broken, each told of once. */
  readonly #told = new Set<string>()
  #isScheduled = false

  constructor(parts: RepairParts) {
    this.#parts = parts
  }

  /** Take note of a broken row, to repair it in a later turn of the event loop. */
  note(row: BrokenRow): void {
    const key = JSON.stringify(row)
    this.#waiting.set(key, row)
    this.#schedule()
    if (this.#told.has(key)) return
    this.#told.add(key)
    const message = messageOf(this.#told.size)
    this.#parts.problems.raise({ id: 'rows-damaged', code: 'storage_failed', message })
  }

  /** Try again to fetch what could not be fetched. */
  retry(): void {
    if (this.#waiting.size > 0) this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    // A file that turns out to be damaged as a whole meanwhile is told by the cache itself.
    setImmediate(
      () =>
        void this.#repairAll().catch((thrown: unknown) => {
          if (!isCorrupt(thrown)) this.#parts.report(thrown)
        }),
    )
  }

  async #repairAll(): Promise<void> {
    const { signal } = this.#parts
    this.#isScheduled = false
    const rows = [...this.#waiting]
    for (const [, row] of rows) if (!signal.aborted) this.#repairHere(row)
    for (const [key, row] of rows) if (!signal.aborted) await this.#repair(key, row)
  }

  async #repair(key: string, row: BrokenRow): Promise<void> {
    const { signal, report } = this.#parts
    try {
      await this.#fetchAgain(row)
      this.#waiting.delete(key)
    } catch (thrown) {
      // What cannot be asked for now is asked for when the platform can be reached again.
      if (!isNotFound(thrown)) {
        if (!(thrown instanceof ProblemError) && !signal.aborted) report(thrown)
        return
      }
      this.#markGone(row)
      this.#waiting.delete(key)
    }
  }

  /** Put what else is known in the place of the damaged words. */
  #repairHere(row: BrokenRow): void {
    const { cache, hub } = this.#parts
    switch (row.kind) {
      case 'thread':
      case 'emails': {
        const inbox = this.#inboxOf(row.inboxId)
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

  async #fetchAgain(row: BrokenRow): Promise<void> {
    const { cache, platform, hub, threads, lists, signal } = this.#parts
    switch (row.kind) {
      case 'thread':
      case 'emails': {
        const inbox = this.#inboxOf(row.inboxId)
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
        await this.#walkToEnd('contacts')
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

  async #walkToEnd(list: 'contacts'): Promise<void> {
    const { cache, lists } = this.#parts
    cache.walks.set(list, { ...FRESH_WALK, rounds: cache.walks.get(list).rounds })
    for (let isEnd = false; !isEnd;) {
      const step = await lists().walk(list, 'sync')
      // Begun again, it may be lost again at the same place: the rest is for the usual walks.
      isEnd = step.isEnd || step.isLost === true
    }
  }

  #markGone(row: BrokenRow): void {
    const { cache, hub } = this.#parts
    if (row.kind === 'received') {
      cache.receivedEmails.markGone(row.id)
      hub.receivedEmails()
    } else if (row.kind === 'sent e-mails') {
      cache.sentEmails.markGone(row.id)
      hub.sentEmails()
    }
  }

  #inboxOf(inboxId: string): InboxRef | undefined {
    const stored = this.#parts.cache.inboxes.get(inboxId)
    return stored === undefined ? undefined : { key: stored.key, id: inboxId }
  }
}
