import { MOST_INBOX_PAGES, type FetchedInbox } from '../api/inboxes.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { PAGE_LIMIT } from '../api/requests.ts'
import { lacksOperation, PlatformRefusal } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { FRESH_WALK, type Walk } from '../store/walks.ts'
import { ACCOUNT, type Abilities } from './abilities.ts'
import type { Absence } from './absence.ts'
import { askIfOffered } from './ask-if-offered.ts'
import { createEmailListSync } from './email-list.ts'
import type { FailedLooks, LookedAt } from './failed-looks.ts'
import type { InboxPresence } from './inbox-presence.ts'
import type { WalkStep } from './thread-sync.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

const RECEIVED = 'received'
const SENT = 'sent e-mails'
const CONTACTS = 'contacts'

/** The lists that belong to the account as a whole and not to an inbox. */
export type AccountList = EmailList | typeof CONTACTS
/** Those of them that hold e-mails. */
export type EmailList = typeof RECEIVED | typeof SENT
export const ACCOUNT_LISTS = [RECEIVED, SENT, CONTACTS] as const satisfies readonly AccountList[]
/** By which a window knows them. */
const NAMES = { [RECEIVED]: 'received', [SENT]: 'sent', [CONTACTS]: CONTACTS } as const satisfies Record<
  AccountList,
  LookedAt
>

/** Inboxes that one look asks about because the list does not show them, and because they were gone. */
const MOST_UNLISTED = 10
const MOST_GONE = 2
/** Pages of contacts that one look for news reads at most: what it leaves is walked when nothing else is to be done. */
const MOST_CONTACT_PAGES = 20
/** That a look has left contacts, which outlives an end. */
const CONTACTS_LEFT = 'contacts left'

/** Fetches the account's own lists into the cache, a page at a time. */
export interface AccountListSync {
  /**
   * Inboxes. One that the list does not show is asked about before it is marked, and one that was marked is asked about
   * again. Where the account has no such list (404, 403), what is known of inboxes stays as it is.
   */
  readonly inboxes: (priority: Priority) => Promise<void>
  /** The next page of a list. */
  readonly walk: (list: AccountList, priority: Priority) => Promise<WalkStep>
  /** What is new in a list, over as many pages as that takes. */
  readonly news: (list: AccountList, priority: Priority) => Promise<void>
  /** Asks about one e-mail that its list should show and does not. @returns false where none is left */
  readonly check: (priority: Priority) => Promise<boolean>
  /** Whether a list was walked to its end at least once, or is not offered as far as is known. */
  readonly isDone: (list: AccountList) => boolean
  /** Whether at least its newest page is in the cache, or the list is not offered as far as is known. */
  readonly isBegun: (list: AccountList) => boolean
  /** When the newest rows of a list were last looked at, milliseconds since the epoch; null for never. */
  readonly lookedAt: (list: AccountList | 'inboxes') => number | null
}

/** Whether the account does not have this list, as far as one answer tells. */
const lacksList = (thrown: unknown): boolean =>
  lacksOperation(thrown) ||
  (thrown instanceof PlatformRefusal && thrown.status === 403 && thrown.problem.code === 'refused')

/** How an account without the beta is answered is not known: 403 may name a permission that it lacks. */
const lacksInboxes = (thrown: unknown): boolean =>
  lacksList(thrown) ||
  (thrown instanceof PlatformRefusal && thrown.status === 403 && thrown.problem.code === 'key_restricted')

