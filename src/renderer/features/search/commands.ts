import BookmarkPlus from '@lucide/svelte/icons/bookmark-plus'
import FolderSearch from '@lucide/svelte/icons/folder-search'
import ArrowDownLeft from '@lucide/svelte/icons/arrow-down-left'
import Search from '@lucide/svelte/icons/search'
import { STORED_SEARCH_LIMITS, type SavedSearch } from '../../../shared/model.ts'
import { parseSearch } from '../../../shared/search/parse-search.ts'
import { resolveQueryFolders } from '../../../shared/thread-query.ts'
import type { Command, CommandContext, PaletteItem, PaletteSource } from '../../kernel/commands.ts'
import { isEmailListRoute } from '../../kernel/route.ts'
import { withSearchFolders, isAnywhere, widenSearchText } from './edit-search.ts'
import type { NamedSearch } from './saved-searches-manager.svelte.ts'
import AtSign from '@lucide/svelte/icons/at-sign'
import Bookmark from '@lucide/svelte/icons/bookmark'
import User from '@lucide/svelte/icons/user'
import type { CommandOutput } from '../../../shared/contract.ts'
import { quoteValue } from '../../../shared/search/format-search.ts'
import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import PanelTop from '@lucide/svelte/icons/panel-top'
import Pencil from '@lucide/svelte/icons/pencil'
import SquareX from '@lucide/svelte/icons/square-x'
import Trash from '@lucide/svelte/icons/trash-2'
import type { Session } from '../../kernel/session.ts'
import type { Action } from '../../ui/action.ts'

/** The displayed search if it can be saved. Null if already saved or faulty. */
const unsaved = ({ shell, session: { threads, savedSearches } }: CommandContext): NamedSearch | null => {
  const { route, rows } = threads
  // Received and Sent belong to no inbox.
  if (shell.route.current.view !== 'search' || route?.view !== 'search' || threads.isFaulty) return null
  if (rows?.problem?.code === 'query_invalid') return null
  // A search over all inboxes belongs to no single inbox either.
  if (shell.isAllInboxes) return null
  const { inboxId, query: text } = route
  if (savedSearches.find(inboxId, text) !== undefined) return null
  return { id: null, inboxId, text, name: Array.from(text).slice(0, STORED_SEARCH_LIMITS.name).join('') }
}

export const saveSearch: Command = {
  id: 'search.save',
  name: 'Save search',
  words: 'keep bookmark',
  group: 'Search',
  icon: BookmarkPlus,
  when: (context) => unsaved(context) !== null,
  run: (context) => {
    const search = unsaved(context)
    if (search !== null) context.session.savedSearches.ask(search)
  },
}

const foundNoThread = ({ shell, session: { threads } }: CommandContext): boolean => {
  const { rows } = threads
  if (shell.route.current.view !== 'search' || threads.route?.view !== 'search') return false
  if (rows === null || threads.isFaulty || threads.isTyped) return false
  return rows.phase === 'ready' && rows.total === 0 && !rows.isRefused
}

/** True if a search of Received or Sent found nothing, and covered all of it. */
const foundNoEmail = ({ shell, session }: CommandContext): boolean => {
  const { current } = shell.route
  if (!isEmailListRoute(current) || current.query === undefined) return false
  const { list, searched, search, isTyped, isArriving } = session[current.view]
  if (list.phase !== 'ready' || list.total > 0 || search?.query === null || isTyped || isArriving) return false
  return searched !== null && searched.emails >= searched.of
}

/** After a search without results, searches further folders: all mail, then spam and trash. */
export const widenSearch: Command = {
  id: 'search.widen',
  name: 'Search more folders',
  words: 'anywhere everywhere widen all mail spam trash',
  group: 'Search',
  icon: FolderSearch,
  keys: ['Enter'],
  when: (context) => {
    const { threads, inbox } = context.session
    if (foundNoEmail(context)) return inbox.id !== null
    return foundNoThread(context) && threads.rows !== null && !isAnywhere(resolveQueryFolders(threads.rows.query))
  },
  run: ({ shell, session: { inbox, threads } }) => {
    const route = shell.route.current
    const inboxId = route.view === 'search' ? route.inboxId : inbox.id
    const query = route.view === 'search' || isEmailListRoute(route) ? route.query : undefined
    if (inboxId === null || query === undefined) return
    const isOfThreads = route.view === 'search' && threads.rows !== null
    const wider = isOfThreads ? widenSearchText(query, resolveQueryFolders(threads.rows.query)) : query
    shell.route.go({ view: 'search', inboxId, query: wider, threadId: null })
  },
}

