import SplitSquare from '@lucide/svelte/icons/square-split-horizontal'
import ChevronLeft from '@lucide/svelte/icons/chevron-left'
import ChevronRight from '@lucide/svelte/icons/chevron-right'
import PanelTop from '@lucide/svelte/icons/panel-top'
import type { Command } from '../../kernel/commands.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/palette-items.ts'
import { toTabRoute } from '../search/inbox-tabs-manager.svelte.ts'

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