/** @param parts `signal` ends every request */
export const createAccountListSync = (parts: {
  readonly platform: Pick<
    MailPlatform,
    'listInboxes' | 'listReceivedEmails' | 'getReceivedEmail' | 'listSentEmails' | 'getSentEmail' | 'listContacts'
  >
  readonly cache: Cache
  readonly hub: EventHub
  readonly abilities: Abilities
  readonly absence: Pick<Absence, 'inboxExists'>
  readonly presence: Pick<InboxPresence, 'isBack' | 'isGone'>
  readonly failedLooks: Pick<FailedLooks, 'look'>
  readonly clock?: Clock
  readonly signal: AbortSignal
}): AccountListSync => {
  const { platform, cache, hub, abilities, absence, presence, failedLooks, clock = systemClock, signal } = parts
  const looked = (list: string): void => cache.facts.set(`looked ${list}`, clock.now())
  const seemsMissing = (list: AccountList): boolean => abilities.belief(ACCOUNT, `list ${list}`) === 'seems missing'

  /** The two lists of e-mails, each with its calls, its store and its news, under the same words. */
  const emailLists = {
    [RECEIVED]: createEmailListSync(
      RECEIVED,
      cache,
      signal,
      {
        list: platform.listReceivedEmails,
        get: platform.getReceivedEmail,
        store: cache.receivedEmails,
        changed: hub.receivedEmails,
      },
      clock.now,
    ),
    [SENT]: createEmailListSync(
      SENT,
      cache,
      signal,
      {
        list: platform.listSentEmails,
        get: platform.getSentEmail,
        store: cache.sentEmails,
        changed: hub.sentEmails,
      },
      clock.now,
    ),
  } as const

  /** Whether the contacts are still to be walked from there: meanwhile a look may have had the walk begin anew. */
  const isWalkFrom = ({ cursor, rounds }: Walk): boolean => {
    const now = cache.walks.get(CONTACTS)
    return now.cursor === cursor && now.rounds === rounds
  }

  const walkContacts = async (priority: Priority): Promise<WalkStep> => {
    const walk = cache.walks.get(CONTACTS)
    const page = await platform.listContacts({ priority, signal, after: walk.cursor ?? undefined })
    const last = page.items.at(-1)
    const comesToEnd = !page.hasMore || last === undefined
    const { isChanged, isEnd } = cache.together(() => {
      const round = cache.walks.get(CONTACTS).rounds + 1
      const stored = cache.contacts.storePage(page.items, round)
      if (!page.isWhole) cache.contacts.spareAll(round)
      // What was not met is gone only where all before this page was met in the same round.
      if (!isWalkFrom(walk)) return { isChanged: stored, isEnd: false }
      const swept = comesToEnd && cache.contacts.sweep(round)
      cache.walks.set(CONTACTS, {
        ...walk,
        cursor: comesToEnd ? null : last.id,
        rounds: comesToEnd ? round : walk.rounds,
      })
      if (comesToEnd) cache.facts.set(CONTACTS_LEFT, 0)
      return { isChanged: stored || swept, isEnd: comesToEnd }
    })
    if (isChanged) hub.contacts()
    return { rows: page.items.length, isEnd }
  }

  /** The order of contacts is not promised (contract, 4): a look goes on while its pages bring one that is new. */
  const contactNews = async (priority: Priority): Promise<void> => {
    let after: string | undefined
    for (let count = 0; count < MOST_CONTACT_PAGES; count += 1) {
      const page = await platform.listContacts({ priority, signal, after })
      const brought = page.items.some(({ id }) => !cache.contacts.has(id))
      // The round of now: one that began with the look may be over.
      if (cache.contacts.storePage(page.items, cache.walks.get(CONTACTS).rounds + 1)) hub.contacts()
      after = page.items.at(-1)?.id
      if (!brought || !page.hasMore || after === undefined) return
    }
    cache.together(() => {
      // The walk that is due begins anew: the round in which these pages were met may be over, and the next one has to meet
      // every contact itself before it takes any for gone.
      cache.walks.set(CONTACTS, { ...FRESH_WALK, rounds: cache.walks.get(CONTACTS).rounds })
      cache.facts.set(CONTACTS_LEFT, 1)
    })
  }

  /** Does what only a platform with the list can answer, and learns from the answer. */
  const ask = <Value>(list: AccountList, work: () => Promise<Value>, otherwise: () => Value): Promise<Value> =>
    failedLooks.look(NAMES[list], () =>
      askIfOffered(abilities, `list ${list}`, work, otherwise, { isLacking: lacksList }),
    )

  const listInboxes = async (priority: Priority): Promise<readonly FetchedInbox[]> => {
    const inboxes = new Map<string, FetchedInbox>()
    let after: string | undefined
    for (let count = 0; count < MOST_INBOX_PAGES; count += 1) {
      const page = await platform.listInboxes({ priority, signal, after, limit: PAGE_LIMIT })
      const isNew = page.items.some(({ id }) => !inboxes.has(id))
      for (const inbox of page.items) inboxes.set(inbox.id, inbox)
      after = page.items.at(-1)?.id
      if (!page.hasMore || after === undefined || !isNew) break
    }
    return [...inboxes.values()]
  }

  let goneTurn = 0
  /** Asks about inboxes that were gone, some at a time. */
  const askAboutGone = async (gone: readonly string[], priority: Priority): Promise<void> => {
    const start = gone.length === 0 ? 0 : goneTurn % gone.length
    goneTurn += MOST_GONE
    for (const id of [...gone.slice(start), ...gone.slice(0, start)].slice(0, MOST_GONE)) {
      if (await absence.inboxExists(id, priority)) presence.isBack(id)
    }
  }

  return {
    inboxes: (priority) =>
      failedLooks.look('inboxes', async () => {
        // That there are none is news as well, the first time.
        const isFirstLook = cache.facts.number('looked inboxes') === null
        const listed = await listInboxes(priority).catch((thrown: unknown) => {
          if (!lacksInboxes(thrown)) throw thrown
          return null
        })
        const { isChanged, back, unlisted } =
          listed === null ? { isChanged: false, back: [], unlisted: [] } : cache.inboxes.keepListed(listed)
        for (const id of back) presence.isBack(id)
        looked('inboxes')
        if (isChanged || isFirstLook) hub.inboxes()
        for (const id of unlisted.slice(0, MOST_UNLISTED)) {
          if (!(await absence.inboxExists(id, priority))) presence.isGone(id)
        }
        // A list brings back what it shows again; those that no list shows are asked about.
        const gone = cache.inboxes
          .all()
          .filter(({ inbox, isAdded }) => !inbox.onServer && (listed === null || isAdded))
          .map(({ inbox }) => inbox.id)
        await askAboutGone(gone, priority)
      }),
    walk: (list, priority) =>
      ask<WalkStep>(
        list,
        async () => {
          const walk = cache.walks.get(list)
          try {
            const step = await (list === CONTACTS ? walkContacts(priority) : emailLists[list].walk(priority))
            if (walk.cursor === null) looked(list)
            return step
          } catch (thrown) {
            if (walk.cursor === null || !lacksOperation(thrown)) throw thrown
            // Its cursor is gone: begin again.
            cache.walks.set(list, { ...FRESH_WALK, rounds: cache.walks.get(list).rounds })
            return { rows: 0, isEnd: false, isLost: true }
          }
        },
        () => ({ rows: 0, isEnd: true }),
      ),
    news: (list, priority) =>
      ask(
        list,
        async () => {
          if (list === CONTACTS) await contactNews(priority)
          else if (!(await emailLists[list].news(priority))) return
          looked(list)
        },
        () => undefined,
      ),
    check: async (priority) => (await emailLists[RECEIVED].check(priority)) || emailLists[SENT].check(priority),
    isDone: (list) =>
      (cache.walks.get(list).rounds > 0 && !(list === CONTACTS && cache.facts.number(CONTACTS_LEFT) === 1)) ||
      seemsMissing(list),
    isBegun: (list) => {
      const { rounds, cursor } = cache.walks.get(list)
      return rounds > 0 || cursor !== null || seemsMissing(list)
    },
    lookedAt: (list) => cache.facts.number(`looked ${list}`),
  }
}
