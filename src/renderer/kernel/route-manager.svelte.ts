import { formatAddress, parseAddress, type Route } from './route.ts'

/** What `visit` has noted in the window's history; null where it has nothing. */
const originOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string' ? state.from : null

/** The address of the window: reload, back, forward and a pasted link all work because nothing else says what is shown. */
export class RouteManager {
  #current = $state.raw<Route>({ view: 'start' })
  #beforeSearch = $state.raw<Route | null>(null)
  #accountId = $state<string | null>(null)
  #cameFrom = $state.raw<string | null>(null)
  /** The address that `current` was read from. */
  #address = location.hash

  constructor() {
    // The event of a step of the window's own comes after the window has gone there, and is no step.
    addEventListener('hashchange', () => {
      if (location.hash !== this.#address) this.#read()
    })
    this.#read()
  }

  get current(): Route {
    return this.#current
  }

  /** What was shown before the search that is shown; null where it was the first. */
  get beforeSearch(): Route | null {
    return this.#beforeSearch
  }

  /** The account whose mail is shown; null until one was named. An address that names none is about the one before it. */
  get accountId(): string | null {
    return this.#accountId
  }

  /** The address of the list from which a person visits what is shown; null where they came to it in its own list. */
  get cameFrom(): string | null {
    return this.#cameFrom
  }

  /** Goes there; the button "back" returns. @param accountId another account's mail */
  go(route: Route, accountId = this.#accountId): void {
    location.hash = formatAddress(route, accountId)
    this.#arrive(route, accountId)
  }

  /** Goes there from another list, to which `goBack` returns, also when other rows have been opened in between. */
  visit(route: Route): void {
    const from = location.hash
    this.go(route)
    history.replaceState({ from }, '', location.hash)
    this.#cameFrom = from
  }

  /** Returns to where a person came from, as the window's own "back" does. Resolves when that is shown. */
  goBack(): Promise<void> {
    return new Promise((resolve) => {
      addEventListener('hashchange', () => resolve(), { once: true })
      history.back()
    })
  }

  /**
   * Goes there in place of what is shown: for steps that a person did not take. Where a link has changed the address and
   * its event is still to come, the person has gone elsewhere, and there they stay.
   */
  replace(route: Route, accountId = this.#accountId): void {
    if (location.hash !== this.#address) return
    history.replaceState(history.state, '', formatAddress(route, accountId))
    this.#arrive(route, accountId)
  }

  #read(): void {
    const { route, accountId } = parseAddress(location.hash)
    const shown = accountId ?? this.#accountId
    // What a link names is about the account that is shown: the step back to it is to know that as well.
    if (accountId === null && shown !== null) history.replaceState(history.state, '', formatAddress(route, shown))
    this.#arrive(route, shown)
  }

  #arrive(route: Route, accountId: string | null): void {
    const isBegun = route.view === 'search' && this.#current.view !== 'search'
    if (isBegun) this.#beforeSearch = this.#current.view === 'start' ? null : this.#current
    this.#current = route
    this.#accountId = accountId
    this.#address = location.hash
    this.#cameFrom = originOf(history.state)
  }
}
