import { FOLDERS } from '../../shared/model.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { SyncErrors } from './sync-errors.ts'
import { ACCOUNT_LISTS, type AccountList, type AccountListSync } from './account-lists.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { ThreadSync } from './thread-sync.ts'

/** A task whose callers share runs. */
export class SharedPoll {
  readonly #poll: () => Promise<void>
  /** The end of the last run, whatever its outcome. */
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(poll: () => Promise<void>) {
    this.#poll = poll
  }

  /** Joins the next run. A run in progress may have missed a change, so requests made during it share one more run. */
  join(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = null
      const run = this.#poll()
      this.#last = run.catch(() => undefined)
      return run
    })
    return this.#next
  }

  /** Resolves when no run is in progress, whatever its outcome. */
  async ended(): Promise<void> {
    await Promise.allSettled([this.#last, this.#next])
  }
}

const MAX_CHECKED_INBOXES = 4

/** Order of the rolling check, apart from the inbox folder. See docs/sync.md for how long a full round takes. */
const CHECK_ORDER = [
  'archive',
  'sent',
  'labels',
  'archive',
  'spam',
  'received',
  'archive',
  'trash',
  'contacts',
  'archive',
  'sent e-mails',
] as const
type Checked = (typeof CHECK_ORDER)[number] | 'inbox'

/** List to check in a poll: the inbox folder every second time, and the other lists in turn in between. */
const listToCheck = (poll: number): Checked =>
  poll % 2 === 0 ? 'inbox' : (CHECK_ORDER[((poll - 1) / 2) % CHECK_ORDER.length] ?? 'labels')

/** Polled in addition to threads: alternately the list of inboxes and an account-wide e-mail list. */
const newsAt = (poll: number): 'inboxes' | 'received' | 'sent e-mails' =>
  poll % 2 === 0 ? 'inboxes' : poll % 4 === 1 ? 'received' : 'sent e-mails'

const isAccountList = (name: Checked): name is Extract<Checked, AccountList> =>
  ACCOUNT_LISTS.some((list) => list === name)

interface PollerParts {
  readonly threads: Pick<ThreadSync, 'news' | 'crawl' | 'checkTop' | 'labels'>
  readonly lists: Pick<AccountListSync, 'inboxes' | 'news' | 'crawl'>
  readonly inboxes: () => readonly InboxRef[]
  readonly isListed: (inbox: InboxRef) => boolean
  /** Runs work on an inbox. If the inbox is gone, it is marked and no error is thrown. */
  readonly runForInbox: (inbox: InboxRef, work: () => Promise<unknown>) => Promise<void>
  readonly syncErrors: Pick<SyncErrors, 'poll'>
  /** Called after a poll that reached at least one inbox, so its new mail can be fetched. */
  readonly onPolled: () => void
}

export class Poller {
  readonly #parts: PollerParts
  #pollCount = 0

  constructor(parts: PollerParts) {
    this.#parts = parts
  }

  /** A regular poll: three requests for an account with one inbox and nothing new. */
  async poll(): Promise<void> {
    const { threads, lists, inboxes, isListed, runForInbox } = this.#parts
    const poll = this.#pollCount
    this.#pollCount += 1
    const other = inboxes().length === 0 ? 'inboxes' : newsAt(poll)
    await (other === 'inboxes' ? lists.inboxes('screen') : lists.news(other, 'screen'))
    const known = inboxes()
    const isChecked = (index: number): boolean =>
      known.length <= MAX_CHECKED_INBOXES || (index + poll * MAX_CHECKED_INBOXES) % known.length < MAX_CHECKED_INBOXES
    // New mail comes first, whatever the rolling check does.
    const looked = new Set<InboxRef>()
    const news = this.#pollEach(known, async (inbox) => {
      await threads.news(inbox, 'screen')
      looked.add(inbox)
    })
    await Promise.allSettled([news])
    const checked = known.filter((inbox, index) => looked.has(inbox) && isChecked(index) && isListed(inbox))
    await settleAll([news, ...checked.map((inbox) => runForInbox(inbox, () => this.#check(inbox, listToCheck(poll))))])
    if (known.length === 0) await settleAll(ACCOUNT_LISTS.map((name) => lists.crawl(name, 'sync')))
  }

  /** A manual refresh: new mail, and changes that don't move a thread to the top. */
  async refreshAll(): Promise<void> {
    const { threads, lists, inboxes } = this.#parts
    await settleAll([lists.inboxes('screen'), ...ACCOUNT_LISTS.map((name) => lists.news(name, 'screen'))])
    await this.#pollEach(inboxes(), async (inbox) => {
      await threads.news(inbox, 'screen')
      const tops = FOLDERS.map((folder) => threads.checkTop(inbox, folder, 'screen'))
      await settleAll([threads.labels(inbox, 'screen'), ...tops])
    })
  }

  async #check(inbox: InboxRef, checked: Checked): Promise<void> {
    const { threads, lists } = this.#parts
    if (checked === 'labels') await threads.labels(inbox, 'sync')
    else if (isAccountList(checked)) await lists.crawl(checked, 'sync')
    else await threads.crawl(inbox, checked, 'sync')
  }

  /** Polls inboxes independently, so a failure of one doesn't delay new mail in the others. */
  async #pollEach(known: readonly InboxRef[], poll: (inbox: InboxRef) => Promise<unknown>): Promise<void> {
    const { runForInbox, syncErrors, onPolled } = this.#parts
    const looked = known.map((inbox) =>
      syncErrors.poll({ inboxId: inbox.id }, () => runForInbox(inbox, () => poll(inbox))),
    )
    const outcomes = await Promise.allSettled(looked)
    if (outcomes.some(({ status }) => status === 'fulfilled')) onPolled()
    await settleAll(looked)
  }
}
