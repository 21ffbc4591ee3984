/* eslint-disable svelte/prefer-svelte-reactivity -- its sets are never rendered */
import { SvelteMap } from 'svelte/reactivity'
import type { Freshness, Page } from '../../shared/model.ts'
import type { Problem, Result } from '../../shared/result.ts'
import type { RowSource } from './row-source.ts'

/** Rows per window, about a screenful. */
export const LIST_WINDOW_ROWS = 20
/** The contract's limit for one request (contract.ts). */
export const MAX_REQUEST_ROWS = 200

/** Visible rows, both ends included. */
interface RowRange {
  readonly first: number
  readonly last: number
}

const windowOf = (row: number): number => Math.floor(row / LIST_WINDOW_ROWS)

/** Windows that cover a range, ascending. @param total null if unknown @param margin extra rows on either side */
export const selectWindowsAround = (
  { first, last }: RowRange,
  total: number | null,
  margin: number,
): readonly number[] => {
  const from = windowOf(Math.max(0, first - margin))
  const to = windowOf(Math.max(0, total === null ? last + margin : Math.min(last + margin, total - 1)))
  return Array.from({ length: Math.max(0, to - from) + 1 }, (_, index) => from + index)
}

/** Groups adjacent windows into one read each. @param windows ascending */
export const groupAdjacentWindows = (windows: readonly number[]): readonly (readonly number[])[] => {
  const runs: number[][] = []
  for (const window of windows) {
    const run = runs.at(-1)
    const isNext = run?.at(-1) === window - 1 && run.length < MAX_REQUEST_ROWS / LIST_WINDOW_ROWS
    if (isNext) run.push(window)
    else runs.push([window])
  }
  return runs
}

/** Windows to evict beyond `kept`, farthest from the visible rows first. */
export const selectWindowsToEvict = (
  held: readonly number[],
  { first, last }: RowRange,
  kept: number,
): readonly number[] => {
  const middle = windowOf((first + last) / 2)
  return [...held].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle)).slice(kept)
}

/** Windows kept in memory: 4,000 rows, some screens in both directions. */
const KEPT_WINDOWS = 200
/** Rows around the visible ones to load at once (`near`) and after a pause (`ahead`). */
const MARGIN = { near: 8, ahead: 50 } as const
const AHEAD_MS = 200

interface ListOptions<Row> {
  /** Called before a read. @returns a function to call once its rows are in place */
  readonly startRead?: () => () => void
  /** True to freeze loaded rows for now; call `reloadStale` once it turns false. */
  readonly isFrozen?: () => boolean
  /** The list being replaced: unchanged rows keep their objects, and the visible count carries over. */
  readonly before?: PreviousRows<Row> | null
  /** True to load only visible rows, as another list will follow soon. */
  readonly isTransient?: boolean
}

export interface PreviousRows<Row> {
  readonly rowOf: (id: string) => Row | undefined
  /** Number of visible rows, minus one. */
  readonly span: number
}

type ReadWindow<Read> = (window: { readonly offset: number; readonly limit: number }) => Promise<Result<Read>>

/** A long list read in windows. A refresh keeps visible rows until new ones arrive, and reloads others once in view. */
export class WindowedList<
  Row extends { readonly id: string },
  Read extends Page<Row> = Page<Row>,
