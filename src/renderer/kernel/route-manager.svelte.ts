import { formatAccountRoute, parseAccountRoute, type Route } from './route.ts'

const originOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string' ? state.from : null

/** Milliseconds without input before the address is written: the browser counts each write as a navigation. */
const TYPING_PAUSE_MS = 250

/** The window's address, the only source of what is shown: reload, back, forward and pasted links work. */
export class RouteManager {
  current = $state.raw<Route>({ view: 'start' })
  beforeSearch = $state.raw<Route | null>(null)
  /** Null until an address has named an account. An address without an account keeps the current one. */
  accountId = $state<string | null>(null)
  /** The address of the list that `visit` left; null for a row of its own list. */
  origin = $state.raw<string | null>(null)
  /** Where the settings were opened from. */
  #beforeSettings: readonly [Route, accountId: string | null] = [{ view: 'start' }, null]
  /** Address that `current` was read from, or will replace. */
  #address = location.hash
  /** Set while the typed route is not in the address yet; `isStep` if "back" returns to the view before it. */
  #unwritten: { readonly isStep: boolean; readonly timer: ReturnType<typeof setTimeout> } | null = null

  constructor() {
    // For the window's own navigation, this event comes after the change.
    addEventListener('hashchange', () => {
      if (location.hash !== this.#address) this.#read()
    })
    addEventListener('pagehide', () => this.write())
    this.#read()
  }

  go(route: Route, accountId = this.accountId): void {
    this.write()
    location.hash = formatAccountRoute(route, accountId)
    this.#setRoute(route, accountId)
  }

  /** Navigates from another list. `goBack` returns there, even after other rows were opened. */
  visit(route: Route): void {
    this.write()
    const from = location.hash
    this.go(route)
    history.replaceState({ from }, '', location.hash)
    this.origin = from
  }

  /** Resolves when the previous view is displayed. */
  goBack(): Promise<void> {
    return new Promise((resolve) => {
      addEventListener('hashchange', () => resolve(), { once: true })
      this.back()
    })
  }

  back(): void {
    this.write()
    history.back()
  }

  leaveSettings(): void {
    this.go(...this.#beforeSettings)
  }

  /**
   * Reads the address now if a link has changed it and its `hashchange` event is still pending. @returns true if the
   * address was read
   */
  followLink(): boolean {
    if (location.hash === this.#address) return false
    if (this.#unwritten !== null) clearTimeout(this.#unwritten.timer)
    this.#unwritten = null
    this.#read()
    return true
  }

  /** Navigates to typed input; the address follows after a pause. @param isStep "back" returns to the current view */
  type(route: Route, isStep: boolean): void {
    const unwritten = this.#unwritten
    if (unwritten !== null) clearTimeout(unwritten.timer)
    this.#setRoute(route, this.accountId)
    if (isStep) this.origin = null
    this.#unwritten = {
      isStep: isStep || unwritten?.isStep === true,
      timer: setTimeout(() => this.write(), TYPING_PAUSE_MS),
    }
  }

  /**
   * Replaces the current view, for changes not made by the user. Does nothing if a link has changed the address and its
   * event is pending: the user has gone elsewhere.
   */
  replace(route: Route, accountId = this.accountId): void {
    if (location.hash !== this.#address) return
    this.write()
    history.replaceState(history.state, '', formatAccountRoute(route, accountId))
    this.#setRoute(route, accountId)
  }

  /** Writes typed input to the address, unless a link was followed in the meantime. */
  write(): void {
    const unwritten = this.#unwritten
    if (unwritten === null) return
    clearTimeout(unwritten.timer)
    this.#unwritten = null
    if (location.hash !== this.#address) return
    const address = formatAccountRoute(this.current, this.accountId)
    if (unwritten.isStep) location.hash = address
    else history.replaceState(history.state, '', address)
    this.#address = location.hash
  }

  #read(): void {
    const { route, accountId } = parseAccountRoute(location.hash)
    const shown = accountId ?? this.accountId
    // A link without an account means the current one. Write it to the address, because "back" needs it too.
    if (accountId === null && shown !== null) history.replaceState(history.state, '', formatAccountRoute(route, shown))
    this.#setRoute(route, shown)
  }

  #setRoute(route: Route, accountId: string | null): void {
    const isNewSearch = route.view === 'search' && this.current.view !== 'search'
    if (isNewSearch) this.beforeSearch = this.current.view === 'start' ? null : this.current
    if (route.view === 'settings' && this.current.view !== 'settings') {
      this.#beforeSettings = [this.current, this.accountId]
    }
    this.current = route
    this.accountId = accountId
    this.#address = location.hash
    this.origin = originOf(history.state)
  }
}
