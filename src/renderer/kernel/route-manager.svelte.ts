import { formatAddress, parseAddress, type Route } from './route.ts'

/** The address of the window: reload, back, forward and a pasted link all work because nothing else says what is shown. */
export class RouteManager {
  #current = $state.raw<Route>({ view: 'start' })
  #accountId = $state<string | null>(null)
  /** The address that `current` was read from. */
  #address = location.hash

  constructor() {
    addEventListener('hashchange', () => this.#read())
    this.#read()
  }

  get current(): Route {
    return this.#current
  }

  /** The account whose mail is shown; null until one was named. An address that names none is about the one before it. */
  get accountId(): string | null {
    return this.#accountId
  }

  /** Goes there; the button "back" returns. @param accountId another account's mail */
  go(route: Route, accountId = this.#accountId): void {
    location.hash = formatAddress(route, accountId)
    this.#arrive(route, accountId)
  }

  /**
   * Goes there in place of what is shown: for steps that a person did not take. Where a link has changed the address and
   * its event is still to come, the person has gone elsewhere, and there they stay.
   */
  replace(route: Route, accountId = this.#accountId): void {
    if (location.hash !== this.#address) return
    history.replaceState(null, '', formatAddress(route, accountId))
    this.#arrive(route, accountId)
  }

  #read(): void {
    const { route, accountId } = parseAddress(location.hash)
    const shown = accountId ?? this.#accountId
    // What a link names is about the account that is shown: the step back to it is to know that as well.
    if (accountId === null && shown !== null) history.replaceState(null, '', formatAddress(route, shown))
    this.#arrive(route, shown)
  }

  #arrive(route: Route, accountId: string | null): void {
    this.#current = route
    this.#accountId = accountId
    this.#address = location.hash
  }
}
