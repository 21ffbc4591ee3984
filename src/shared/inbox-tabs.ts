/** Tabs of a split inbox: its mail by kind, and saved searches chosen by the user. */

/** Part of an inbox: the matches of a search in its Inbox folder. */
export interface InboxTab {
  /** ID of the saved search, or from `KIND_TABS`. */
  readonly id: string
  readonly name: string
  /** A search query. A tab looks only in the inbox, whatever folders the query names. */
  readonly text: string
  /** Like `SavedSearch.unread`, but for the inbox only. */
  readonly unread: number | null
}

/** Tabs of every split inbox. A thread is in each tab that matches any of its mail. */
export const KIND_TABS: readonly InboxTab[] = [
  { id: 'people', name: 'People', text: 'is:person', unread: null },
  { id: 'newsletters', name: 'Newsletters', text: 'is:newsletter', unread: null },
  { id: 'robots', name: 'Robots', text: 'is:robot', unread: null },
]

/** Saved searches per inbox that can be tabs: limited by the row's width and the engine's time for counting. */
export const MAX_SEARCH_TABS = 7
