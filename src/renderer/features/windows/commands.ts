import AppWindow from '@lucide/svelte/icons/app-window'
import ExternalLink from '@lucide/svelte/icons/external-link'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { formatAccountRoute, isThreadRoute } from '../../kernel/route.ts'
import type { Shell } from '../../kernel/session.ts'

/**
 * @param address the part after `#`, as in the contract's `window.open`
 * @param features passed to the browser's `window.open`; if empty, a tab opens
 */
export const openWindow = async ({ backend, toasts }: Shell, address: string, features = ''): Promise<void> => {
  if (window.linnet !== undefined) {
    const opened = await backend.call('window.open', { address })
    if (!opened.ok) toasts.problem(opened.error)
  }
  // A browser opens a tab, without access to its opener.
  else window.open(`${location.pathname}${address === '' ? '' : `#${address}`}`, '_blank', `noopener${features}`)
}

const threadAddress = ({ shell: { route } }: CommandContext): string | null => {
  const { current, accountId } = route
  const isOpen = isThreadRoute(current) && current.threadId !== null
  return isOpen ? formatAccountRoute(current, accountId).slice(1) : null
}

export const WINDOW_COMMANDS: readonly Command[] = [
  {
    id: 'window.new',
    name: 'New window',
    words: 'another second tab screen',
    group: 'Linnet',
    icon: AppWindow,
    keys: ['Mod+Shift+n'],
    inText: true,
    run: ({ shell }) => void openWindow(shell, ''),
  },
  {
    id: 'window.thread',
    name: 'Open in a new window',
    words: 'thread conversation pop out separate tab',
    group: 'Reading',
    icon: ExternalLink,
    when: (context) => threadAddress(context) !== null,
    run: (context) => {
      const address = threadAddress(context)
      if (address !== null) void openWindow(context.shell, address)
    },
  },
]
