import type { RowSource } from './row-source.ts'

/** The row that keys act on. The cursor follows its row as the list changes, or moves to the row that replaced it. */
export class ListCursor<Row extends { readonly id: string }> {
  index = $state(0)
  id = $state<string | null>(null)
  /** Grows when the cursor moves, but not when rows move under it: the list scrolls only in the first case. */
  moves = $state(0)
  /** True if a row was chosen by ID before it was loaded. */
  isAwaited = false
  /** Pending work that may remove the row and bring it back. */
  #unsettled: Promise<unknown> | null = null

  /** The row for keys, or undefined while the chosen one loads, so keys don't act on its neighbour. */
  row(source: RowSource<Row>): Row | undefined {
    const row = source.at(this.index)
    return this.isAwaited && row?.id !== this.id ? undefined : row
  }

  moveTo(source: RowSource<Row>, index: number): void {
    this.#place(source, index)
    // The list may be hidden, for example when only the open mail fits, but keys still move through it.
    source.ensureLoaded?.(this.index)
    this.isAwaited = false
    this.#unsettled = null
    this.moves += 1
  }

  /**
   * Selects a row that need not be loaded. @param settled while pending, the cursor waits for a removed row to return
   */
  follow(source: RowSource<Row>, id: string, settled: Promise<unknown> | null = null): void {
    this.id = id
    this.#unsettled = settled
    void settled?.finally(() => {
      if (this.#unsettled === settled) this.#unsettled = null
    })
    const index = source.indexOf(id)
    this.isAwaited = index === -1
    if (index === -1) return
    this.index = index
    this.moves += 1
  }

  /** Call when the source's rows have changed. */
  settle(source: RowSource<Row>): void {
    const found = this.id === null ? -1 : source.indexOf(this.id)
    if (found !== -1) {
      this.index = found
      if (this.isAwaited) this.moves += 1
      this.isAwaited = false
    } else if (
      (!this.isAwaited && this.#unsettled === null) ||
      // An empty list has no other row to move to, so wait for the chosen one to return.
      (source.phase !== 'loading' && this.index >= source.total && (source.total > 0 || this.#unsettled === null))
    ) {
      this.#place(source, this.index)
    } else this.isAwaited = true
  }

  #place(source: RowSource<Row>, index: number): void {
    this.index = Math.max(0, Math.min(index, source.total - 1))
    this.id = source.at(this.index)?.id ?? null
  }
}
