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
  /** True while rows are selected: moving through the list then opens no row. */
  readonly isSelecting?: boolean
}

/** Where to open mail: its thread, at an e-mail or at the newest. */
export interface MailTarget {
  readonly thread: Thread
  readonly emailId: string | null
}

/** The mail behind a row that isn't a thread itself, such as a share link; thread commands act on its thread. */
export interface RowMail {
  /** Null for mail without a thread; `unknown` until that is known; `unsent` while being written or sent. */
  readonly inThread: MailTarget | 'unknown' | 'unsent' | null
  /** The e-mail, if from one of the account's own lists. */
  readonly email: { readonly list: EmailList; readonly id: string; readonly onServer: boolean } | null
}

export interface ScreenPlace {
  readonly openId: string | null
  /** Address with a different row open, or none. */
  readonly opening: (id: string | null) => Route
  /** Target of "back" from the list, or null. */
  readonly parent: Route | null
  /** Loads what the address names and moves the cursor there. */
  readonly show: () => void
}

/** The part that is loading: list rows or open mail; null if none. */
export type LoadingPart = 'list' | 'mail' | null

/** A screen of the window. Each feature exports its screens, and the navigator uses them. */
export interface Screen {
  readonly View: Component
  /** Null if the address belongs to another screen. */
  readonly at: (route: Route) => ScreenPlace | null
  /** Null if there is no list, or not yet. */
  readonly list: ScreenList | null
  /** The part that is still loading; keys wait for it. Omitted if only the list loads, which reports that itself. */
  readonly loadingPart?: LoadingPart
  /** Mail of a row by ID, or of the cursor's row; null if none. Omitted if rows are threads or not mail. */
  readonly mail?: (id: string | null) => RowMail | null
  readonly hide: () => void
  readonly refresh: () => void
}
