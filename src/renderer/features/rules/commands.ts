import Ban from '@lucide/svelte/icons/ban'
import FileDown from '@lucide/svelte/icons/file-down'
import FileUp from '@lucide/svelte/icons/file-up'
import ListFilter from '@lucide/svelte/icons/list-filter'
import ListPlus from '@lucide/svelte/icons/list-plus'
import type { Thread } from '../../../shared/model.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { findChosenThreads, explainMissingThread } from '../threads/chosen-threads.ts'
import { createEmptyRule } from './new-rule.ts'

/** Rules belong to one account. */
const isOneAccount = ({ shell }: CommandContext): boolean => !shell.isAllInboxes

/** The thread for a new rule. Several threads would have several senders. */
const threadOf = (context: CommandContext): Thread | null => {
  const chosen = findChosenThreads(context)
  const [thread] = chosen?.threads ?? []
  return chosen?.count === 1 && thread !== undefined && isOneAccount(context) ? thread : null
}

const whyNoRule = (context: CommandContext): string | null => {
  if (!isOneAccount(context)) return 'Each rule belongs to one account. Open that account’s inbox first.'
  return (findChosenThreads(context)?.count ?? 0) > 1
    ? 'Choose one thread.'
    : explainMissingThread(context, 'used for a rule')
}

export const makeRule: Command = {
  id: 'rules.fromThread',
  name: 'Create rule from thread…',
  words: 'filter automatic sender label archive make',
  group: 'Actions',
  icon: ListPlus,
  keys: ['F'],
  when: (context) => threadOf(context) !== null,
  disabledReason: whyNoRule,
  run: (context) => {
    const thread = threadOf(context)
    if (thread !== null) void context.session.rules.createFrom(thread)
  },
}

export const blockSender: Command = {
  id: 'rules.block',
  name: 'Block sender',
  words: 'spam junk ban mute person address rule filter',
  isDestructive: true,
  group: 'Actions',
  icon: Ban,
  keys: ['B'],
  when: (context) => threadOf(context) !== null,
  disabledReason: whyNoRule,
  run: (context) => {
    const thread = threadOf(context)
    if (thread !== null) void context.session.rules.block(thread)
  },
}

export const RULE_COMMANDS: readonly Command[] = [
  makeRule,
  blockSender,
  {
    id: 'go.rules',
    name: 'Go to rules',
    words: 'filters automatic sort settings',
    group: 'Go to',
    icon: ListFilter,
    keys: ['g r'],
    when: isOneAccount,
    run: ({ shell }) => shell.route.go({ view: 'settings', section: 'rules' }),
  },
  {
    id: 'rules.new',
    name: 'New rule',
    words: 'filter automatic create add',
    group: 'Linnet',
    icon: ListPlus,
    when: (context) => isOneAccount(context) && context.session.inbox.id !== null,
    run: ({ session: { rules, inbox } }) => {
      if (inbox.id !== null) rules.ask(createEmptyRule(inbox.id))
    },
  },
  {
    id: 'rules.log',
    name: 'Show rule log',
    words: 'log history activity undo filter',
    group: 'Linnet',
    icon: ListFilter,
    when: isOneAccount,
    run: ({ session }) => session.rules.openLog(null),
  },
  {
    id: 'rules.import',
    name: 'Import rules',
    words: 'file filter read',
    group: 'Linnet',
    icon: FileUp,
    when: isOneAccount,
    run: ({ session }) => void session.rules.import(),
  },
  {
    id: 'rules.export',
    name: 'Export rules',
    words: 'file filter save backup',
    group: 'Linnet',
    icon: FileDown,
    when: isOneAccount,
    run: ({ session }) => void session.rules.export(),
  },
]
