import type { RowMail, Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import DraftList from './DraftList.svelte'
import OutboxView from './OutboxView.svelte'
import WaitingView from './WaitingView.svelte'
import WritingWindow from './WritingWindow.svelte'

/** Mail commands don't apply to unsent messages. */
const UNSENT: RowMail = { inThread: 'unsent', email: null }

const createDraftScreen = (
  { writing }: Session,
  view: keyof Session['writing']['lists'],
  View: Screen['View'],
): Screen => ({
  View,
  list: writing.lists[view],
  at: (route) =>
    route.view === view
      ? {
          openId: null,
          opening: () => route,
          // Drafts open in a composer; messages in the outbox have buttons instead.
          ...(view !== 'outbox' && { open: (id) => void writing.resume(id) }),
          parent: null,
          show: () => void writing.load(),
        }
      : null,
  mail: () => (writing.lists[view].rows.total === 0 ? null : UNSENT),
  hide: () => undefined,
  refresh: () => void writing.load(),
})

export const createWritingScreens = (session: Session): readonly Screen[] => [
  createDraftScreen(session, 'drafts', DraftList),
  createDraftScreen(session, 'waiting', WaitingView),
  createDraftScreen(session, 'outbox', OutboxView),
]

export const composeScreen: Screen = {
  View: WritingWindow,
  list: null,
  at: (route) =>
    route.view === 'write' ? { openId: null, opening: () => route, parent: null, show: () => undefined } : null,
  hide: () => undefined,
  refresh: () => undefined,
}
