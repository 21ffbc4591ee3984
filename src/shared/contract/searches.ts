/** Searches that are kept: recent ones, and those that a person saved. */
import { z } from 'zod'
import type { RecentSearch, SavedSearch } from '../model.ts'
import type { InboxTab } from '../inbox-tabs.ts'
import { LONGEST_SEARCH } from '../thread-query.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

/** Longer than any search that is kept: the limit is explained in the answer. */
const searchText = z.string().max(LONGEST_SEARCH)

export const searchCommands = {
  /** Recent searches of the account, newest first, at most 20. */
  'recentSearch.list': engine<readonly RecentSearch[]>()('joined', nothing),
  /** Puts a search at the top of the recent ones; `storage_failed` if it cannot be kept. */
  'recentSearch.add': engine<null>()('each', () => z.object({ text: searchText }).strict()),
  'recentSearch.clear': engine<null>()('each', nothing),
  /** Of all inboxes, in the person's order. From the first call on their unread threads are counted. */
  'savedSearch.list': engine<readonly SavedSearch[]>()('joined', nothing),
  /**
   * Saves a search before another, or at the end. One with the same text in the same inbox is renamed instead.
   * `invalid_input` beyond the bounds of `SEARCH_KEEPING`, `storage_failed` if it cannot be kept.
   */
  'savedSearch.save': engine<SavedSearch>()('refused', () =>
    z
      .object({
        inboxId: id,
        name: searchText,
        text: searchText,
        before: id.nullable().optional(),
        isTab: z.literal(true).optional(),
      })
      .strict(),
  ),
  'savedSearch.rename': engine<null>()('refused', () => z.object({ id, name: searchText }).strict()),
  /** Moves a saved search before another; to the end if that is null or gone. */
  'savedSearch.move': engine<null>()('refused', () => z.object({ id, before: id.nullable() }).strict()),
  /** Makes a saved search a tab over its inbox, or takes the tab away. `invalid_input` beyond `MOST_SEARCH_TABS`. */
  'savedSearch.showAsTab': engine<null>()('refused', () => z.object({ id, isTab: z.boolean() }).strict()),
  /** Removing one that is gone is no error. */
  'savedSearch.remove': engine<null>()('refused', () => z.object({ id }).strict()),
  /** The tabs over an inbox, in their order. From the first call on their unread threads are counted. */
  'inboxTab.list': engine<readonly InboxTab[]>()('joined', () => z.object({ inboxId: id }).strict()),
}

export interface SearchEvents {
  'recentSearches.changed': null
  /** One is new, gone, renamed, moved, or has another number of unread threads; or a tab has. */
  'savedSearches.changed': null
}
