import LogIn from '@lucide/svelte/icons/log-in'
import type { Command } from '../../kernel/commands.ts'
import type { SeenLink } from './judge-link.ts'
import { safeLinkTarget } from './safe-link.ts'

/** The network's page is opened by a button of Linnet's, and judged by where it leads alone. */
const BUTTON: SeenLink = { words: ['Open the page'], beside: [], isWordless: false, isCovering: false }

export const openSignInPage: Command = {
  id: 'network.signIn',
  name: 'Open the page',
  words: 'sign in log in network wifi portal hotel',
  group: 'Linnet',
  icon: LogIn,
  keys: [],
  when: ({ session }) => session.sync.status?.signInPage !== undefined,
  run: ({ session }) => {
    const target = safeLinkTarget(session.sync.status?.signInPage ?? '')
    if (target !== null) session.links.follow(target, BUTTON)
  },
}
