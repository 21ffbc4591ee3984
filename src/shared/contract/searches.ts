import { z } from 'zod'
import type { RecentSearch, SavedSearch } from '../model.ts'
import type { InboxTab } from '../inbox-tabs.ts'
import { MAX_SEARCH_LENGTH } from '../thread-query.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, emptyInputSchema } from './inputs.ts'

/** Deliberately above the limits: the engine checks those and explains them in its response. */
const searchText = z.string().max(MAX_SEARCH_LENGTH)

export const searchCommands = {
  /** Recent searches of the account, newest first, at most 20. */
  'recentSearch.list': defineEngineCommand<readonly RecentSearch[]>()('merged', emptyInputSchema),
  /** Puts a search at the top of the recent searches; `storage_failed` if it can't be saved. */
  'recentSearch.add': defineEngineCommand<null>()('merged', () => z.object({ text: searchText }).strict()),
  'recentSearch.clear': defineEngineCommand<null>()('merged', emptyInputSchema),
  /** Saved searches of all inboxes, in the user's order. The first call starts counting their unread threads. */
  'savedSearch.list': defineEngineCommand<readonly SavedSearch[]>()('refused', emptyInputSchema),
  /**
   * Saves a search before another one, or at the end. If one with the same text and inbox exists, renames it instead.
   * `invalid_input` beyond `STORED_SEARCH_LIMITS`, `storage_failed` if it can't be saved.
   */
  'savedSearch.save': defineEngineCommand<SavedSearch>()('refused', () =>
    z
      .object({
        inboxId: idSchema,
        name: searchText,
        text: searchText,
        before: idSchema.nullable().optional(),
        isTab: z.literal(true).optional(),
      })
      .strict(),
  ),
  'savedSearch.rename': defineEngineCommand<null>()('refused', () =>
    z.object({ id: idSchema, name: searchText }).strict(),
  ),
  /** Moves a saved search before another one, or to the end if `before` is null or gone. */
  'savedSearch.move': defineEngineCommand<null>()('refused', () =>
    z.object({ id: idSchema, before: idSchema.nullable() }).strict(),
  ),
  /** Adds a saved search to its inbox as a tab, or removes the tab. `invalid_input` beyond `MAX_SEARCH_TABS`. */
  'savedSearch.showAsTab': defineEngineCommand<null>()('refused', () =>
    z.object({ id: idSchema, isTab: z.boolean() }).strict(),
  ),
  /** Removes a saved search; no error if it is already gone. */
  'savedSearch.remove': defineEngineCommand<null>()('refused', () => z.object({ id: idSchema }).strict()),
  /** Tabs of an inbox, in order. The first call starts counting their unread threads. */
  'inboxTab.list': defineEngineCommand<readonly InboxTab[]>()('merged', () => z.object({ inboxId: idSchema }).strict()),
}

export interface SearchEvents {
  'recentSearches.changed': null
  /** A saved search was added, removed, renamed or moved, or the unread count of a saved search or tab changed. */
  'savedSearches.changed': null
}
