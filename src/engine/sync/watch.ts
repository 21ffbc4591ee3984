import { FOLDERS } from '../../shared/model.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { FailedLooks } from './failed-looks.ts'
import { ACCOUNT_LISTS, type AccountList, type AccountListSync } from './account-lists.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { ThreadSync } from './thread-sync.ts'

/** Inboxes of which one look reads a page of the rolling check. */
const MOST_CHECKED_INBOXES = 4

/** The order of the rolling check beside the inbox's own list: docs/sync.md says how long a whole turn takes. */
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

/** What a look reads a page of: the inbox every second time, the others in their order between. */
const checkedAt = (look: number): Checked =>
  look % 2 === 0 ? 'inbox' : (CHECK_ORDER[((look - 1) / 2) % CHECK_ORDER.length] ?? 'labels')

/** Whose news a look asks for beside those of inboxes: the list of inboxes, and every second time e-mails of the account. */
const newsAt = (look: number): 'inboxes' | 'received' | 'sent e-mails' =>
  look % 2 === 0 ? 'inboxes' : look % 4 === 1 ? 'received' : 'sent e-mails'

const isAccountList = (name: Checked): name is Extract<Checked, AccountList> =>
  ACCOUNT_LISTS.some((list) => list === name)

interface WatchParts {
  readonly threads: Pick<ThreadSync, 'news' | 'walk' | 'checkTop' | 'labels'>
  readonly lists: Pick<AccountListSync, 'inboxes' | 'news' | 'walk'>
  readonly inboxes: () => readonly InboxRef[]
  readonly isListed: (inbox: InboxRef) => boolean
  /** Runs work on an inbox; where that is gone, it is marked and the work is no failure. */
  readonly unlessGone: (inbox: InboxRef, work: () => Promise<unknown>) => Promise<void>
  readonly failedLooks: Pick<FailedLooks, 'look'>
  /** Some inboxes were looked at: what they brought can be fetched. */
  readonly lookedAtSome: () => void
}

export class Watch {
  readonly #parts: WatchParts
  #looks = 0

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** One look at the pace of the window: three requests for an account of one inbox where nothing is new. */
  async look(): Promise<void> {
    const { threads, lists, inboxes, isListed, unlessGone } = this.#parts
    const look = this.#looks
    this.#looks += 1
    const other = inboxes().length === 0 ? 'inboxes' : newsAt(look)
    await (other === 'inboxes' ? lists.inboxes('screen') : lists.news(other, 'screen'))
    const known = inboxes()
    const isChecked = (index: number): boolean =>
      known.length <= MOST_CHECKED_INBOXES ||
      (index + look * MOST_CHECKED_INBOXES) % known.length < MOST_CHECKED_INBOXES
    // Wherever the rolling check stands, what is new comes first.
    const looked = new Set<InboxRef>()
    const news = this.#lookAt(known, async (inbox) => {
      await threads.news(inbox, 'screen')
      looked.add(inbox)
    })
    await Promise.allSettled([news])
    const checked = known.filter((inbox, index) => looked.has(inbox) && isChecked(index) && isListed(inbox))
    await settleAll([news, ...checked.map((inbox) => unlessGone(inbox, () => this.#check(inbox, checkedAt(look))))])
    if (known.length === 0) await settleAll(ACCOUNT_LISTS.map((name) => lists.walk(name, 'sync')))
  }

  /** What a person asks for: the news, and whether anything changed that brought no thread to the top. */
  async lookEverywhere(): Promise<void> {
    const { threads, lists, inboxes } = this.#parts
    await settleAll([lists.inboxes('screen'), ...ACCOUNT_LISTS.map((name) => lists.news(name, 'screen'))])
    await this.#lookAt(inboxes(), async (inbox) => {
      await threads.news(inbox, 'screen')
      const tops = FOLDERS.map((folder) => threads.checkTop(inbox, folder, 'screen'))
      await settleAll([threads.labels(inbox, 'screen'), ...tops])
    })
  }

  async #check(inbox: InboxRef, checked: Checked): Promise<void> {
    const { threads, lists } = this.#parts
    if (checked === 'labels') await threads.labels(inbox, 'sync')
    else if (isAccountList(checked)) await lists.walk(checked, 'sync')
    else await threads.walk(inbox, checked, 'sync')
  }

  /** Looks at each inbox by itself: what some brought is fetched, though others could not be looked at. */
  async #lookAt(known: readonly InboxRef[], look: (inbox: InboxRef) => Promise<unknown>): Promise<void> {
    const { unlessGone, failedLooks, lookedAtSome } = this.#parts
    const looked = known.map((inbox) =>
      failedLooks.look({ inboxId: inbox.id }, () => unlessGone(inbox, () => look(inbox))),
    )
    const outcomes = await Promise.allSettled(looked)
    if (outcomes.some(({ status }) => status === 'fulfilled')) lookedAtSome()
    await settleAll(looked)
  }
}
