import Mail from '@lucide/svelte/icons/mail'
import Paperclip from '@lucide/svelte/icons/paperclip'
import Star from '@lucide/svelte/icons/star'
import UserCheck from '@lucide/svelte/icons/user-check'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute, type ListFilter, type Route } from '../../kernel/route.ts'

export const LIST_FILTERS = [
  { of: 'unread', name: 'Unread', icon: Mail },
  { of: 'files', name: 'Files', icon: Paperclip },
  { of: 'starred', name: 'Starred', icon: Star },
  { of: 'mine', name: 'Mine', icon: UserCheck },
] as const

/** The same list with this filter, or without it if it has it. @returns null for lists that can't be filtered */
export const toggleFilter = (route: Route, filter: ListFilter): Route | null => {
  if (!isThreadRoute(route) || (route.view !== 'folder' && route.view !== 'label')) return null
  const { only, ...list } = route
  return { ...list, threadId: null, ...(only !== filter && { only: filter }) }
}

/** Shows only some threads of the current list, or all again. The first “Mine” asks for the user's name. */
export const applyFilter = ({ shell, session: { assignees } }: CommandContext, filter: ListFilter): void => {
  const { current } = shell.route
  const next = toggleFilter(current, filter)
  if (next === null || !isThreadRoute(current)) return
  if (filter === 'mine' && assignees.me(current.inboxId).length === 0) void assignees.askOwnName(current.inboxId)
  shell.route.go(next)
}

export const FILTER_COMMANDS: readonly Command[] = LIST_FILTERS.map(({ of, name, icon }) => ({
  id: `filter.${of}`,
  name: `Show only: ${name.toLowerCase()}`,
  words: 'filter list only hide others toggle all',
  group: 'Go to',
  icon,
  when: ({ shell }) => toggleFilter(shell.route.current, of) !== null,
  run: (context) => applyFilter(context, of),
}))