> implements RowSource<Row> {
  phase = $state<RowSource<Row>['phase']>('loading')
  problem = $state.raw<Problem | null>(null)
  /** The latest window, with current data about the whole list. */
  page = $state.raw<Read | null>(null)
  readonly #windows = new SvelteMap<number, readonly Row[]>()
  readonly #stale = new Set<number>()
  readonly #reading = new Set<number>()
  readonly #read: ReadWindow<Read>
  readonly #startRead: () => () => void
  readonly #isFrozen: () => boolean
  readonly #isTransient: boolean
  #before: PreviousRows<Row> | null
  #visible: RowRange
  #ahead: ReturnType<typeof setTimeout> | null = null
  #isOpen = false
  /** Settles with all reads in flight. */
  #inFlight: Promise<unknown> = Promise.resolve()
  readonly #indexById: ReadonlyMap<string, number> = $derived.by(
    () =>
      new Map(
        [...this.#windows].flatMap(([window, rows]) =>
          rows.map((row, index) => [row.id, window * LIST_WINDOW_ROWS + index] as const),
        ),
      ),
  )

  constructor(
    read: ReadWindow<Read>,
    {
      startRead = () => () => undefined,
      isFrozen = () => false,
      before = null,
      isTransient = false,
    }: ListOptions<Row> = {},
  ) {
    this.#read = read
    this.#startRead = startRead
    this.#isFrozen = isFrozen
    this.#isTransient = isTransient
    this.#before = before
    this.#visible = { first: 0, last: before?.span ?? LIST_WINDOW_ROWS }
  }

  async open(): Promise<void> {
    this.#isOpen = true
    await this.#readVisible()
  }

  /** Stops reading, but keeps the rows and records which become stale. */
  close(): void {
    this.#isOpen = false
    if (this.#ahead !== null) clearTimeout(this.#ahead)
    this.#ahead = null
  }

  get total(): number {
    return this.page?.total ?? 0
  }

  get freshness(): Freshness | null {
    return this.page?.freshness ?? null
  }

  at(index: number): Row | undefined {
    return this.#windows.get(Math.floor(index / LIST_WINDOW_ROWS))?.[index % LIST_WINDOW_ROWS]
  }

  indexOf(id: string): number {
    return this.#indexById.get(id) ?? -1
  }

  rowOf(id: string): Row | undefined {
    return this.at(this.indexOf(id))
  }

  get span(): number {
    return this.#visible.last - this.#visible.first
  }

  visibleRows(): readonly Row[] {
    const { first, last } = this.#visible
    return Array.from({ length: last - first + 1 }, (_, step) => this.at(first + step)).filter(
      (row) => row !== undefined,
    )
  }

  loaded(): readonly Row[] {
    return [...this.#windows].toSorted(([one], [other]) => one - other).flatMap(([, rows]) => rows)
  }

  /** Number of loaded, current rows from the top. */
  get known(): number {
    let known = 0
    for (let window = 0; !this.#stale.has(window) && !this.#reading.has(window); window += 1) {
      const rows = this.#windows.get(window)
      known += rows?.length ?? 0
      if (rows === undefined || rows.length < LIST_WINDOW_ROWS) break
    }
    return known
  }

  holds(ids: readonly string[]): boolean {
    return ids.some((id) => this.#indexById.has(id))
  }

  show(first: number, last: number): void {
    this.#visible = { first, last }
    void this.#readVisible()
  }

  ensureLoaded(index: number): void {
    void this.#readAround({ first: index, last: index }, MARGIN.near)
  }

  refresh(): void {
    for (const window of [...this.#windows.keys(), ...this.#reading]) this.#stale.add(window)
    void this.#readVisible()
  }

  async whenSettled(): Promise<void> {
    for (let reading: Promise<unknown> | null = null; reading !== this.#inFlight;) {
      reading = this.#inFlight
      await reading
    }
  }

  reloadStale(): void {
    void this.#readVisible()
  }

  async #readVisible(): Promise<void> {
    const reading = this.#readAround(this.#visible, MARGIN.near)
    if (!this.#isTransient) {
      this.#ahead ??= setTimeout(() => {
        this.#ahead = null
        void this.#readAround(this.#visible, MARGIN.ahead)
      }, AHEAD_MS)
    }
    await reading
  }

  async #readAround(range: RowRange, margin: number): Promise<void> {
    if (!this.#isOpen) return
    // If the end is unknown, read one more window to find the next rows.
    const within = this.page === null ? null : this.total + (this.page.hasMore === true ? LIST_WINDOW_ROWS : 0)
    const near = selectWindowsAround(range, within, margin)
    const wanted = selectWindowsAround(range, within, MARGIN.ahead).filter((window) => {
      if (this.#reading.has(window)) return false
      if (!this.#windows.has(window)) return near.includes(window)
      // Also reload stale rows nearby, where the cursor may go.
      return this.#stale.has(window) && !this.#isFrozen()
    })
    const reading = this.#readRuns(groupAdjacentWindows(wanted))
    this.#inFlight = Promise.allSettled([this.#inFlight, reading])
    await reading
  }

  /** Replaces all windows at once, so a moved row is never in two of them or in none. */
  async #readRuns(runs: readonly (readonly number[])[]): Promise<void> {
    const answers = await Promise.all(runs.map((run) => this.#readRun(run)))
    for (const put of answers) put()
  }

  /** @returns a function that puts the new rows in place; without old rows, it has already run */
  async #readRun(run: readonly number[]): Promise<() => void> {
    for (const window of run) {
      this.#reading.add(window)
      this.#stale.delete(window)
    }
    const finishRead = this.#startRead()
    const [first = 0] = run
    const result = await this.#read({ offset: first * LIST_WINDOW_ROWS, limit: run.length * LIST_WINDOW_ROWS })
    const put = (windows: readonly number[]): void => {
      for (const window of windows) this.#reading.delete(window)
      const held = this.#isFrozen() ? windows.filter((window) => this.#windows.has(window)) : []
      for (const window of held) this.#stale.add(window)
      const taken = windows.filter((window) => !held.includes(window))
      if (taken.length > 0 && result.ok) {
        // Look up all rows before replacing any, as a row may have moved to the next window.
        const rows = result.data.items.map((row) => this.#reuseRow(row))
        for (const window of taken) {
          const from = (window - first) * LIST_WINDOW_ROWS
          this.#storeWindow(window, rows.slice(from, from + LIST_WINDOW_ROWS), result.data)
        }
        finishRead()
      } else if (taken.length > 0 && !result.ok && result.error.code !== 'cancelled') {
        this.#fail(result.error)
      }
      if (taken.some((window) => this.#stale.has(window))) void this.#readVisible()
    }
    const isThere = run.some((window) => this.#windows.has(window))
    if (isThere) return () => put(run)
    put(run)
    return () => undefined
  }

  /** Reuses the object of an unchanged row to avoid a redraw. */
  #reuseRow(row: Row): Row {
    const known = this.rowOf(row.id) ?? this.#before?.rowOf(row.id)
    return known !== undefined && JSON.stringify(known) === JSON.stringify(row) ? known : row
  }

  #storeWindow(window: number, rows: readonly Row[], page: Read): void {
    const last = Math.ceil(page.total / LIST_WINDOW_ROWS) + (page.hasMore === true ? 1 : 0)
    if (window < Math.max(1, last)) this.#windows.set(window, rows)
    // While rows are frozen, keep the old totals: the new ones don't describe the frozen rows.
    if (this.page !== null && this.#isFrozen()) {
      this.#stale.add(window)
      return
    }
    const gone = [...this.#windows.keys()].filter((held) => held >= Math.max(1, last))
    const tooMany = selectWindowsToEvict([...this.#windows.keys()], this.#visible, KEPT_WINDOWS)
    for (const held of [...gone, ...tooMany]) this.#windows.delete(held)
    this.page = page
    this.#before = null
    this.problem = null
    this.phase = 'ready'
  }

  #fail(problem: Problem): void {
    this.problem = problem
    if (this.#windows.size === 0) this.phase = 'failed'
  }
}
