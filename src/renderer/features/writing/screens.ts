import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import DraftsView from './DraftsView.svelte'
import OutboxView from './OutboxView.svelte'

const listScreen = ({ writing }: Session, view: 'drafts' | 'outbox', View: Screen['View']): Screen => ({
  View,
  list: null,
  at: (route) =>
    route.view === view ? { openId: null, opening: () => route, parent: null, show: () => void writing.load() } : null,
  hide: () => undefined,
  refresh: () => void writing.load(),
})

/** What is written and not sent. */
export const draftsScreen = (session: Session): Screen => listScreen(session, 'drafts', DraftsView)

/** What was sent and has not arrived at the platform, or is to be sent by it later. */
export const outboxScreen = (session: Session): Screen => listScreen(session, 'outbox', OutboxView)
