import { tick } from 'svelte'
import type { Frame } from './frame.ts'
import type { Route } from './route.ts'
import type { RouteManager } from './route-manager.svelte.ts'
import type { Arriving, RowMail, Screen, ScreenList, ScreenPlace } from './screen.ts'

interface ShownScreen {
  readonly screen: Screen
  readonly place: ScreenPlace
}

/** Walks over the screens: whichever is shown, its list is stepped through, its rows are opened and closed, alike. */
export class Navigator {
  readonly #route: RouteManager
  readonly #screens: readonly Screen[]
  readonly #frame: Frame

  constructor(route: RouteManager, screens: readonly Screen[], frame: Frame) {
    this.#route = route
    this.#screens = screens
    this.#frame = frame
  }

  /** Null while the address names none, as it does at the start. */
  get screen(): Screen | null {
    return this.#shown?.screen ?? null
  }

  /** Whether there are rows to go through. */
  get hasList(): boolean {
    return this.#list !== null
  }

  /** What of the screen is on its way. */
  get arriving(): Arriving {
    return this.#list?.rows.phase === 'loading' ? 'list' : (this.screen?.arriving ?? null)
  }

  /** Whether something is open beside its list. */
  get isReading(): boolean {
    return this.#openId !== null
  }

  /**
   * The mail that commands act on, where the list that is shown is not one of threads: that of a row which is pointed at, else
   * of the open one, else of the one under the cursor.
   */
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

  /** Reads anew whatever any screen holds. */
  refresh(): void {
    for (const screen of this.#screens) screen.refresh()
  }

  /** Opens a row of the list that is shown. From row to row is one step: "back" returns to where a person came from. */
  open(id: string): void {
    const place = this.#shown?.place
    if (place === undefined) return
    if (place.open !== undefined) place.open(id)
    else if (place.openId === null) this.#route.go(place.opening(id))
    else this.#route.replace(place.opening(id))
  }

  /** Opens mail where it belongs, in another list than the one that is shown: "back" returns to that one. */
  visit(route: Route): void {
    this.#route.visit(route)
  }

  /** The same for a link that is pressed; a press that asks for another window is the browser's. */
  followLink(event: MouseEvent, route: Route): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    this.visit(route)
  }

  /** Whether what is open was come to from another list, to which "back" returns. */
  get isVisiting(): boolean {
    return this.#openId !== null && this.#route.cameFrom !== null
  }

  /** The open row leaves the list: another one, or none, takes its place. */
  openInstead(id: string | null): void {
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

  /** Moves the cursor of the list that is shown by so many rows; where something is open beside it, that follows, unless rows are selected. */
  step(delta: number): void {
    // Enter opens what the cursor came to, and not once more the folder whose link was pressed.
    this.#frame.focusListFromOutside()
    const list = this.#list
    if (list === null) return
    const { rows, cursor, isSelecting = false } = list
    cursor.moveTo(rows, cursor.index + delta)
    const row = cursor.row(rows)
    if (this.isReading && !isSelecting && row !== undefined) this.open(row.id)
  }

  /** Moves the cursor of the list that is shown to its newest row; what is open beside it stays. */
  goToTop(): void {
    const list = this.#list
    if (list === null) return
    list.cursor.moveTo(list.rows, 0)
    this.#frame.focusList()
  }

  /** Whether there is a way back: from what is open to its list, or from the list to where it belongs. */
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

  /** When the list is there again: a narrow window has hidden it. */
  async #focusListSoon(): Promise<void> {
    await tick()
    this.#frame.focusList()
  }
}
