import BookmarkPlus from '@lucide/svelte/icons/bookmark-plus'
import FolderSearch from '@lucide/svelte/icons/folder-search'
import Search from '@lucide/svelte/icons/search'
import { SEARCH_KEEPING } from '../../../shared/model.ts'
import { scopeOf } from '../../../shared/thread-query.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { inEveryFolder, isAnywhere } from './edit-search.ts'
import type { NamedSearch } from './saved-searches-manager.svelte.ts'

/** The search on the screen that can be saved; null where it is saved, or at fault and so not worth a name. */
const unsaved = ({ session: { threads, savedSearches } }: CommandContext): NamedSearch | null => {
  const { route, rows } = threads
  if (route?.view !== 'search' || rows?.problem?.code === 'query_invalid') return null
  const { inboxId, query: text } = route
  if (savedSearches.find(inboxId, text) !== undefined) return null
  return { id: null, inboxId, text, name: Array.from(text).slice(0, SEARCH_KEEPING.name).join('') }
}

export const saveSearch: Command = {
  id: 'search.save',
  name: 'Save search',
  words: 'keep bookmark',
  group: 'Actions',
  icon: BookmarkPlus,
  keys: [],
  when: (context) => unsaved(context) !== null,
  run: (context) => {
    const search = unsaved(context)
    if (search !== null) context.session.savedSearches.ask(search)
  },
}

/** Where a search has found nothing, wherever it was asked, and there are folders in which it did not look. */
export const widenSearch: Command = {
  id: 'search.widen',
  name: 'Search in every folder',
  words: 'anywhere widen',
  group: 'Actions',
  icon: FolderSearch,
  keys: ['Enter'],
  when: ({ shell, session: { threads } }) => {
    const { rows } = threads
    if (shell.route.current.view !== 'search' || threads.route?.view !== 'search') return false
    if (rows === null || threads.isFaulty || threads.isTyped) return false
    return rows.phase === 'ready' && rows.total === 0 && !rows.isRefused && !isAnywhere(scopeOf(rows.query))
  },
  run: ({ shell }) => {
    const route = shell.route.current
    if (route.view !== 'search') return
    shell.route.go({ ...route, query: inEveryFolder(route.query), threadId: null })
  },
}

export const SEARCH_COMMANDS: readonly Command[] = [
  {
    id: 'search.focus',
    name: 'Search mail',
    words: 'find look for',
    group: 'Linnet',
    icon: Search,
    keys: ['/'],
    when: ({ session }) => session.inbox.id !== null,
    run: ({ frame }) => frame.focusSearch(),
  },
  saveSearch,
  widenSearch,
]
