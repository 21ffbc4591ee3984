import { MAX_INBOX_PAGES, type FetchedInbox } from '../platform/resources/inboxes.ts'
import type { FetchedReceivedEmail } from '../platform/resources/received-emails.ts'
import { eachPage, PAGE_LIMIT } from '../platform/requests.ts'
import { lacksOperation, PlatformRefusalError } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import type { FetchedSentEmail } from '../platform/resources/sent-emails.ts'
import { NO_LIST_PROGRESS } from '../store/list-progress.ts'
import { ContactListSync } from './contact-list.ts'
import { CONTACTS } from '../store/contact-crawl.ts'
import { parsePerson } from '../store/search-index/searchable-email.ts'
import { ownAddressKey } from '../store/thread-rows.ts'
import { EmailListSync } from './email-list.ts'
import type { SyncErrors, PolledList } from './sync-errors.ts'
import { RepeatedPageGuard } from '../own/repeated-pages.ts'
import type { CrawlStep } from './thread-sync.ts'
import type { AccountServices } from './account-services.ts'

const RECEIVED = 'received'
const SENT = 'sent e-mails'

/** Lists of the account, as opposed to lists of an inbox. */
export type AccountList = EmailList | typeof CONTACTS
export type EmailList = typeof RECEIVED | typeof SENT
export const ACCOUNT_LISTS = [RECEIVED, SENT, CONTACTS] as const satisfies readonly AccountList[]
/** Names of the lists in the API for windows. */
const NAMES = { [RECEIVED]: 'received', [SENT]: 'sent', [CONTACTS]: CONTACTS } as const satisfies Record<
  AccountList,
  PolledList
>

const NO_ADDRESSES: ReadonlySet<string> = new Set()

/** Maximum inboxes checked per poll: unlisted inboxes, and inboxes marked as gone. */
const MAX_UNLISTED = 10
const MAX_GONE = 2

/**
 * True if a response indicates that the account lacks this list. A 403 that isn't JSON comes from a proxy's web page
 * and doesn't count.
 */
const lacksList = (thrown: unknown): boolean =>
  lacksOperation(thrown) ||
  (thrown instanceof PlatformRefusalError &&
    thrown.status === 403 &&
    thrown.problem.code === 'refused' &&
    thrown.isInJson)

/**
 * True if the account seems to have no list of inboxes. It is unknown how the platform responds without the beta; a 403
 * may name a missing permission.
 */
const lacksInboxes = (thrown: unknown): boolean =>
  lacksList(thrown) ||
  (thrown instanceof PlatformRefusalError && thrown.status === 403 && thrown.problem.code === 'key_restricted')

interface AccountListParts extends Pick<
  AccountServices,
  'platform' | 'cache' | 'hub' | 'capabilities' | 'notFound' | 'presence' | 'problems' | 'clock' | 'signal'
> {
  readonly syncErrors: Pick<SyncErrors, 'poll'>
}

