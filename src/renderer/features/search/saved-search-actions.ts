import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import PanelTop from '@lucide/svelte/icons/panel-top'
import Pencil from '@lucide/svelte/icons/pencil'
import SquareX from '@lucide/svelte/icons/square-x'
import Trash from '@lucide/svelte/icons/trash-2'
import type { SavedSearch } from '../../../shared/model.ts'
import type { Session } from '../../kernel/session.ts'
import type { Action } from '../../ui/action.ts'

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
      keys: '',
      // A tab has no effect while the inbox isn't split.
      isDisabled: !isSplit,
      run: () => void savedSearches.showAsTab(search, search.isTab !== true),
    },
    { name: 'Delete', icon: Trash, keys: 'Delete', run: () => void savedSearches.remove(search) },
  ]
}
