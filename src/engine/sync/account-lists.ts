import type { MailPlatform } from '../api/mail-platform.ts'
import { PlatformRefusal } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { FRESH_WALK } from '../store/walks.ts'
import { createEmailListSync } from './email-list.ts'
import type { WalkStep } from './thread-sync.ts'

const RECEIVED = 'received'
const SENT = 'sent e-mails'
const CONTACTS = 'contacts'

/** The lists that belong to the account as a whole and not to an inbox. */
export type AccountList = EmailList | typeof CONTACTS
/** Those of them that hold e-mails. */
export type EmailList = typeof RECEIVED | typeof SENT
export const ACCOUNT_LISTS = [RECEIVED, SENT, CONTACTS] as const satisfies readonly AccountList[]

/** Fetches the account's own lists into the cache, a page at a time. */
export interface AccountListSync {
  /** Inboxes; where the account has none, 404 or 403, the list is empty (contract, private beta). */
  readonly inboxes: (priority: Priority) => Promise<void>
  /** The next page of a list. */
  readonly walk: (list: AccountList, priority: Priority) => Promise<WalkStep>
  /** The newest page of received or of sent e-mails. */
  readonly emailNews: (list: EmailList, priority: Priority) => Promise<void>
  /** Whether a list was walked to its end at least once. */
  readonly isListed: (list: AccountList) => boolean
  /** Whether at least its newest page is in the cache. */
  readonly isBegun: (list: AccountList) => boolean
  /** When a list was last looked at, milliseconds since the epoch; null for never. */
  readonly lookedAt: (list: AccountList | 'inboxes') => number | null
}

/** Whether the platform does not have this list at all. */
const isMissing = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && [403, 404, 405].includes(thrown.status) && !isKeyProblem(thrown)
const isKeyProblem = ({ problem: { code } }: PlatformRefusal): boolean =>
  code === 'key_rejected' || code === 'key_restricted'

/** How an account without the beta is answered is not known: 403 may name a permission that it lacks. */
const hasNoInboxes = (thrown: unknown): boolean =>
  isMissing(thrown) ||
  (thrown instanceof PlatformRefusal && thrown.status === 403 && thrown.problem.code === 'key_restricted')

/** @param signal ends every request */
export const createAccountListSync = (
  platform: MailPlatform,
  cache: Cache,
  hub: EventHub,
  signal: AbortSignal,
): AccountListSync => {
  const looked = (list: string): void => cache.facts.set(`looked ${list}`, Date.now())

  /** The two lists of e-mails, each with its calls, its store and its news, under the same words. */
  const emailLists = {
    [RECEIVED]: createEmailListSync(RECEIVED, cache, signal, isMissing, {
      list: platform.listReceivedEmails,
      get: platform.getReceivedEmail,
      store: cache.receivedEmails,
      changed: hub.receivedEmails,
    }),
    [SENT]: createEmailListSync(SENT, cache, signal, isMissing, {
      list: platform.listSentEmails,
      get: platform.getSentEmail,
      store: cache.sentEmails,
      changed: hub.sentEmails,
    }),
  } as const

  const walkContacts = async (priority: Priority): Promise<WalkStep> => {
    const walk = cache.walks.get(CONTACTS)
    const page = await platform.listContacts({ priority, signal, after: walk.cursor ?? undefined })
    const last = page.items.at(-1)
    const isEnd = !page.hasMore || last === undefined
    const round = walk.rounds + 1
    const isChanged = cache.together(() => {
      const stored = cache.contacts.storePage(page.items, round)
      const swept = isEnd && cache.contacts.sweep(round)
      cache.walks.set(CONTACTS, { ...walk, cursor: isEnd ? null : last.id, rounds: isEnd ? round : walk.rounds })
      return stored || swept
    })
    if (isChanged) hub.contacts()
    return { rows: page.items.length, isEnd }
  }

  return {
    inboxes: async (priority) => {
      // That there are none is news as well, the first time.
      const isFirstLook = cache.facts.number('looked inboxes') === null
      const listed = await platform.listInboxes({ priority, signal }).catch((thrown: unknown) => {
        if (!hasNoInboxes(thrown)) throw thrown
        return { items: [] }
      })
      const isChanged = cache.inboxes.replaceAll(listed.items)
      looked('inboxes')
      if (isChanged || isFirstLook) hub.inboxes()
    },
    walk: async (list, priority) => {
      const walk = cache.walks.get(list)
      try {
        const step = await (list === CONTACTS ? walkContacts(priority) : emailLists[list].walk(priority))
        looked(list)
        return step
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown
        // Its cursor is gone, or the platform has no such list: begin again, or be done with it.
        cache.walks.set(list, { ...FRESH_WALK, rounds: walk.cursor === null ? walk.rounds + 1 : walk.rounds })
        return { rows: 0, isEnd: walk.cursor === null }
      }
    },
    emailNews: async (list, priority) => {
      try {
        await emailLists[list].news(priority)
        looked(list)
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown
      }
    },
    isListed: (list) => cache.walks.get(list).rounds > 0,
    isBegun: (list) => {
      const { rounds, cursor } = cache.walks.get(list)
      return rounds > 0 || cursor !== null
    },
    lookedAt: (list) => cache.facts.number(`looked ${list}`),
  }
}
