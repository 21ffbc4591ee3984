import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import { accountListScreen } from '../lists/account-list-screen.ts'
import ReceivedView from './ReceivedView.svelte'

export const receivedScreen = ({ received }: Pick<Session, 'received'>): Screen =>
  accountListScreen('received', ReceivedView, received, (id) => received.mail(id))
