/** The tabs over a split inbox: its mail by kind, and saved searches that a person has put there. */

/** A part of an inbox: what a search finds in its folder Inbox. */
export interface InboxTab {
  /** That of the saved search, or of `KIND_TABS`. */
  readonly id: string
  readonly name: string
  /** In the language of search. Whatever folders it names, a tab looks in the inbox alone. */
  readonly text: string
  /** As `SavedSearch.unread`, of the inbox alone. */
  readonly unread: number | null
}

/** Those that every split inbox has. A thread is in each tab whose kind of mail it has. */
export const KIND_TABS: readonly InboxTab[] = [
  { id: 'people', name: 'People', text: 'is:person', unread: null },
  { id: 'newsletters', name: 'Newsletters', text: 'is:newsletter', unread: null },
  { id: 'robots', name: 'Robots', text: 'is:robot', unread: null },
]

/** Saved searches of one inbox that can be tabs: more have no room in a row, nor their counts in the engine's time. */
export const MOST_SEARCH_TABS = 7
