import { formatRoute, parseRoute, type Route } from './route.ts'

/** The address of the window: reload, back, forward and a pasted link all work because nothing else says what is shown. */
export class RouteManager {
  #current = $state.raw<Route>(parseRoute(location.hash))
  /** The address that `current` was read from. */
  #address = location.hash

  constructor() {
    addEventListener('hashchange', () => this.#arrive(parseRoute(location.hash)))
  }

  get current(): Route {
    return this.#current
  }

  /** Goes there; the button "back" returns. */
  go(route: Route): void {
    location.hash = formatRoute(route)
    this.#arrive(route)
  }

  /**
   * Goes there in place of what is shown: for steps that a person did not take. Where a link has changed the address and
   * its event is still to come, the person has gone elsewhere, and there they stay.
   */
  replace(route: Route): void {
    if (location.hash !== this.#address) return
    history.replaceState(null, '', formatRoute(route))
    this.#arrive(route)
  }

  #arrive(route: Route): void {
    this.#current = route
    this.#address = location.hash
  }
}
