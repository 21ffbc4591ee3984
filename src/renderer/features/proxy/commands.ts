import LogIn from '@lucide/svelte/icons/log-in'
import type { Command } from '../../kernel/commands.ts'

export const signInToProxy: Command = {
  id: 'proxy.signIn',
  name: 'Sign in to the proxy…',
  isUrgent: true,
  words: 'log in network name user password company 407',
  group: 'Linnet',
  icon: LogIn,
  when: ({ session }) => session.sync.status?.proxyNeedingLogin !== undefined,
  run: ({ shell, session }) => {
    const proxy = session.sync.status?.proxyNeedingLogin
    if (proxy !== undefined) shell.proxyLogin.ask(proxy, () => session.sync.look())
  },
}
