/** Tabs of a split inbox: one per kind of mail, and saved searches chosen by the user. */

/** Part of an inbox: the threads in the inbox folder that match a search. */
export interface InboxTab {
  /** ID of the saved search, or an ID from `KIND_TABS`. */
  readonly id: string
  readonly name: string
  /** A search query. A tab shows only threads in the inbox folder, whatever folders the query names. */
  readonly text: string
  /** Like `SavedSearch.unread`, but only for the inbox folder. */
  readonly unread: number | null
}

/** Tabs of every split inbox. A thread appears in each tab that matches any of its e-mails. */
export const KIND_TABS: readonly InboxTab[] = [
  { id: 'people', name: 'People', text: 'is:person', unread: null },
  { id: 'newsletters', name: 'Newsletters', text: 'is:newsletter', unread: null },
  { id: 'robots', name: 'Robots', text: 'is:robot', unread: null },
]

/**
 * Maximum number of saved searches per inbox that can be tabs, because of the row's width and the engine's time for
 * counting.
 */
export const MAX_SEARCH_TABS = 7
