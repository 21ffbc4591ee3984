import type { RowSource } from './row-source.ts'

/** The row that keys act on. It stays on its row while the list changes, or on what took a removed row's place. */
export class ListCursor<Row extends { readonly id: string }> {
  #index = $state(0)
  #id = $state<string | null>(null)
  #moves = $state(0)
  /** A row was chosen by its ID before it was loaded. */
  #isAwaited = false
  /** Pending work that may remove the row and bring it back. */
  #unsettled: Promise<unknown> | null = null

  get index(): number {
    return this.#index
  }

  get id(): string | null {
    return this.#id
  }

  /** Grows when the cursor is moved, not when rows move under it: the list scrolls to it only then. */
  get moves(): number {
    return this.#moves
  }

  get isAwaiting(): boolean {
    return this.#isAwaited
  }

  /** The row for keys; undefined while the chosen one loads, lest they act on its neighbour. */
  row(source: RowSource<Row>): Row | undefined {
    const row = source.at(this.#index)
    return this.#isAwaited && row?.id !== this.#id ? undefined : row
  }

  moveTo(source: RowSource<Row>, index: number): void {
    this.#place(source, index)
    // The list may not be on the screen, as where only the open row has room: keys go on through it all the same.
    source.reach?.(this.#index)
    this.#isAwaited = false
    this.#unsettled = null
    this.#moves += 1
  }

  /** Selects a row that need not be loaded. @param settled until then the cursor waits for a row that leaves */
  follow(source: RowSource<Row>, id: string, settled: Promise<unknown> | null = null): void {
    this.#id = id
    this.#unsettled = settled
    void settled?.finally(() => {
      if (this.#unsettled === settled) this.#unsettled = null
    })
    const index = source.indexOf(id)
    this.#isAwaited = index === -1
    if (index === -1) return
    this.#index = index
    this.#moves += 1
  }

  /** Call when the source's rows have changed. */
  settle(source: RowSource<Row>): void {
    const found = this.#id === null ? -1 : source.indexOf(this.#id)
    if (found !== -1) {
      this.#index = found
      if (this.#isAwaited) this.#moves += 1
      this.#isAwaited = false
    } else if (
      (!this.#isAwaited && this.#unsettled === null) ||
      // In an empty list there is no other row: whatever comes back into it, the one that was chosen is waited for.
      (source.phase !== 'loading' && this.#index >= source.total && (source.total > 0 || this.#unsettled === null))
    ) {
      this.#place(source, this.#index)
    } else this.#isAwaited = true
  }

  #place(source: RowSource<Row>, index: number): void {
    this.#index = Math.max(0, Math.min(index, source.total - 1))
    this.#id = source.at(this.#index)?.id ?? null
  }
}
