import type { Component } from 'svelte'
import type { ListCursor } from '../ui/list-cursor.svelte.ts'
import type { RowSource } from '../ui/row-source.ts'
import type { Route } from './route.ts'

interface ListRow {
  readonly id: string
}

/** A list on the screen, and the row that keys act on. */
export interface ScreenList {
  readonly rows: RowSource<ListRow>
  readonly cursor: ListCursor<ListRow>
  /** Whether rows are selected: then going through the list opens none. */
  readonly isSelecting?: boolean
}

/** A screen at one of its addresses. */
export interface ScreenPlace {
  /** The row that is open beside the list. */
  readonly openId: string | null
  /** The address with another row open, or none. */
  readonly opening: (id: string | null) => Route
  /** Where "back" leads from the list itself; null where it leads nowhere. */
  readonly parent: Route | null
  /** Reads what the address names and puts the cursor there. */
  readonly show: () => void
}

/** One of the window's screens: each feature exports its own, and the navigator walks over them. */
export interface Screen {
  readonly View: Component
  /** What it is at an address; null where that is another screen's. */
  readonly at: (route: Route) => ScreenPlace | null
  /** Null where it has no list, or none yet. */
  readonly list: ScreenList | null
  /** Another screen is shown. */
  readonly hide: () => void
  /** Reads everything anew. */
  readonly refresh: () => void
}
