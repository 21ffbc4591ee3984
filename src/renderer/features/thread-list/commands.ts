import CheckCheck from '@lucide/svelte/icons/check-check'
import Eye from '@lucide/svelte/icons/eye'
import ListChecks from '@lucide/svelte/icons/list-checks'
import ListX from '@lucide/svelte/icons/list-x'
import SquareCheck from '@lucide/svelte/icons/square-check'
import type { Command, CommandContext, PaletteItem, PaletteSource } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import SplitSquare from '@lucide/svelte/icons/square-split-horizontal'
import ChevronLeft from '@lucide/svelte/icons/chevron-left'
import ChevronRight from '@lucide/svelte/icons/chevron-right'
import PanelTop from '@lucide/svelte/icons/panel-top'
import { toTabRoute } from '../search/inbox-tabs-manager.svelte.ts'

const hasThreads = ({ shell, session }: CommandContext): boolean =>
  isThreadRoute(shell.route.current) && (session.threads.rows?.total ?? 0) > 0

/** Claims Space in the list, so it must come before the reader's commands. Space scrolls the open thread otherwise. */
export const quickLook: Command & Required<Pick<Command, 'icon'>> = {
  id: 'list.quickLook',
  name: 'Quick look',
  words: 'preview peek message without opening unread glance',
  group: 'Threads',
  icon: Eye,
  keys: ['Space'],
  inList: true,
  when: ({ shell: { route }, session: { threads } }) => {
    const { current } = route
    const thread = threads.rows === null ? undefined : threads.cursor.row(threads.rows)
    return isThreadRoute(current) && thread !== undefined && thread.id !== current.threadId
  },
  run: ({ session: { threads } }) => threads.showQuickLook(true),
}

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

/** Inactive beyond the last tab, so the Tab key can leave the list. */
const adjacentTabCommand = (
  delta: 1 | -1,
  about: Pick<Command, 'id' | 'name' | 'keys'> & Required<Pick<Command, 'icon'>>,
): Command => ({
  ...about,
  words: 'split inbox tab people newsletters robots switch',
  group: 'Go to',
  inList: true,
  when: ({ shell, session }) => session.inboxTabs.beside(shell.route.current, delta) !== undefined,
  run: ({ shell, session }) => {
    const { current } = shell.route
    const tab = session.inboxTabs.beside(current, delta)
    if (tab !== undefined && current.view === 'folder') shell.route.go(toTabRoute(current.inboxId, tab))
  },
})

export const INBOX_TAB_COMMANDS: readonly Command[] = [
  adjacentTabCommand(1, { id: 'inboxTab.next', name: 'Next inbox tab', keys: ['Tab'], icon: ChevronRight }),
  adjacentTabCommand(-1, {
    id: 'inboxTab.previous',
    name: 'Previous inbox tab',
    keys: ['Shift+Tab'],
    icon: ChevronLeft,
  }),
  {
    id: 'inbox.split',
    name: 'Split inbox: on or off',
    words: 'tabs people newsletters robots focused important other',
    group: 'View',
    icon: SplitSquare,
    keys: ['T'],
    run: ({ shell: { preferences } }) => void preferences.choose({ splitInbox: !preferences.values.splitInbox }),
  },
]

export const inboxTabItems: PaletteSource = ({ session: { inboxTabs, inbox } }) => {
  const inboxId = inbox.id
  if (inboxId === null) return []
  return inboxTabs
    .over({ view: 'folder', inboxId, folder: 'inbox' })
    .filter(({ text }) => text !== null)
    .map((tab): PaletteItem => ({
      id: `tab ${tab.id}`,
      name: tab.name,
      detail: 'Inbox tab',
      icon: PanelTop,
      go: ({ shell }) => shell.route.go(toTabRoute(inboxId, tab)),
    }))
}
