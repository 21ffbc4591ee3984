import { FOLDERS } from '../../shared/model.ts'
import { ownAddressKey } from '../store/thread-rows.ts'
import type { InboxRef, StoredInbox } from '../store/inboxes.ts'
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

/** List to check in an inbox's round: the inbox folder every second time, and the other lists in turn in between. */
const listToCheck = (round: number): Checked =>
  round % 2 === 0 ? 'inbox' : (CHECK_ORDER[((round - 1) / 2) % CHECK_ORDER.length] ?? 'labels')

/** Inboxes that are polled each time if no list of received e-mails tells which have new mail. */
const INBOXES_WITHOUT_RECEIVED = 4

const isAccountList = (name: Checked): name is Extract<Checked, AccountList> =>
  ACCOUNT_LISTS.some((list) => list === name)

interface PollerParts {
  readonly threads: Pick<ThreadSync, 'news' | 'crawl' | 'checkTop' | 'labels'>
  readonly lists: Pick<AccountListSync, 'inboxes' | 'news' | 'crawl' | 'seemsMissing'>
  readonly inboxes: () => readonly StoredInbox[]
  /** ID of the inbox whose list a window read last. */
  readonly viewed: () => string | null
  readonly isListed: (inbox: InboxRef) => boolean
  /** Runs work on an inbox. If the inbox is gone, it is marked and no error is thrown. */
  readonly runForInbox: (inbox: InboxRef, work: () => Promise<unknown>) => Promise<void>
  readonly syncErrors: Pick<SyncErrors, 'poll'>
  /** Called after a poll that reached at least one inbox, so its new mail can be fetched. */
  readonly onPolled: () => void
}

/** Names the inbox on the screen every second time, and the others in turn in between. */
const createTurns = () => {
  let [turn, others] = [-1, -1]
  return <Inbox extends InboxRef>(known: readonly Inbox[], viewed: string | null): Inbox | undefined => {
    turn += 1
    const onScreen = turn % 2 === 0 ? known.find(({ id }) => id === viewed) : undefined
    if (onScreen !== undefined) return onScreen
    others += 1
    return known[others % known.length]
  }
}

export class Poller {
  readonly #parts: PollerParts
  readonly #inboxToPoll = createTurns()
  readonly #inboxToCheck = createTurns()
  /** Number of checks of each inbox. */
  readonly #rounds = new Map<string, number>()
  /** Inboxes that were polled since the last e-mail arrived in them. */
  readonly #polled = new Set<string>()
  #pollCount = 0

  constructor(parts: PollerParts) {
    this.#parts = parts
  }

  /**
   * A regular poll: three requests if nothing is new, however many inboxes there are. The list of received e-mails tells
   * which inboxes have new mail.
   * @param isFed true if a webhook's event log tells of changes; every second poll then only checks
   */
  async poll(isFed: boolean): Promise<void> {
    const { lists, inboxes, viewed } = this.#parts
    const poll = this.#pollCount
    this.#pollCount += 1
    const isListPolled = poll === 0 || inboxes().length === 0
    if (isListPolled) await lists.inboxes('screen')
    const isOnlyCheck = isFed && poll % 2 === 1
    // The first poll reads every inbox anyway.
    const received = isOnlyCheck || poll === 0 ? Promise.resolve() : this.#pollReceived()
    const [told] = await Promise.allSettled([received])
    const known = inboxes()
    const isTold = told.status === 'fulfilled' && !lists.seemsMissing('received')
    const most = isOnlyCheck ? 0 : isTold ? 1 : INBOXES_WITHOUT_RECEIVED
    const inTurn = Array.from({ length: most }, () => this.#inboxToPoll(known, viewed()))
    // New mail comes first, whatever else is polled.
    const news = this.#pollEach(known.filter((inbox) => inTurn.includes(inbox) || !this.#polled.has(inbox.id)))
    await Promise.allSettled([news])
    await settleAll([received, news, this.#pollOther(poll, isFed, isListPolled)])
    if (known.length === 0) await settleAll(ACCOUNT_LISTS.map((name) => lists.crawl(name, 'sync')))
  }

  /** A manual refresh: new mail, and changes that don't move a thread to the top. */
  async refreshAll(): Promise<void> {
    const { threads, lists, inboxes, runForInbox } = this.#parts
    await settleAll([lists.inboxes('screen'), ...ACCOUNT_LISTS.map((name) => lists.news(name, 'screen'))])
    const known = inboxes()
    const news = this.#pollEach(known)
    await Promise.allSettled([news])
    const tops = known.map((inbox) =>
      runForInbox(inbox, () =>
        settleAll([
          threads.labels(inbox, 'screen'),
          ...FOLDERS.map((folder) => threads.checkTop(inbox, folder, 'screen')),
        ]),
      ),
    )
    await settleAll([news, ...tops])
  }

  async #pollReceived(): Promise<void> {
    const { lists, inboxes } = this.#parts
    const addresses = await lists.news('received', 'screen')
    for (const { id, inbox } of inboxes()) {
      if (addresses.has(ownAddressKey(inbox.emailAddress))) this.#polled.delete(id)
    }
  }

  /** One more request: the sent e-mails, the list of inboxes, or a page of the rolling check. */
  async #pollOther(poll: number, isFed: boolean, isListPolled: boolean): Promise<void> {
    const { lists } = this.#parts
    if (isFed ? poll % 2 === 0 : poll % 4 === 2) await lists.news('sent e-mails', 'screen')
    else if (isFed ? poll % 8 !== 7 : poll % 2 === 1) await this.#check()
    else if (!isListPolled) await lists.inboxes('screen')
  }

  /** One page of the rolling check. */
  async #check(): Promise<void> {
    const { threads, lists, inboxes, viewed, isListed, runForInbox } = this.#parts
    const inbox = this.#inboxToCheck(inboxes(), viewed())
    if (inbox === undefined || !isListed(inbox)) return
    const round = this.#rounds.get(inbox.id) ?? 0
    this.#rounds.set(inbox.id, round + 1)
    const checked = listToCheck(round)
    await runForInbox(inbox, async () => {
      if (checked === 'labels') await threads.labels(inbox, 'sync')
      else if (isAccountList(checked)) await lists.crawl(checked, 'sync')
      else await threads.crawl(inbox, checked, 'sync')
    })
  }

  /** Polls inboxes independently, so a failure of one doesn't delay new mail in the others. */
  async #pollEach(known: readonly InboxRef[]): Promise<void> {
    const { threads, runForInbox, syncErrors, onPolled } = this.#parts
    const looked = known.map((inbox) =>
      syncErrors.poll({ inboxId: inbox.id }, () =>
        runForInbox(inbox, async () => {
          this.#polled.add(inbox.id)
          try {
            await threads.news(inbox, 'screen')
          } catch (thrown) {
            this.#polled.delete(inbox.id)
            throw thrown
          }
        }),
      ),
    )
    const outcomes = await Promise.allSettled(looked)
    if (outcomes.some(({ status }) => status === 'fulfilled')) onPolled()
    await settleAll(looked)
  }
}
