import CheckCheck from '@lucide/svelte/icons/check-check'
import ListChecks from '@lucide/svelte/icons/list-checks'
import ListX from '@lucide/svelte/icons/list-x'
import SquareCheck from '@lucide/svelte/icons/square-check'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'

const hasThreads = ({ shell, session }: CommandContext): boolean =>
  isThreadRoute(shell.route.current) && (session.threads.rows?.total ?? 0) > 0

/** Moves the cursor and selects everything between it and the start of the selection. */
const extend = ({ session: { threads }, navigator }: CommandContext, delta: 1 | -1): void => {
  const { cursor, selection, rows } = threads
  if (rows === null) return
  const from = cursor.index
  const to = Math.max(0, Math.min(from + delta, rows.total - 1))
  selection.extend(from, to)
  navigator.step(delta)
}

/** Selects the entire list, including rows never loaded. */
export const selectWholeList: Command = {
  id: 'selection.whole',
  name: 'Select all threads in this list',
  words: 'everything whole list beyond page',
  group: 'Selection',
  icon: CheckCheck,
  keys: ['* *'],
  when: (context) => {
    const { left } = context.session.threads.selection
    return hasThreads(context) && (left === null || left.out + left.newer > 0)
  },
  run: ({ session }) => session.threads.selection.addWholeList(),
}

/** Claims Escape while something is selected, so it must come before Back. */
export const clearSelection: Command = {
  id: 'selection.none',
  name: 'Clear selection',
  words: 'clear unselect deselect none',
  group: 'Selection',
  icon: ListX,
  keys: ['* n', 'Escape'],
  when: ({ session }) => !session.threads.selection.isEmpty,
  run: ({ session, frame }) => {
    session.threads.selection.clear()
    frame.focusListFromOutside()
  },
}

export const SELECTION_COMMANDS: readonly Command[] = [
  {
    id: 'selection.toggle',
    name: 'Select',
    words: 'check mark tick unselect',
    group: 'Selection',
    icon: SquareCheck,
    keys: ['x'],
    when: hasThreads,
    run: ({ session: { threads } }) => {
      const thread = threads.rows === null ? undefined : threads.cursor.row(threads.rows)
      if (thread !== undefined) threads.selection.toggle(thread)
    },
  },
  {
    id: 'selection.extendDown',
    name: 'Select the next thread as well',
    words: 'extend down range',
    group: 'Selection',
    keys: ['J'],
    when: hasThreads,
    run: (context) => extend(context, 1),
  },
  {
    id: 'selection.extendUp',
    name: 'Select the previous thread as well',
    words: 'extend up range',
    group: 'Selection',
    keys: ['K'],
    when: hasThreads,
    run: (context) => extend(context, -1),
  },
  {
    id: 'selection.all',
    name: 'Select all shown threads',
    words: 'everything page loaded',
    group: 'Selection',
    icon: ListChecks,
    keys: ['* a', 'Mod+a'],
    when: hasThreads,
    run: ({ session }) => session.threads.selection.addLoaded(),
  },
  selectWholeList,
  clearSelection,
]
