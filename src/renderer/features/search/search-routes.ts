import { formatRoute, toListSearch, type Route } from '../../kernel/route.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'
import type { Label } from '../../../shared/model.ts'
import { parseAssigneeName } from '../../../shared/assignees.ts'
import { quoteAssignee } from '../../../shared/search/assigned-operator.ts'
import { formatLabelName, quoteValue } from '../../../shared/search/format-search.ts'

/** One history entry for a search while it is typed. */
export class TypedSearchEntry {
  readonly #route: Readonly<RouteManager>
  #address: string | null = null
  #before: Route = { view: 'start' }

  constructor(route: Readonly<RouteManager>) {
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

/**
 * Search term for the list where a search starts: `in:archive` in a folder, `label:urgent` in a label, `assigned:mara` in an
 * assignee's list, otherwise null. The search covers everything until the user adds it.
 */
export const toRouteSearchTerm = (route: Route, labels: readonly Label[]): string | null => {
  if (route.view === 'folder') return `in:${route.folder} ${toListSearch(route)}`.trim()
  if (route.view !== 'label') return null
  const label = labels.find(({ id }) => id === route.labelId)
  if (label === undefined) return null
  const person = parseAssigneeName(label.name)
  return person === null || person.includes('"')
    ? `label:${quoteValue(formatLabelName(route.labelId, labels))}`
    : `assigned:${quoteAssignee(person)}`
}
