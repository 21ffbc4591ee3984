/** Adapters that let the search bar work on an inbox or on Received and Sent. */
import { EMAIL_LISTS, type SearchableList } from '../../../shared/email-query.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Route } from '../../kernel/route.ts'
import type { Session } from '../../kernel/session.ts'

interface SearchTargetResults {
  /** Search text of the displayed rows, or null for a plain list. */
  readonly text: string | null
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly total: number
  /** True while the latest search is loading. */
  readonly isArriving: boolean
  /** True if the displayed search is still being typed. */
  readonly isTyped: boolean
  /** True once all sources, including the platform, have been queried. */
  readonly isFullyQueried: boolean
  /** The platform's objection to the search. */
  readonly refusal: Problem | null
}

export interface SearchTarget {
  readonly list: SearchableList
  /** Route of a search, or null if there is nothing to search. */
  readonly addressOf: (query: string) => Route | null
  /** Route without a search. */
  readonly home: Route | null
  /** Search text of a route, or null if the route isn't a search of this target. */
  readonly queryAt: (route: Route) => string | null
  readonly results: () => SearchTargetResults
  /** Searches while the user types. Results are shown once found. */
  readonly type: (text: string) => void
  /** Ends typing: the last word is complete. */
  readonly ask: () => void
  readonly refresh: () => void
}

type Searched = Pick<Session, 'threads' | 'assignees' | 'received' | 'sent'>

const inboxTarget = ({ threads, assignees }: Searched, inboxId: string | null): SearchTarget => ({
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
      isFullyQueried: rows?.searched?.platform.state !== 'not asked',
      refusal: rows?.isRefused === true ? rows.problem : null,
    }
  },
  type: (query) => {
    if (inboxId === null) return
    threads.type({ view: 'search', inboxId, query }, assignees.searchContext(inboxId))
  },
  ask: () => threads.ask(),
  refresh: () => threads.refresh(),
})

/** Received or Sent, which are only searched locally. */
const emailTarget = (emails: Searched['received' | 'sent'], list: (typeof EMAIL_LISTS)[number]): SearchTarget => ({
  list,
  addressOf: (query) => ({ view: list, id: null, query }),
  home: { view: list, id: null },
  queryAt: (route) => (route.view === list ? (route.query ?? null) : null),
  results: () => ({
    text: emails.search?.text ?? null,
    phase: emails.list.phase,
    total: emails.list.total,
    isArriving: emails.isArriving,
    isTyped: emails.isTyped,
    isFullyQueried: !emails.isTyped,
    refusal: null,
  }),
  type: (text) => emails.type(text),
  ask: () => emails.ask(),
  refresh: () => emails.list.refresh(),
})

/** @param inboxId the current inbox */
export const toSearchTarget = (session: Searched, list: SearchableList, inboxId: string | null): SearchTarget =>
  list === 'threads' ? inboxTarget(session, inboxId) : emailTarget(session[list], list)

/** The displayed Received or Sent list, else threads. */
export const toSearchedList = ({ view }: Route): SearchableList =>
  EMAIL_LISTS.find((list) => list === view) ?? 'threads'
