/** What the search bar looks through, an inbox or one of the account's own lists: the bar itself is the same for both. */
import { EMAIL_LISTS, type SearchedList } from '../../../shared/email-query.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Route } from '../../kernel/route.ts'
import type { Session } from '../../kernel/session.ts'

/** What is found, as it is on the screen. */
interface SearchTargetResults {
  /** What the rows were searched for; null where they are no results. */
  readonly text: string | null
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly total: number
  /** Whether what was asked for last is still to come. */
  readonly isArriving: boolean
  /** Whether what is shown is being typed. */
  readonly isTyped: boolean
  /** Whether all who are to be asked were asked. */
  readonly isAsked: boolean
  /** What the platform finds wrong with the search itself. */
  readonly refusal: Problem | null
}

export interface SearchTarget {
  readonly list: SearchedList
  /** The address of a search; null where there is nothing to search. */
  readonly addressOf: (query: string) => Route | null
  /** Where a person is when nothing is searched for. */
  readonly home: Route | null
  /** What an address searches for here; null where it is another's, or no search. */
  readonly queryAt: (route: Route) => string | null
  readonly results: () => SearchTargetResults
  /** A person types this search: it is shown as soon as it has been found. */
  readonly type: (text: string) => void
  /** What was typed is meant to its end. */
  readonly ask: () => void
  /** The same is asked once more. */
  readonly refresh: () => void
}

type Searched = Pick<Session, 'threads' | 'mailboxes' | 'assignees' | 'received' | 'sent'>

/** The threads of an inbox. @param inboxId null where there is none */
const inboxTarget = ({ threads, mailboxes, assignees }: Searched, inboxId: string | null): SearchTarget => ({
  list: 'threads',
  addressOf: (query) => (inboxId === null ? null : { view: 'search', inboxId, query, threadId: null }),
  home: inboxId === null ? null : { view: 'folder', inboxId, folder: 'inbox', threadId: null },
  queryAt: (route) => (route.view === 'search' ? route.query : null),
  results: () => {
    const { rows, route } = threads
    return {
      text: route?.view === 'search' ? route.query : null,
      phase: rows?.phase ?? 'loading',
      total: rows?.total ?? 0,
      isArriving: threads.isArriving,
      isTyped: threads.isTyped,
      isAsked: rows?.searched?.platform.state !== 'not asked',
      refusal: rows?.isRefused === true ? rows.problem : null,
    }
  },
  type: (query) => {
    if (inboxId === null) return
    threads.type({ view: 'search', inboxId, query }, { labels: mailboxes.labels(inboxId), me: assignees.me(inboxId) })
  },
  ask: () => threads.ask(),
  refresh: () => threads.refresh(),
})

/** One of the account's own lists, which is searched on this computer alone. */
const emailTarget = (emails: Searched['received' | 'sent'], list: (typeof EMAIL_LISTS)[number]): SearchTarget => ({
  list,
  addressOf: (query) => ({ view: list, id: null, query }),
  home: { view: list, id: null },
  queryAt: (route) => (route.view === list ? (route.query ?? null) : null),
  results: () => ({
    text: emails.searchedText,
    phase: emails.list.phase,
    total: emails.list.total,
    isArriving: emails.isArriving,
    isTyped: emails.isTyped,
    isAsked: !emails.isTyped,
    refusal: null,
  }),
  type: (text) => emails.type(text),
  ask: () => emails.ask(),
  refresh: () => emails.list.refresh(),
})

/** What is searched by name. @param inboxId of the inbox that the window is about */
export const targetOf = (session: Searched, list: SearchedList, inboxId: string | null): SearchTarget =>
  list === 'threads' ? inboxTarget(session, inboxId) : emailTarget(session[list], list)

/** What the bar searches at an address: the account's list that is shown, else the inbox. */
export const listAt = ({ view }: Route): SearchedList => EMAIL_LISTS.find((list) => list === view) ?? 'threads'
