/* eslint-disable svelte/prefer-svelte-reactivity -- its sets are bookkeeping that nothing draws */
import { SvelteMap } from 'svelte/reactivity'
import type { Freshness, Page } from '../../shared/model.ts'
import type { Problem, Result } from '../../shared/result.ts'
import type { RowSource } from './row-source.ts'
import { windowsAround, windowsToDrop, WINDOW_SIZE, type RowRange } from './windows.ts'

/** Windows that are held at once: 4,000 rows, some screens in both directions. */
const KEPT_WINDOWS = 40

type ReadWindow<Read> = (window: { readonly offset: number; readonly limit: number }) => Promise<Result<Read>>

/**
 * A list of any length, read in windows as it is scrolled. A refresh reads again what is on the screen and leaves the
 * old rows there meanwhile, so nothing flickers; other windows are read again when they come into sight.
 */
export class WindowedList<
  Row extends { readonly id: string },
  Read extends Page<Row> = Page<Row>,
> implements RowSource<Row> {
  #phase = $state<RowSource<Row>['phase']>('loading')
  #problem = $state.raw<Problem | null>(null)
  #page = $state.raw<Read | null>(null)
  readonly #windows = new SvelteMap<number, readonly Row[]>()
  readonly #stale = new Set<number>()
  readonly #reading = new Set<number>()
  readonly #read: ReadWindow<Read>
  readonly #beginReading: () => () => void
  readonly #isHeldStill: () => boolean
  #visible: RowRange = { first: 0, last: WINDOW_SIZE / 2 }
  #isOpen = false
  /** Ends with every reading that has begun. */
  #underWay: Promise<unknown> = Promise.resolve()
  /** Where the rows at hand are, by their IDs. */
  readonly #places: ReadonlyMap<string, number> = $derived.by(
    () =>
      new Map(
        [...this.#windows].flatMap(([window, rows]) =>
          rows.map((row, index) => [row.id, window * WINDOW_SIZE + index] as const),
        ),
      ),
  )

  /**
   * @param beginReading called when a window is about to be read; what it returns, when its rows are in their place
   * @param isHeldStill whether rows at hand stay as they are for now, whatever the other side says of them: when that is over,
   *   `catchUp` has to be called
   */
  constructor(
    read: ReadWindow<Read>,
    beginReading: () => () => void = () => () => undefined,
    isHeldStill: () => boolean = () => false,
  ) {
    this.#read = read
    this.#beginReading = beginReading
    this.#isHeldStill = isHeldStill
  }

  /** The list is on the screen: it is read, and read again whenever it changes. Resolves when what is in sight is there. */
  async open(): Promise<void> {
    this.#isOpen = true
    await this.#readVisible()
  }

  /** The list is off the screen: it keeps its rows and remembers which of them have changed. */
  close(): void {
    this.#isOpen = false
  }

  get total(): number {
    return this.#page?.total ?? 0
  }

  /** The window that was read last: what it says of the list as a whole is the newest that is known. */
  get page(): Read | null {
    return this.#page
  }

  get phase(): RowSource<Row>['phase'] {
    return this.#phase
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get freshness(): Freshness | null {
    return this.#page?.freshness ?? null
  }

  at(index: number): Row | undefined {
    return this.#windows.get(Math.floor(index / WINDOW_SIZE))?.[index % WINDOW_SIZE]
  }

  indexOf(id: string): number {
    return this.#places.get(id) ?? -1
  }

  /** The rows that have been read, in their order. */
  atHand(): readonly Row[] {
    return [...this.#windows].toSorted(([one], [other]) => one - other).flatMap(([, rows]) => rows)
  }

  /** How many rows from the first one on are at hand and up to date. */
  get known(): number {
    let known = 0
    for (let window = 0; !this.#stale.has(window) && !this.#reading.has(window); window += 1) {
      const rows = this.#windows.get(window)
      known += rows?.length ?? 0
      if (rows === undefined || rows.length < WINDOW_SIZE) break
    }
    return known
  }

  /** Whether any row at hand is one of these. */
  holds(ids: readonly string[]): boolean {
    return ids.some((id) => this.#places.has(id))
  }

  show(first: number, last: number): void {
    this.#visible = { first, last }
    void this.#readVisible()
  }

  refresh(): void {
    for (const window of [...this.#windows.keys(), ...this.#reading]) this.#stale.add(window)
    void this.#readVisible()
  }

  /** Resolves when nothing is being read any more. */
  async caughtUp(): Promise<void> {
    for (let reading: Promise<unknown> | null = null; reading !== this.#underWay;) {
      reading = this.#underWay
      await reading
    }
  }

  /** Reads again what is on the screen and has changed since it was read. */
  catchUp(): void {
    void this.#readVisible()
  }

  async #readVisible(): Promise<void> {
    if (!this.#isOpen) return
    // Where a list goes on beyond what is known, the next window has it found.
    const within = this.total + (this.#page?.hasMore === true ? WINDOW_SIZE : 0)
    const wanted = windowsAround(this.#visible, within).filter((window) => {
      const isFresh = this.#windows.has(window) && (!this.#stale.has(window) || this.#isHeldStill())
      return !isFresh && !this.#reading.has(window)
    })
    const reading = this.#readWindows(wanted)
    this.#underWay = Promise.allSettled([this.#underWay, reading])
    await reading
  }

  /** Rows that have moved from one window to another are never seen in both, nor in none: they change together. */
  async #readWindows(windows: readonly number[]): Promise<void> {
    const answers = await Promise.all(windows.map((window) => this.#readWindow(window)))
    for (const put of answers) put()
  }

  /** @returns what puts the answer in the place of the rows that are there; where there were none, it is there already */
  async #readWindow(window: number): Promise<() => void> {
    this.#reading.add(window)
    this.#stale.delete(window)
    const endReading = this.#beginReading()
    const result = await this.#read({ offset: window * WINDOW_SIZE, limit: WINDOW_SIZE })
    const put = (): void => {
      this.#reading.delete(window)
      if (this.#windows.has(window) && this.#isHeldStill()) {
        this.#stale.add(window)
        return
      }
      if (result.ok) {
        this.#keep(window, result.data)
        endReading()
      } else if (result.error.code !== 'cancelled') {
        this.#fail(result.error)
      }
      // Something changed while the answer was on its way: the list may already be another one.
      if (this.#stale.has(window)) void this.#readVisible()
    }
    if (this.#windows.has(window)) return put
    put()
    return () => undefined
  }

  #keep(window: number, page: Read): void {
    this.#windows.set(window, page.items)
    // What it says of the list as a whole is not of the rows that are held.
    if (this.#page !== null && this.#isHeldStill()) {
      this.#stale.add(window)
      return
    }
    const last = Math.ceil(page.total / WINDOW_SIZE) + (page.hasMore === true ? 1 : 0)
    const gone = [...this.#windows.keys()].filter((held) => held >= Math.max(1, last))
    const tooMany = windowsToDrop([...this.#windows.keys()], this.#visible, KEPT_WINDOWS)
    for (const held of [...gone, ...tooMany]) this.#windows.delete(held)
    this.#page = page
    this.#problem = null
    this.#phase = 'ready'
  }

  #fail(problem: Problem): void {
    this.#problem = problem
    if (this.#windows.size === 0) this.#phase = 'failed'
  }
}
