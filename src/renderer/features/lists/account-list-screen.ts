import type { Component } from 'svelte'
import type { Route } from '../../kernel/route.ts'
import type { RowMail, Screen } from '../../kernel/screen.ts'
import type { ListCursor } from '../../ui/list-cursor.svelte.ts'
import type { RowSource } from '../../ui/row-source.ts'

type AccountListView = Extract<Route, { readonly id: string | null }>['view']

interface AccountList<Row extends { readonly id: string }> {
  /** The list, or the results of its search. */
  readonly list: RowSource<Row>
  readonly cursor: ListCursor<Row>
  /** Left out if rows can't be selected. */
  readonly selection?: { readonly isEmpty: boolean }
  /** Called when the view is displayed, with the open row and the search, if any. */
  readonly show: (id: string | null, query: string | null) => void
  readonly hide: () => void
}

/** @param mail target of thread commands by row ID, or under the cursor for null; left out if the rows aren't mail */
export const createAccountListScreen = <Row extends { readonly id: string }>(
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