/** Text of an inbox search that also works for Received, or null. */
const textForReceived = ({ shell }: CommandContext): string | null => {
  const route = shell.route.current
  if (route.view !== 'search') return null
  const words = withSearchFolders(route.query, null).trim()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { faults } = parseSearch(words, { labels: [], now: shell.clock.now, timeZone, list: 'received' })
  return words === '' || faults.length > 0 ? null : words
}

/** Searches Received: mail that other programs received is in no inbox. */
export const searchReceived: Command = {
  id: 'search.received',
  name: 'Search All received',
  words: 'widen whole account other addresses',
  group: 'Search',
  icon: ArrowDownLeft,
  when: (context) => foundNoThread(context) && textForReceived(context) !== null,
  run: (context) => {
    const query = textForReceived(context)
    if (query !== null) context.shell.route.go({ view: 'received', id: null, query })
  },
}

export const SEARCH_COMMANDS: readonly Command[] = [
  {
    id: 'search.focus',
    name: 'Search mail',
    words: 'find look for',
    group: 'Search',
    icon: Search,
    keys: ['/'],
    when: ({ shell, session }) => session.inbox.id !== null || isEmailListRoute(shell.route.current),
    run: ({ frame }) => frame.focusSearch(),
  },
  saveSearch,
  widenSearch,
  searchReceived,
]

const searchFor = ({ shell }: CommandContext, inboxId: string, query: string): void =>
  shell.route.go({ view: 'search', inboxId, query, threadId: null })

export const savedSearchItems: PaletteSource = ({ session: { savedSearches, inbox } }) =>
  inbox.id === null
    ? []
    : savedSearches.of(inbox.id).map(({ id, name, text, inboxId }): PaletteItem => ({
        id: `saved ${id}`,
        name,
        detail: 'Saved search',
        icon: Bookmark,
        go: (context) => searchFor(context, inboxId, text),
      }))

/** Last entry of the palette: a search for the typed text. None without an inbox. */
export const searchItems = ({ session: { inbox } }: CommandContext, typed: string): readonly PaletteItem[] => {
  const inboxId = inbox.id
  const query = typed.trim()
  if (inboxId === null || query === '') return []
  return [
    {
      id: 'search',
      name: `Search mail for “${query}”`,
      detail: '',
      icon: Search,
      go: (context) => searchFor(context, inboxId, query),
    },
  ]
}

const personOffer = (inboxId: string, { name, address, contactId }: Person): PaletteItem => ({
  id: `person ${address}`,
  name: name ?? address,
  detail: [name === null ? [] : address, contactId === null ? 'Mail from' : 'Contact'].flat().join(' · '),
  icon: contactId === null ? AtSign : User,
  go: (context) => {
    if (contactId === null) searchFor(context, inboxId, `from:${quoteValue(address)}`)
    else context.shell.route.go({ view: 'contacts', id: contactId })
  },
})

/** People matching the typed text. Choosing a contact opens it; choosing anyone else searches for their mail. */
export const peopleItems = async (
  { shell: { backend }, session: { inbox } }: CommandContext,
  typed: string,
): Promise<readonly PaletteItem[]> => {
  const inboxId = inbox.id
  if (inboxId === null || typed.trim() === '') return []
  const found = await backend.call('person.suggest', { inboxId, typed: typed.trim().slice(0, 256), limit: 6 })
  return found.ok ? found.data.map((person) => personOffer(inboxId, person)) : []
}

type Person = CommandOutput<'person.suggest'>[number]

export const listSavedSearchActions = (
  { savedSearches, inboxTabs: { isSplit } }: Pick<Session, 'savedSearches' | 'inboxTabs'>,
  search: SavedSearch,
): readonly Action[] => {
  const all = savedSearches.of(search.inboxId)
  const at = all.findIndex(({ id }) => id === search.id)
  const move = (delta: 1 | -1): void => void savedSearches.move(search, delta)
  return [
    { name: 'Rename…', icon: Pencil, keys: 'F2', run: () => savedSearches.ask(search) },
    { name: 'Move up', icon: ArrowUp, keys: 'Alt ↑', isDisabled: at <= 0, run: () => move(-1) },
    { name: 'Move down', icon: ArrowDown, keys: 'Alt ↓', isDisabled: at >= all.length - 1, run: () => move(1) },
    {
      name: search.isTab === true ? 'Remove tab' : 'Show as tab',
      icon: search.isTab === true ? SquareX : PanelTop,
      // A tab has no effect while the inbox isn't split.
      isDisabled: !isSplit,
      run: () => void savedSearches.showAsTab(search, search.isTab !== true),
    },
    { name: 'Delete', icon: Trash, keys: 'Delete', run: () => void savedSearches.remove(search) },
  ]
}
