import { z } from 'zod'
import type { RecentSearch, SavedSearch } from '../model.ts'
import type { InboxTab } from '../inbox-tabs.ts'
import { LONGEST_SEARCH } from '../thread-query.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

/** Deliberately above the limits: the engine checks those and explains them in its response. */
const searchText = z.string().max(LONGEST_SEARCH)

export const searchCommands = {
  /** Recent searches of the account, newest first, at most 20. */
  'recentSearch.list': engine<readonly RecentSearch[]>()('joined', nothing),
  /** Puts a search at the top of the recent searches; `storage_failed` if it can't be saved. */
  'recentSearch.add': engine<null>()('each', () => z.object({ text: searchText }).strict()),
  'recentSearch.clear': engine<null>()('each', nothing),
  /** Saved searches of all inboxes, in the user's order. The first call starts counting their unread threads. */
  'savedSearch.list': engine<readonly SavedSearch[]>()('joined', nothing),
  /**
   * Saves a search before another one, or at the end. If one with the same text and inbox exists, renames it instead.
   * `invalid_input` beyond `SEARCH_KEEPING`, `storage_failed` if it can't be saved.
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
  /** Moves a saved search before another one, or to the end if `before` is null or gone. */
  'savedSearch.move': engine<null>()('refused', () => z.object({ id, before: id.nullable() }).strict()),
  /** Adds a saved search to its inbox as a tab, or removes the tab. `invalid_input` beyond `MAX_SEARCH_TABS`. */
  'savedSearch.showAsTab': engine<null>()('refused', () => z.object({ id, isTab: z.boolean() }).strict()),
  /** Removes a saved search; no error if it is already gone. */
  'savedSearch.remove': engine<null>()('refused', () => z.object({ id }).strict()),
  /** Tabs of an inbox, in order. The first call starts counting their unread threads. */
  'inboxTab.list': engine<readonly InboxTab[]>()('joined', () => z.object({ inboxId: id }).strict()),
}

export interface SearchEvents {
  'recentSearches.changed': null
  /** A saved search was added, removed, renamed or moved, or the unread count of a saved search or tab changed. */
  'savedSearches.changed': null
}
