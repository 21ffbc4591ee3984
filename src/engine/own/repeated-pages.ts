import type { ListPage } from '../platform/requests.ts'
import type { Problems } from './problems.ts'

type Page = ListPage<{ readonly id: string }>

const isRepeated = (met: ReadonlySet<string>, { items, hasMore }: Page): boolean =>
  hasMore && items.length > 0 && items.every(({ id }) => met.has(id))

/** Stops crawls whose pages repeat, and reports them: such a platform would claim forever that there are more rows. */
export class RepeatedPageGuard {
  readonly #problems: Pick<Problems, 'raise' | 'clear'>
  /** IDs found by running crawls, per list. */
  readonly #seenIds = new Map<string, Set<string>>()
  /** Lists reported once; a second report would bring back a dismissed problem. */
  readonly #reported = new Set<string>()

  constructor(problems: Pick<Problems, 'raise' | 'clear'>) {
    this.#problems = problems
  }

  /**
   * Fetches the next page. A page without new IDs is returned as the last one and as incomplete, because there may be
   * rows that it doesn't show.
   * @param content user-facing name of the list's content
   */
  async fetch<Fetched extends Page>(
    name: string,
    content: string,
    after: string | undefined,
    fetchPage: (after: string | undefined) => Promise<Fetched>,
  ): Promise<Fetched> {
    const met = (after === undefined ? undefined : this.#seenIds.get(name)) ?? new Set<string>()
    let page = await fetchPage(after)
    // If the cursor's thread has moved to the top, its page repeats. The row above it continues the list.
    const above = isRepeated(met, page) ? [...met].at(-2) : undefined
    if (above !== undefined) page = await fetchPage(above)
    const isEndless = isRepeated(met, page)
    for (const { id } of page.items) met.add(id)
    if (page.hasMore && !isEndless) this.#seenIds.set(name, met)
    else this.#seenIds.delete(name)
    this.#report(name, content, isEndless, page.hasMore)
    return isEndless ? { ...page, hasMore: false, isWhole: false } : page
  }

  #report(name: string, content: string, isEndless: boolean, hasMore: boolean): void {
    const id = `endless-list ${name}`
    if (isEndless && !this.#reported.has(name)) {
      this.#reported.add(name)
      const message = `The platform keeps repeating its list of ${content}. Linnet stored what it received, but some items may be missing.`
      this.#problems.raise({ id, code: 'platform_failed', message })
    } else if (!hasMore) {
      this.#reported.delete(name)
      this.#problems.clear(id)
    }
  }
}
