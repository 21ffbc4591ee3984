import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const createSavedSearchHandlers = ({
  current,
  inboxOf,
}: AccountAccess): DomainHandlers<'recentSearch'> & DomainHandlers<'savedSearch'> & DomainHandlers<'inboxTab'> => ({
  'recentSearch.list': () => current().savedSearches.searches.recent(),
  'recentSearch.add': ({ text }) => current().savedSearches.searches.addRecent(text),
  'recentSearch.clear': () => current().savedSearches.searches.clearRecent(),
  'savedSearch.list': () => {
    const kept = current().savedSearches
    return kept.searches.saved().map((search) => ({ ...search, unread: kept.unreadOf(search.id) }))
  },
  'savedSearch.save': ({ inboxId, name, text, before = null, isTab }) => {
    const kept = current().savedSearches
    const search = kept.searches.save({ inboxId: inboxOf(inboxId).id, name, text, isTab }, before)
    return { ...search, unread: kept.unreadOf(search.id) }
  },
  'savedSearch.rename': ({ id, name }) => current().savedSearches.searches.rename(id, name),
  'savedSearch.move': ({ id, before }) => current().savedSearches.searches.move(id, before),
  'savedSearch.showAsTab': ({ id, isTab }) => current().savedSearches.searches.showAsTab(id, isTab),
  'inboxTab.list': ({ inboxId }) => current().savedSearches.tabs(inboxOf(inboxId).id),
  'savedSearch.remove': ({ id }) => current().savedSearches.searches.remove(id),
})
