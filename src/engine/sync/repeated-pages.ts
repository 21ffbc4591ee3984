import type { ListPage } from '../api/requests.ts'
import type { Problems } from '../problems/problems.ts'

type Page = ListPage<{ readonly id: string }>

const isRepeated = (met: ReadonlySet<string>, { items, hasMore }: Page): boolean =>
  hasMore && items.length > 0 && items.every(({ id }) => met.has(id))

/** Ends walks whose pages repeat, and says so: the platform claims that more follows, forever. */
export class RepeatedPages {
  readonly #problems: Pick<Problems, 'raise' | 'clear'>
  /** IDs that the walks under way have met, by list. */
  readonly #met = new Map<string, Set<string>>()
  /** Raised once, as a dismissed problem would come back. */
  readonly #reported = new Set<string>()

  constructor(problems: Pick<Problems, 'raise' | 'clear'>) {
    this.#problems = problems
  }

  /**
   * Fetches the next page of a walk. One without a new ID is returned as the last, and as incomplete: what it does not
   * show may still exist.
   * @param content what the list holds, for people
   */
  async fetch<Fetched extends Page>(
    name: string,
    content: string,
    after: string | undefined,
    fetchPage: (after: string | undefined) => Promise<Fetched>,
  ): Promise<Fetched> {
    const met = (after === undefined ? undefined : this.#met.get(name)) ?? new Set<string>()
    let page = await fetchPage(after)
    // A cursor whose thread has moved to the top leads back there: the row above it leads on.
    const above = isRepeated(met, page) ? [...met].at(-2) : undefined
    if (above !== undefined) page = await fetchPage(above)
    const isEndless = isRepeated(met, page)
    for (const { id } of page.items) met.add(id)
    if (page.hasMore && !isEndless) this.#met.set(name, met)
    else this.#met.delete(name)
    this.#report(name, content, isEndless, page.hasMore)
    return isEndless ? { ...page, hasMore: false, isWhole: false } : page
  }

  #report(name: string, content: string, isEndless: boolean, hasMore: boolean): void {
    const id = `endless-list ${name}`
    if (isEndless && !this.#reported.has(name)) {
      this.#reported.add(name)
      const message = `The platform repeats its list of ${content} without end. Linnet stored what it shows; some may be missing.`
      this.#problems.raise({ id, code: 'platform_failed', message })
    } else if (!hasMore) {
      this.#reported.delete(name)
      this.#problems.clear(id)
    }
  }
}
