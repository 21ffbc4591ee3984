import { formatRoute, parseRoute, type Route } from './route.ts'

/** The address of the window: reload, back, forward and a pasted link all work because nothing else says what is shown. */
export class RouteManager {
  #current = $state.raw<Route>(parseRoute(location.hash))

  constructor() {
    addEventListener('hashchange', () => {
      this.#current = parseRoute(location.hash)
    })
  }

  get current(): Route {
    return this.#current
  }

  /** Goes there; the button "back" returns. */
  go(route: Route): void {
    location.hash = formatRoute(route)
    this.#current = route
  }

  /** Goes there in place of what is shown: for steps that a person did not take. */
  replace(route: Route): void {
    history.replaceState(null, '', formatRoute(route))
    this.#current = route
  }
}
