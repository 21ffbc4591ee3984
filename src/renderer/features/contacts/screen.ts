import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import { accountListScreen } from '../lists/account-list-screen.ts'
import ContactsView from './ContactsView.svelte'

export const contactsScreen = ({ contacts }: Pick<Session, 'contacts'>): Screen =>
  accountListScreen('contacts', ContactsView, contacts)
