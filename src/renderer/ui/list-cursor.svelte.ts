import type { RowSource } from './row-source.ts'

/**
 * The row that keys act on. It stays with its row while the list changes around it; where the row itself has gone, the
 * one that took its place is next.
 */
export class ListCursor<Row extends { readonly id: string }> {
  #index = $state(0)
  #id = $state<string | null>(null)
  #moves = $state(0)
  /** A row was chosen by its id before it was at hand. */
  #isAwaited = false
  /** What may still take the row away and bring it back. */
  #unsettled: Promise<unknown> | null = null

  get index(): number {
    return this.#index
  }

  get id(): string | null {
    return this.#id
  }

  /**
   * Grows whenever the cursor is put on another row, and not when rows move under it: the list scrolls to the cursor for
   * the one, and stays where a person has scrolled it for the other.
   */
  get moves(): number {
    return this.#moves
  }

  /** Whether the row that was chosen is still on its way. */
  get isAwaiting(): boolean {
    return this.#isAwaited
  }

  /** The row for keys to act on; none while the one that was chosen is on its way, lest they act on its neighbour. */
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

  /**
   * Puts the cursor on a row that was chosen by its id; it need not be at hand.
   * @param settled until then the row may leave and come back, and the cursor waits for it
   */
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
