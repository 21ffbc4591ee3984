/* eslint-disable svelte/prefer-svelte-reactivity -- its sets are bookkeeping that nothing draws */
import { SvelteMap } from 'svelte/reactivity'
import type { Freshness, Page } from '../../shared/model.ts'
import type { Problem, Result } from '../../shared/result.ts'
import type { RowSource } from './row-source.ts'
import { windowsAround, windowsToDrop, WINDOW_SIZE, type RowRange } from './windows.ts'

/** Windows that are held at once: 4,000 rows, some screens in both directions. */
const KEPT_WINDOWS = 40

type ReadWindow<Row> = (window: { readonly offset: number; readonly limit: number }) => Promise<Result<Page<Row>>>

/**
 * A list of any length, read in windows as it is scrolled. A refresh reads again what is on the screen and leaves the
 * old rows there meanwhile, so nothing flickers; other windows are read again when they come into sight.
 */
export class WindowedList<Row extends { readonly id: string }> implements RowSource<Row> {
  #total = $state(0)
  #phase = $state<RowSource<Row>['phase']>('loading')
  #problem = $state.raw<Problem | null>(null)
  #freshness = $state.raw<Freshness | null>(null)
  readonly #windows = new SvelteMap<number, readonly Row[]>()
  readonly #stale = new Set<number>()
  readonly #reading = new Set<number>()
  readonly #read: ReadWindow<Row>
  readonly #beginReading: () => () => void
  #visible: RowRange = { first: 0, last: WINDOW_SIZE / 2 }
  #isOpen = false

  /** @param beginReading called when a window is about to be read; what it returns, when its rows are in their place */
  constructor(read: ReadWindow<Row>, beginReading: () => () => void = () => () => undefined) {
    this.#read = read
    this.#beginReading = beginReading
  }

  /** The list is on the screen: it is read, and read again whenever it changes. */
  open(): void {
    this.#isOpen = true
    this.#readVisible()
  }

  /** The list is off the screen: it keeps its rows and remembers which of them have changed. */
  close(): void {
    this.#isOpen = false
  }

  get total(): number {
    return this.#total
  }

  get phase(): RowSource<Row>['phase'] {
    return this.#phase
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get freshness(): Freshness | null {
    return this.#freshness
  }

  at(index: number): Row | undefined {
    return this.#windows.get(Math.floor(index / WINDOW_SIZE))?.[index % WINDOW_SIZE]
  }

  indexOf(id: string): number {
    for (const [window, rows] of this.#windows) {
      const index = rows.findIndex((row) => row.id === id)
      if (index !== -1) return window * WINDOW_SIZE + index
    }
    return -1
  }

  /** Whether any row at hand is one of these. */
  holds(ids: readonly string[]): boolean {
    const wanted = new Set(ids)
    return [...this.#windows.values()].some((rows) => rows.some((row) => wanted.has(row.id)))
  }

  show(first: number, last: number): void {
    this.#visible = { first, last }
    this.#readVisible()
  }

  refresh(): void {
    for (const window of [...this.#windows.keys(), ...this.#reading]) this.#stale.add(window)
    this.#readVisible()
  }

  #readVisible(): void {
    if (!this.#isOpen) return
    for (const window of windowsAround(this.#visible, this.#total)) {
      const isFresh = this.#windows.has(window) && !this.#stale.has(window)
      if (!isFresh && !this.#reading.has(window)) void this.#readWindow(window)
    }
  }

  async #readWindow(window: number): Promise<void> {
    this.#reading.add(window)
    this.#stale.delete(window)
    const endReading = this.#beginReading()
    const result = await this.#read({ offset: window * WINDOW_SIZE, limit: WINDOW_SIZE })
    this.#reading.delete(window)
    if (result.ok) {
      this.#keep(window, result.data)
      endReading()
    } else if (result.error.code !== 'cancelled') {
      this.#fail(result.error)
    }
    // Something changed while the answer was on its way: the list may already be another one.
    if (this.#stale.has(window)) this.#readVisible()
  }

  #keep(window: number, page: Page<Row>): void {
    this.#windows.set(window, page.items)
    const last = Math.ceil(page.total / WINDOW_SIZE)
    const gone = [...this.#windows.keys()].filter((held) => held >= Math.max(1, last))
    const tooMany = windowsToDrop([...this.#windows.keys()], this.#visible, KEPT_WINDOWS)
    for (const held of [...gone, ...tooMany]) this.#windows.delete(held)
    this.#total = page.total
    this.#freshness = page.freshness
    this.#problem = null
    this.#phase = 'ready'
  }

  #fail(problem: Problem): void {
    this.#problem = problem
    if (this.#windows.size === 0) this.#phase = 'failed'
  }
}