export class AccountListSync {
  readonly #parts: AccountListParts
  readonly #emails: {
    readonly received: EmailListSync<FetchedReceivedEmail>
    readonly 'sent e-mails': EmailListSync<FetchedSentEmail>
  }
  readonly #contacts: ContactListSync
  /** Index for rotating through the inboxes marked as gone. */
  #goneTurn = 0

  constructor(parts: AccountListParts) {
    const { platform, cache, hub, signal, clock } = parts
    this.#parts = parts
    const repeatedPages = new RepeatedPageGuard(parts.problems)
    this.#contacts = new ContactListSync({ ...parts, repeatedPages })
    const around = { cache, signal, clock, repeatedPages }
    this.#emails = {
      [RECEIVED]: new EmailListSync({
        ...{ ...around, name: RECEIVED, changed: hub.receivedEmails, store: cache.receivedEmails },
        ...{ list: platform.listReceivedEmails, get: platform.getReceivedEmail },
      }),
      [SENT]: new EmailListSync({
        ...{ ...around, name: SENT, changed: hub.sentEmails, store: cache.sentEmails },
        ...{ list: platform.listSentEmails, get: platform.getSentEmail },
      }),
    }
  }

  /**
   * Polls the list of inboxes. An unlisted inbox is checked before it is marked as gone, and inboxes marked as gone are
   * checked again. If the account has no such list (404, 403), the known inboxes stay.
   */
  inboxes(priority: Priority): Promise<void> {
    return this.#parts.syncErrors.poll('inboxes', () => this.#pollInboxes(priority))
  }

  async crawl(list: AccountList, priority: Priority): Promise<CrawlStep> {
    const { listProgress } = this.#parts.cache
    const crawled = await this.#ask<CrawlStep>(list, async () => {
      const crawl = listProgress.get(list)
      try {
        const step = await (list === CONTACTS ? this.#contacts : this.#emails[list]).crawl(priority)
        if (crawl.cursor === null) this.#notePoll(list)
        return step
      } catch (thrown) {
        if (crawl.cursor === null || !lacksOperation(thrown)) throw thrown
        // The platform no longer knows the cursor's row, so start over.
        listProgress.set(list, { ...NO_LIST_PROGRESS, rounds: listProgress.get(list).rounds })
        return { rows: 0, isEnd: false, isLost: true }
      }
    })
    return crawled ?? { rows: 0, isEnd: true }
  }

  /**
   * Fetches new rows of a list, over as many pages as needed.
   * @returns the addresses at which new e-mails arrived (`ownAddressKey`)
   */
  async news(list: AccountList, priority: Priority): Promise<ReadonlySet<string>> {
    const addresses = await this.#ask(list, async () => {
      if (list === CONTACTS) await this.#contacts.news(priority)
      const fresh = list === CONTACTS ? [] : await this.#emails[list].news(priority)
      if (fresh === null) return NO_ADDRESSES
      this.#notePoll(list)
      const recipients = fresh.flatMap((email) =>
        'receivedFor' in email ? [...email.to, ...email.cc, ...email.bcc, ...email.receivedFor] : [],
      )
      return new Set(recipients.map((recipient) => ownAddressKey(parsePerson(recipient).address)))
    })
    return addresses ?? NO_ADDRESSES
  }

  /** Checks one e-mail that is missing from its list. @returns false if none is left */
  async check(priority: Priority): Promise<boolean> {
    return (await this.#emails[RECEIVED].check(priority)) || this.#emails[SENT].check(priority)
  }

  /** Reads an e-mail again, or marks it as gone if the platform no longer has it. */
  refetch(list: EmailList, id: string, priority: Priority): Promise<void> {
    return this.#emails[list].refetch(id, priority)
  }

  /** True if the list was crawled completely, or if the platform doesn't seem to support it. */
  isDone(list: AccountList): boolean {
    const isWalked =
      this.#parts.cache.listProgress.get(list).rounds > 0 && !(list === CONTACTS && this.#contacts.needsCrawl())
    return isWalked || this.seemsMissing(list)
  }

  /** True if the list's newest page is cached, or if the platform doesn't seem to support the list. */
  isBegun(list: AccountList): boolean {
    const { rounds, cursor } = this.#parts.cache.listProgress.get(list)
    return rounds > 0 || cursor !== null || this.seemsMissing(list)
  }

  /** Time when the newest rows of a list were last fetched, in milliseconds since the epoch; null if never. */
  polledAt(list: AccountList | 'inboxes'): number | null {
    return this.#parts.cache.accountMeta.number(`looked ${list}`)
  }

  #notePoll(list: AccountList | 'inboxes'): void {
    this.#parts.cache.accountMeta.set(`looked ${list}`, this.#parts.clock.now())
  }

  /** True if the platform doesn't seem to support the list. */
  seemsMissing(list: AccountList): boolean {
    return this.#parts.capabilities.belief(`list ${list}`) === 'seems missing'
  }

  /** Runs a request that only works if the platform supports the list, and learns from the outcome. */
  #ask<Value>(list: AccountList, work: () => Promise<Value>): Promise<Value | null> {
    const { capabilities, syncErrors } = this.#parts
    return syncErrors.poll(NAMES[list], () => capabilities.attempt(`list ${list}`, work, { isLacking: lacksList }))
  }

  async #pollInboxes(priority: Priority): Promise<void> {
    const { cache, hub, notFound, presence } = this.#parts
    // The first time, even an empty list is a change.
    const isFirstLook = this.polledAt('inboxes') === null
    const listed = await this.#listInboxes(priority).catch((thrown: unknown) => {
      if (!lacksInboxes(thrown)) throw thrown
      return null
    })
    const { isChanged, back, unlisted } =
      listed === null ? { isChanged: false, back: [], unlisted: [] } : cache.inboxes.storeListed(listed)
    for (const id of back) presence.isBack(id)
    this.#notePoll('inboxes')
    if (isChanged || isFirstLook) hub.inboxes()
    for (const id of unlisted.slice(0, MAX_UNLISTED)) {
      if (!(await notFound.inboxExists(id, priority))) presence.isGone(id)
    }
    // Inboxes that are listed again have been restored by now. Check the others directly.
    const gone = cache.inboxes
      .all()
      .filter(({ inbox, isAdded }) => !inbox.onServer && (listed === null || isAdded))
      .map(({ inbox }) => inbox.id)
    await this.#askAboutGone(gone, priority)
  }

  async #listInboxes(priority: Priority): Promise<readonly FetchedInbox[]> {
    const { platform, signal } = this.#parts
    const inboxes = new Map<string, FetchedInbox>()
    const fetchPage = (after: string | undefined) =>
      platform.listInboxes({ priority, signal, after, limit: PAGE_LIMIT })
    for await (const { items } of eachPage(fetchPage, MAX_INBOX_PAGES)) {
      for (const inbox of items) inboxes.set(inbox.id, inbox)
    }
    return [...inboxes.values()]
  }

  async #askAboutGone(gone: readonly string[], priority: Priority): Promise<void> {
    const { notFound, presence } = this.#parts
    const start = gone.length === 0 ? 0 : this.#goneTurn % gone.length
    this.#goneTurn += MAX_GONE
    for (const id of [...gone.slice(start), ...gone.slice(0, start)].slice(0, MAX_GONE)) {
      if (await notFound.inboxExists(id, priority)) presence.isBack(id)
    }
  }
}
