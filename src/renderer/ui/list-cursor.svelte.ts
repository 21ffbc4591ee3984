import type { RowSource } from './row-source.ts'

/**
 * The row that keys act on. It stays with its row while the list changes around it; where the row itself has gone, the
 * one that took its place is next.
 */
export class ListCursor<Row extends { readonly id: string }> {
  #index = $state(0)
  #id = $state<string | null>(null)

  get index(): number {
    return this.#index
  }

  get id(): string | null {
    return this.#id
  }

  row(source: RowSource<Row>): Row | undefined {
    return source.at(this.#index)
  }

  moveTo(source: RowSource<Row>, index: number): void {
    this.#index = Math.max(0, Math.min(index, source.total - 1))
    this.#id = source.at(this.#index)?.id ?? null
  }

  /** Puts the cursor on a row that was chosen by its id; it need not be at hand. */
  follow(source: RowSource<Row>, id: string): void {
    this.#id = id
    const index = source.indexOf(id)
    if (index !== -1) this.#index = index
  }

  /** Call when the source's rows have changed. */
  settle(source: RowSource<Row>): void {
    const found = this.#id === null ? -1 : source.indexOf(this.#id)
    if (found !== -1) this.#index = found
    else this.moveTo(source, this.#index)
  }
}
