import type { Component } from 'svelte'
import type { Route } from '../../kernel/route.ts'
import type { RowMail, Screen } from '../../kernel/screen.ts'
import type { ListCursor } from '../../ui/list-cursor.svelte.ts'
import type { RowSource } from '../../ui/row-source.ts'

type AccountListView = Extract<Route, { readonly id: string | null }>['view']

interface AccountList<Row extends { readonly id: string }> {
  /** What is shown now: the list, or what was searched for in it. */
  readonly list: RowSource<Row>
  readonly cursor: ListCursor<Row>
  /** Left out where no rows can be selected. */
  readonly selection?: { readonly isEmpty: boolean }
  /** The view is on the screen, with this one open, and with what this search finds where one is named. */
  readonly show: (id: string | null, query: string | null) => void
  readonly hide: () => void
}

/**
 * A list of the whole account, of which one row is open beside it.
 * @param mail what commands about threads act on, by the ID of a row, or for the one under the cursor; left out where rows are no mail
 */
export const accountListScreen = <Row extends { readonly id: string }>(
  view: AccountListView,
  View: Component,
  source: AccountList<Row>,
  mail: (id: string | null) => RowMail | null = () => null,
): Screen => ({
  View,
  get list() {
    return { rows: source.list, cursor: source.cursor, isSelecting: source.selection?.isEmpty === false }
  },
  at: (route) => {
    if (route.view !== view) return null
    const { id: openId } = route
    const query = route.view === 'contacts' ? undefined : route.query
    return {
      openId,
      opening: (id) => ({ ...route, id }),
      parent: query === undefined ? null : { view, id: null },
      show: () => {
        source.show(openId, query ?? null)
        if (openId !== null) source.cursor.follow(source.list, openId)
      },
    }
  },
  mail,
  hide: () => source.hide(),
  refresh: () => source.list.refresh(),
})
