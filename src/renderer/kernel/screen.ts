import type { Component } from 'svelte'
import type { EmailList } from '../../shared/email-query.ts'
import type { Thread } from '../../shared/model.ts'
import type { ListCursor } from '../ui/list-cursor.svelte.ts'
import type { RowSource } from '../ui/row-source.ts'
import type { Route } from './route.ts'

interface ListRow {
  readonly id: string
}

export interface ScreenList {
  readonly rows: RowSource<ListRow>
  readonly cursor: ListCursor<ListRow>
  /** Whether rows are selected: then going through the list opens none. */
  readonly isSelecting?: boolean
}

/** Where mail is opened: in its thread, at one of its e-mails, or at the newest. */
export interface MailPlace {
  readonly thread: Thread
  readonly emailId: string | null
}

/** The mail in a row of a list that is not one of threads: commands about threads act on the thread that it belongs to. */
export interface RowMail {
  /** Null where it belongs to none; `unknown` where that is not known yet; `unsent` where it is still written or on its way. */
  readonly inThread: MailPlace | 'unknown' | 'unsent' | null
  /** The e-mail itself, where it is one of the account's own lists. */
  readonly email: { readonly list: EmailList; readonly id: string; readonly onServer: boolean } | null
}

export interface ScreenPlace {
  /** The row that is open beside the list. */
  readonly openId: string | null
  /** The address with another row open, or none. */
  readonly opening: (id: string | null) => Route
  /** Opens a row elsewhere than beside the list, as a draft in its composer; left out where rows are opened beside it. */
  readonly open?: (id: string) => void
  /** Where "back" leads from the list itself; null where it leads nowhere. */
  readonly parent: Route | null
  /** Reads what the address names and puts the cursor there. */
  readonly show: () => void
}

/** What is on its way: the rows of the list, or what is open beside them; null where all is there. */
export type Arriving = 'list' | 'mail' | null

/** One of the window's screens: each feature exports its own, and the navigator walks over them. */
export interface Screen {
  readonly View: Component
  /** What it is at an address; null where that is another screen's. */
  readonly at: (route: Route) => ScreenPlace | null
  /** Null where it has no list, or none yet. */
  readonly list: ScreenList | null
  /** What of it is on its way, so that keys about it wait; left out where only the list may be, which says so itself. */
  readonly arriving?: Arriving
  /**
   * The mail in a row, by its ID, or in the one under the cursor; null where there is none. Left out where the rows are threads,
   * and where they are no mail.
   */
  readonly mail?: (id: string | null) => RowMail | null
  /** Another screen is shown. */
  readonly hide: () => void
  /** Reads everything anew. */
  readonly refresh: () => void
}
