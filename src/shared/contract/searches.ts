/** Searches that are kept: the last ones, and those that a person saved. */
import { z } from 'zod'
import type { RecentSearch, SavedSearch } from '../model.ts'
import { LONGEST_SEARCH } from '../thread-query.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

/** Whatever was typed: how much of it can be kept is told in words. */
const searchText = z.string().max(LONGEST_SEARCH)

export const searchCommands = {
  /** The last searches of the account, newest first, 20 at most. */
  'recentSearch.list': engine<readonly RecentSearch[]>()('joined', nothing),
  /** Puts a search at the top of the last ones; `storage_failed` where it cannot be kept. */
  'recentSearch.add': engine<null>()('each', () => z.object({ text: searchText }).strict()),
  'recentSearch.clear': engine<null>()('each', nothing),
  /** In the person's order, of all inboxes. From the first call on their unread threads are counted. */
  'savedSearch.list': engine<readonly SavedSearch[]>()('joined', nothing),
  /**
   * Saves a search before another one, or at the end. One of the same text in the same inbox is renamed instead.
   * `invalid_input` beyond the bounds of `SEARCH_KEEPING`, `storage_failed` where it cannot be kept.
   */
  'savedSearch.save': engine<SavedSearch>()('refused', () =>
    z.object({ inboxId: id, name: searchText, text: searchText, before: id.nullable().optional() }).strict(),
  ),
  'savedSearch.rename': engine<null>()('refused', () => z.object({ id, name: searchText }).strict()),
  /** Puts a saved search before another one; at the end where that is null or not there any more. */
  'savedSearch.move': engine<null>()('refused', () => z.object({ id, before: id.nullable() }).strict()),
  /** Removing one that is not there any more is no error. */
  'savedSearch.remove': engine<null>()('refused', () => z.object({ id }).strict()),
}

export interface SearchEvents {
  'recentSearches.changed': null
  /** One is new, gone, renamed, elsewhere in the order, or finds another number of unread threads. */
  'savedSearches.changed': null
}
