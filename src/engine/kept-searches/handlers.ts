import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const keptSearchHandlers = ({
  current,
  inboxOf,
}: AccountAccess): HandlersOf<'recentSearch'> & HandlersOf<'savedSearch'> & HandlersOf<'inboxTab'> => ({
  'recentSearch.list': () => current().keptSearches.searches.recent(),
  'recentSearch.add': ({ text }) => current().keptSearches.searches.addRecent(text),
  'recentSearch.clear': () => current().keptSearches.searches.clearRecent(),
  'savedSearch.list': () => {
    const kept = current().keptSearches
    return kept.searches.saved().map((search) => ({ ...search, unread: kept.unreadOf(search.id) }))
  },
  'savedSearch.save': ({ inboxId, name, text, before = null, isTab }) => {
    const kept = current().keptSearches
    const search = kept.searches.save({ inboxId: inboxOf(inboxId).id, name, text, isTab }, before)
    return { ...search, unread: kept.unreadOf(search.id) }
  },
  'savedSearch.rename': ({ id, name }) => current().keptSearches.searches.rename(id, name),
  'savedSearch.move': ({ id, before }) => current().keptSearches.searches.move(id, before),
  'savedSearch.showAsTab': ({ id, isTab }) => current().keptSearches.searches.showAsTab(id, isTab),
  'inboxTab.list': ({ inboxId }) => current().keptSearches.tabs(inboxOf(inboxId).id),
  'savedSearch.remove': ({ id }) => current().keptSearches.searches.remove(id),
})
