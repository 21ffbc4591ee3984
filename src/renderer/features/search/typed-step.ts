import { formatRoute, type Route } from '../../kernel/route.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'

/** The history step of a typed search: each letter replaces the one before. */
export class TypedStep {
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

  /** Shows what was there before the first letter: the typed words are no search. */
  showBefore(): void {
    this.#address = formatRoute(this.#before)
    this.#route.replace(this.#before)
  }

  /** Goes to the final address, in place of this step if it was made. */
  settle(next: Route): void {
    if (this.#address !== null) this.#route.replace(next)
    else this.#route.go(next)
    this.#address = null
  }

  /** Typing is over. */
  forget(): void {
    this.#address = null
    this.#route.write()
  }
}
