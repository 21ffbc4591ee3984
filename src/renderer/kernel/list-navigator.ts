import { tick } from 'svelte'
import type { FrameActions } from './commands.ts'
import type { Route } from './route.ts'
import type { RouteManager } from './route-manager.svelte.ts'
import type { LoadingPart, RowMail, Screen, ScreenList, ScreenPlace } from './screen.ts'

interface ShownScreen {
  readonly screen: Screen
  readonly place: ScreenPlace
}

/** Moves through the displayed screen's list, and opens and closes its rows, in the same way for all screens. */
export class ListNavigator {
  readonly #route: Readonly<RouteManager>
  readonly #screens: readonly Screen[]
  readonly #frame: FrameActions

  constructor(route: Readonly<RouteManager>, screens: readonly Screen[], frame: FrameActions) {
    this.#route = route
    this.#screens = screens
    this.#frame = frame
  }

  /** Null if the address matches no screen, for example at startup. */
  get screen(): Screen | null {
    return this.#shown?.screen ?? null
  }

  get hasList(): boolean {
    return this.#list !== null
  }

  get loadingPart(): LoadingPart {
    return this.#list?.rows.phase === 'loading' ? 'list' : (this.screen?.loadingPart ?? null)
  }

  get isReading(): boolean {
    return this.#openId !== null
  }

  /** Mail that commands act on outside thread lists: the pointed row's, else the open one, else the cursor's. */
  mail(pointedId: string | null): RowMail | null {
    const shown = this.#shown
    return shown?.screen.mail?.(pointedId ?? shown.place.openId) ?? null
  }

  show(route: Route): void {
    for (const screen of this.#screens) {
      const place = screen.at(route)
      if (place === null) screen.hide()
      else place.show()
    }
  }

  refresh(): void {
    for (const screen of this.#screens) screen.refresh()
  }

  /** Opens a row. Further rows replace it in the history, so "back" returns to where the user came from. */
  open(id: string): void {
    const place = this.#shown?.place
    if (place === undefined) return
    if (place.openId === null) this.#route.go(place.opening(id))
    else this.#route.replace(place.opening(id))
  }

  /** Follows a clicked link to mail in its own list, where "back" returns to the current one. Leaves clicks for a new window to the browser. */
  onLinkClick(event: MouseEvent, route: Route): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    this.#route.visit(route)
  }

  /** True if the open mail was reached from another list, where "back" returns. */
  get isVisiting(): boolean {
    return this.#openId !== null && this.#route.origin !== null
  }

  /** Replaces the open row, which is leaving the list, with another or none. */
  replaceOpen(id: string | null): void {
    const place = this.#shown?.place
    if (place === undefined) return
    this.#route.replace(place.opening(id))
    if (id === null) void this.#focusListSoon()
  }

  openAtCursor(): void {
    const list = this.#list
    const row = list?.cursor.row(list.rows)
    if (row !== undefined) this.open(row.id)
  }

  /** Moves the cursor; an open row follows unless rows are selected. */
  step(delta: number): void {
    // Focus the list, so Enter opens the row instead of pressing the focused folder link again.
    this.#frame.focusListFromOutside()
    const list = this.#list
    if (list === null) return
    const { rows, cursor, isSelecting = false } = list
    cursor.moveTo(rows, cursor.index + delta)
    const row = cursor.row(rows)
    if (this.isReading && !isSelecting && row !== undefined) this.open(row.id)
  }

  /** Moves the cursor to the newest row; the open mail stays. */
  goToTop(): void {
    const list = this.#list
    if (list === null) return
    list.cursor.moveTo(list.rows, 0)
    this.#frame.focusList()
  }

  /** True if "back" leads somewhere: from open mail to its list, or from a list to its parent. */
  get canGoBack(): boolean {
    const place = this.#shown?.place
    return place !== undefined && (place.openId !== null || place.parent !== null)
  }

  back(): void {
    const place = this.#shown?.place
    if (place === undefined) return
    if (this.isVisiting) {
      void this.#route.goBack().then(() => this.#focusListSoon())
    } else if (place.openId !== null) {
      this.#route.go(place.opening(null))
      void this.#focusListSoon()
    } else if (place.parent !== null) {
      this.#route.go(place.parent)
    }
  }

  get #shown(): ShownScreen | null {
    const route = this.#route.current
    for (const screen of this.#screens) {
      const place = screen.at(route)
      if (place !== null) return { screen, place }
    }
    return null
  }

  get #list(): ScreenList | null {
    return this.#shown?.screen.list ?? null
  }

  get #openId(): string | null {
    return this.#shown?.place.openId ?? null
  }

  /** Focuses the list after the next render: in a narrow window, the list is hidden while mail is open. */
  async #focusListSoon(): Promise<void> {
    await tick()
    this.#frame.focusList()
  }
}
