import ArrowDownNarrowWide from '@lucide/svelte/icons/arrow-down-narrow-wide'
import ArrowDownWideNarrow from '@lucide/svelte/icons/arrow-down-wide-narrow'
import Hourglass from '@lucide/svelte/icons/hourglass'
import type { ListOrder } from '../../../shared/list-order.ts'
import type { Preferences } from '../../../shared/preferences.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute, toListSearch, type ThreadListRoute } from '../../kernel/route.ts'

export const SORT_ORDERS = [
  { order: 'newest', name: 'Newest first', icon: ArrowDownWideNarrow },
  { order: 'oldest', name: 'Oldest first', icon: ArrowDownNarrowWide },
  { order: 'waiting', name: 'Longest waiting first', icon: Hourglass },
] as const

/** Name of a list's kind in the preferences. Null for a search, also within a list: it loads newest first. */
const listKind = (route: ThreadListRoute): string | null => {
  if (route.view !== 'folder' && route.view !== 'label') return null
  if (toListSearch(route) !== '') return null
  return route.view === 'folder' ? route.folder : 'label'
}

export const findChosenOrder = ({ listOrders }: Pick<Preferences, 'listOrders'>, route: ThreadListRoute): ListOrder =>
  listOrders[listKind(route) ?? ''] ?? 'newest'

/** Sorts this list, and all of its kind, from now on. */
export const sortList = ({ shell, session: { assignees, threads } }: CommandContext, order: ListOrder): void => {
  const { preferences, route } = shell
  const { current } = route
  const kind = isThreadRoute(current) ? listKind(current) : null
  if (kind === null || !isThreadRoute(current)) return
  const { [kind]: _previous, ...others } = preferences.values.listOrders
  void preferences.choose({ listOrders: order === 'newest' ? others : { ...others, [kind]: order } })
  threads.show(current, assignees.searchContext(current.inboxId))
}

export const SORT_COMMANDS: readonly Command[] = SORT_ORDERS.map(({ order, name, icon }) => ({
  id: `sort.${order}`,
  name: `Sort: ${name.toLowerCase()}`,
  words: 'order list by date age customers unanswered reverse',
  group: 'View',
  icon,
  when: ({ session: { threads } }) => threads.rows?.order !== order && threads.orders.includes(order),
  run: (context) => sortList(context, order),
}))
