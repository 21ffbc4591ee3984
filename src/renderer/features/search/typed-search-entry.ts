import { formatRoute, type Route } from '../../kernel/route.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'

/** One history entry for a search while it is typed. */
export class TypedSearchEntry {
  readonly #route: RouteManager
  #address: string | null = null
  #before: Route = { view: 'start' }

  constructor(route: RouteManager) {
    this.#route = route
  }

  get isMade(): boolean {
    return this.#address !== null
  }

  isAt(route: Route): boolean {
    return formatRoute(route) === this.#address
  }

  show(next: Route): void {
    const isFirst = this.#route.followLink() || this.#address === null
    if (isFirst) this.#before = this.#route.current
    this.#address = formatRoute(next)
    this.#route.type(next, isFirst)
  }

  /** Restores the route before the first letter. */
  showBefore(): void {
    this.#address = formatRoute(this.#before)
    this.#route.replace(this.#before)
  }

  /** Goes to the final route, replacing this entry if there is one. */
  settle(next: Route): void {
    if (this.#address !== null) this.#route.replace(next)
    else this.#route.go(next)
    this.#address = null
  }

  forget(): void {
    this.#address = null
    this.#route.write()
  }
}
