import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import { accountListScreen } from '../lists/account-list-screen.ts'
import SentView from './SentView.svelte'

export const sentScreen = ({ sent }: Pick<Session, 'sent'>): Screen =>
  accountListScreen('sent', SentView, sent, (id) => sent.mail(id))
