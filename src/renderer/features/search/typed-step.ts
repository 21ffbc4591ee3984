import { formatRoute, type Route } from '../../kernel/route.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'

/** The step back that is made by typing: each letter takes the place of the one before. */
export class TypedStep {
  readonly #route: RouteManager
  /** Null where nothing was typed that the window shows. */
  #address: string | null = null
  /** What was shown before the first letter. */
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

  /** Shows what is found for the words so far. */
  show(next: Route): void {
    const isFirst = this.#address === null
    if (isFirst) this.#before = this.#route.current
    this.#address = formatRoute(next)
    this.#route.type(next, isFirst)
  }

  /** What is typed is no search: shows what was there before the first letter. */
  showBefore(): void {
    this.#address = formatRoute(this.#before)
    this.#route.replace(this.#before)
  }

  /** Goes where the words lead in the end, by this step where it is made. */
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
