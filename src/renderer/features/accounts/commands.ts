import InboxIcon from '@lucide/svelte/icons/inbox'
import Inboxes from '@lucide/svelte/icons/layers'
import UserPlus from '@lucide/svelte/icons/user-plus'
import PlugZap from '@lucide/svelte/icons/plug-zap'
import type { ConnectedAccount } from '../../../shared/contract.ts'
import type { AccountManager } from '../../kernel/account-manager.svelte.ts'
import type { Command } from '../../kernel/commands.ts'
import { MAX_NUMBERED_INBOXES, showAllInboxes, showInbox } from './numbered-inboxes.ts'

/** Browsers use Mod+digit for tabs, so list the working keys first there. */
const keysOf = (number: number): readonly string[] => {
  const keys = [`Mod+${number}`, `g ${number}`]
  return 'linnet' in globalThis ? keys : keys.toReversed()
}

export const inboxCommandId = (number: number): string => `go.inbox.${number}`

export const goToAllInboxes: Command = {
  id: 'go.allInboxes',
  name: 'Go to all inboxes',
  words: 'account unified combined together everything',
  group: 'Go to',
  icon: Inboxes,
  keys: ['g 0'],
  when: ({ shell }) => shell.account.hasSeveral,
  run: ({ shell }) => showAllInboxes(shell.account),
}

/** The account whose connection to test: the one shown, or the only one in “All inboxes”. */
export const findAccountToTest = ({
  shown,
  opened,
}: Pick<AccountManager, 'shown' | 'opened'>): ConnectedAccount | undefined =>
  shown ?? (opened.length === 1 ? opened[0] : undefined)

export const testConnection: Command = {
  id: 'network.test',
  name: 'Test the connection',
  words: 'network offline proxy certificate platform key server diagnose trouble',
  group: 'Help',
  icon: PlugZap,
  when: ({ shell }) => findAccountToTest(shell.account) !== undefined,
  run: ({ frame }) => frame.show('connection test'),
}

export const ACCOUNT_COMMANDS: readonly Command[] = [
  goToAllInboxes,
  ...Array.from({ length: MAX_NUMBERED_INBOXES }, (_none, index): Command => ({
    id: inboxCommandId(index + 1),
    name: `Go to inbox ${index + 1}`,
    words: 'account switch mailbox',
    group: 'Go to',
    icon: InboxIcon,
    keys: keysOf(index + 1),
    inText: true,
    when: ({ shell }) => shell.account.inboxes[index] !== undefined,
    run: ({ shell }) => {
      const found = shell.account.inboxes[index]
      if (found !== undefined) showInbox(shell.account, found)
    },
  })),
  {
    id: 'account.add',
    name: 'Add account…',
    words: 'connect another mailbox key platform demo',
    group: 'Linnet',
    icon: UserPlus,
    run: ({ shell }) => shell.account.askToAdd(true),
  },
]
