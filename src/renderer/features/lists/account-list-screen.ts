import type { Component } from 'svelte'
import type { Route } from '../../kernel/route.ts'
import type { Screen } from '../../kernel/screen.ts'
import type { ListCursor } from '../../ui/list-cursor.svelte.ts'
import type { WindowedList } from '../../ui/windowed-list.svelte.ts'

type AccountListView = Extract<Route, { readonly id: string | null }>['view']

interface AccountList<Row extends { readonly id: string }> {
  readonly list: WindowedList<Row>
  readonly cursor: ListCursor<Row>
  /** The view is on the screen, with this one open. */
  readonly show: (id: string | null) => void
  readonly hide: () => void
}

/** A list of the whole account, of which one row is open beside it. */
export const accountListScreen = <Row extends { readonly id: string }>(
  view: AccountListView,
  View: Component,
  source: AccountList<Row>,
): Screen => ({
  View,
  list: { rows: source.list, cursor: source.cursor },
  at: (route) => {
    if (route.view !== view) return null
    const { id: openId } = route
    return {
      openId,
      opening: (id) => ({ view, id }),
      parent: null,
      show: () => {
        source.show(openId)
        if (openId !== null) source.cursor.follow(source.list, openId)
      },
    }
  },
  hide: () => source.hide(),
  refresh: () => source.list.refresh(),
})
