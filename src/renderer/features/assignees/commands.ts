import CircleUserRound from '@lucide/svelte/icons/circle-user-round'
import UserCheck from '@lucide/svelte/icons/user-check'
import UserPlus from '@lucide/svelte/icons/user-plus'
import UserX from '@lucide/svelte/icons/user-x'
import { isAssigneeLabel, ASSIGNED_QUERIES } from '../../../shared/assignees.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { createInboxListCommand } from '../mailboxes/inbox-list-command.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import { findChosenThreads, type ChosenThreads, explainMissingThread } from '../threads/chosen-threads.ts'

/** Searches for inbox threads by assignee, so they are found, counted and shown like any other search. */
export const ASSIGNED_TO_ME = {
  name: 'Mine',
  query: ASSIGNED_QUERIES.mine,
  of: 'mine',
  commandId: 'go.mine',
  icon: UserCheck,
} as const
export const UNASSIGNED = {
  name: 'Unassigned',
  query: ASSIGNED_QUERIES.nobodys,
  of: 'nobodys',
  commandId: 'go.nobodys',
  icon: UserX,
} as const
export const ASSIGNED_LISTS = [ASSIGNED_TO_ME, UNASSIGNED] as const

export const findAssignedList = (query: string): (typeof ASSIGNED_LISTS)[number] | undefined =>
  ASSIGNED_LISTS.find((list) => list.query === query.trim())

const isAnyChosen = (context: CommandContext): boolean => (findChosenThreads(context)?.threads.length ?? 0) > 0
const why = (context: CommandContext): string | null => explainMissingThread(context, 'assigned')

/** Acts on the chosen threads once their inbox's labels are loaded. */
const withLabels = (context: CommandContext, act: (chosen: ChosenThreads) => void): void => {
  const chosen = findChosenThreads(context)
  if (chosen === null) return
  // In a thread list, the labels are already loaded.
  if (isThreadRoute(context.shell.route.current)) act(chosen)
  else void context.session.mailboxes.loadLabels(chosen.inboxId).then(() => act(chosen))
}

export const pickAssignee: Command = {
  id: 'assign.pick',
  name: 'Assign to…',
  words: 'assignee owner who has it colleague person give delegate hand over @',
  group: 'Actions',
  icon: UserPlus,
  keys: ['@'],
  when: isAnyChosen,
  disabledReason: why,
  run: (context) => withLabels(context, (chosen) => context.session.assignees.open(chosen)),
}

export const assignToMe: Command = {
  id: 'assign.me',
  name: 'Assign to me',
  words: 'take mine own claim assignee',
  group: 'Actions',
  icon: UserCheck,
  keys: ['t'],
  when: isAnyChosen,
  disabledReason: why,
  run: (context) => withLabels(context, (chosen) => void context.session.assignees.assignToMe(chosen)),
}

export const unassign: Command = {
  id: 'assign.nobody',
  name: 'Unassign',
  words: 'assign to nobody release give back remove assignee',
  group: 'Actions',
  icon: UserX,
  when: (context) => {
    const chosen = findChosenThreads(context)
    return chosen !== null && (chosen.hasUnloaded || chosen.threads.some(({ labels }) => labels.some(isAssigneeLabel)))
  },
  run: (context) => withLabels(context, (chosen) => void context.session.assignees.assign(chosen, null)),
}

const chooseOwnName: Command = {
  id: 'assign.whoIAm',
  name: 'Set your name…',
  words: 'who am i assign me assignee identity change',
  group: 'Actions',
  icon: CircleUserRound,
  when: ({ session }) => session.inbox.id !== null,
  run: ({ session: { inbox, assignees } }) => {
    if (inbox.id !== null) void assignees.askOwnName(inbox.id)
  },
}

export const ASSIGNEE_COMMANDS: readonly Command[] = [pickAssignee, assignToMe, unassign, chooseOwnName]

const createGoToCommand = (list: (typeof ASSIGNED_LISTS)[number], keys: readonly string[], words: string): Command =>
  createInboxListCommand(
    { id: list.commandId, name: list.name, words, icon: list.icon, keys },
    (inboxId, { session: { assignees } }) => {
      if (list === ASSIGNED_TO_ME && assignees.me(inboxId).length === 0) void assignees.askOwnName(inboxId)
      return { view: 'search', inboxId, query: list.query, threadId: null }
    },
  )

export const ASSIGNED_LIST_COMMANDS: readonly Command[] = [
  createGoToCommand(ASSIGNED_TO_ME, ['g m'], 'assigned to me my threads'),
  createGoToCommand(UNASSIGNED, ['g n'], 'nobody’s no one free threads'),
]
