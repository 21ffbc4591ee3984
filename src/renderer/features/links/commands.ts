import LogIn from '@lucide/svelte/icons/log-in'
import type { Command } from '../../kernel/commands.ts'

export const openSignInPage: Command = {
  id: 'network.signIn',
  name: 'Open sign-in page',
  words: 'sign in log in network wifi portal hotel',
  group: 'Linnet',
  icon: LogIn,
  when: ({ session }) => session.sync.status?.signInPage !== undefined,
  run: ({ session }) => session.links.followButton(session.sync.status?.signInPage ?? '', 'Open sign-in page'),
}
