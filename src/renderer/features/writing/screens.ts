import type { RowMail, Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import DraftsView from './DraftsView.svelte'
import OutboxView from './OutboxView.svelte'
import WaitingView from './WaitingView.svelte'
import WritingWindow from './WritingWindow.svelte'

/** Rows of both draft lists: mail commands don't apply to unsent messages. */
const UNSENT: RowMail = { inThread: 'unsent', email: null }

const draftList = (
  { writing }: Session,
  view: 'drafts' | 'waiting',
  View: Screen['View'],
  listOf: () => NonNullable<Screen['list']>,
): Screen => ({
  View,
  get list() {
    return listOf()
  },
  at: (route) =>
    route.view === view
      ? {
          openId: null,
          opening: () => route,
          open: (id) => void writing.resume(id),
          parent: null,
          show: () => void writing.load(),
        }
      : null,
  mail: () => (listOf().rows.total === 0 ? null : UNSENT),
  hide: () => undefined,
  refresh: () => void writing.load(),
})

export const createDraftsScreen = (session: Session): Screen =>
  draftList(session, 'drafts', DraftsView, () => ({ rows: session.writing.rows, cursor: session.writing.cursor }))

/** Replies drafted by others: read next to the list, edited in a composer. */
export const createWaitingDraftsScreen = (session: Session): Screen =>
  draftList(session, 'waiting', WaitingView, () => session.writing.waiting)

/** Messages not yet on the platform, and scheduled ones. */
export const createOutboxScreen = ({ writing }: Session): Screen => ({
  View: OutboxView,
  get list() {
    return { rows: writing.outboxRows, cursor: writing.leavingCursor }
  },
  at: (route) =>
    route.view === 'outbox'
      ? { openId: null, opening: () => route, parent: null, show: () => void writing.load() }
      : null,
  mail: () => (writing.outboxRows.total === 0 ? null : UNSENT),
  hide: () => undefined,
  refresh: () => void writing.load(),
})

export const composeScreen: Screen = {
  View: WritingWindow,
  list: null,
  at: (route) =>
    route.view === 'write' ? { openId: null, opening: () => route, parent: null, show: () => undefined } : null,
  hide: () => undefined,
  refresh: () => undefined,
}
