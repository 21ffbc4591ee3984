import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import Pencil from '@lucide/svelte/icons/pencil'
import Trash from '@lucide/svelte/icons/trash-2'
import type { SavedSearch } from '../../../shared/model.ts'
import type { Action } from '../../ui/action.ts'
import type { SavedSearchesManager } from './saved-searches-manager.svelte.ts'

/** What can be done with a saved search. */
export const savedSearchActions = (savedSearches: SavedSearchesManager, search: SavedSearch): readonly Action[] => {
  const all = savedSearches.of(search.inboxId)
  const at = all.findIndex(({ id }) => id === search.id)
  const move = (delta: 1 | -1): void => void savedSearches.move(search, delta)
  return [
    { name: 'Rename…', icon: Pencil, keys: 'F2', run: () => savedSearches.ask(search) },
    { name: 'Move up', icon: ArrowUp, keys: 'Alt ↑', isDisabled: at <= 0, run: () => move(-1) },
    { name: 'Move down', icon: ArrowDown, keys: 'Alt ↓', isDisabled: at >= all.length - 1, run: () => move(1) },
    { name: 'Delete', icon: Trash, keys: 'Delete', run: () => void savedSearches.remove(search) },
  ]
}
