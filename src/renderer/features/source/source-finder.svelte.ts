/** More matches help nobody, and each takes memory. */
export const MAX_MATCHES = 10_000
/** Milliseconds of searching before yielding to the window. */
const SLICE_MS = 8

/** Text to search, which arrives in pieces. */
export interface SearchedSource {
  readonly pieces: readonly string[]
  /** True once all pieces have arrived. */
  readonly isWhole: boolean
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Case-insensitive literal match. */
const patternOf = (query: string): RegExp => new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')

export class SourceFinder {
  readonly #source: () => SearchedSource
  #query = $state.raw('')
  /** Start of each match in the entire source, in order. */
  #matches = $state.raw<readonly number[]>([])
  #index = $state(-1)
  #searched = 0
  #searchedLength = 0
  #run = 0
  #isSearching = $state(false)

  constructor(source: () => SearchedSource) {
    this.#source = source
  }

  get query(): string {
    return this.#query
  }

  get matches(): readonly number[] {
    return this.#matches
  }

  /** UTF-16 units per match. */
  get length(): number {
    return this.#query.length
  }

  /** Index of the current match, or -1. */
  get index(): number {
    return this.#index
  }

  get isSearching(): boolean {
    return this.#isSearching
  }

  get isCapped(): boolean {
    return this.#matches.length >= MAX_MATCHES
  }

  search(query: string): void {
    if (query === this.#query) return
    this.#query = query
    this.#matches = []
    this.#index = -1
    this.#searched = 0
    this.#searchedLength = 0
    this.continueSearch()
  }

  /** Call when more of the source has arrived. */
  continueSearch(): void {
    this.#run += 1
    void this.#searchOn(this.#run)
  }

  /** Wraps around. */
  step(delta: 1 | -1): void {
    const count = this.#matches.length
    if (count === 0) return
    this.#index = this.#index === -1 ? (delta === 1 ? 0 : count - 1) : (this.#index + delta + count) % count
  }

  async #searchOn(run: number): Promise<void> {
    if (this.#query === '') {
      this.#isSearching = false
      return
    }
    this.#isSearching = true
    const pattern = patternOf(this.#query)
    // Coalesce keystrokes within one turn.
    await pause()
    for (let began = performance.now(); run === this.#run && this.#hasMore;) {
      this.#searchChunk(pattern)
      if (performance.now() - began < SLICE_MS) continue
      await pause()
      began = performance.now()
    }
    if (run === this.#run) this.#isSearching = false
  }

  get #hasMore(): boolean {
    return this.#searched < this.#source().pieces.length && !this.isCapped
  }

  #searchChunk(pattern: RegExp): void {
    const { pieces } = this.#source()
    const piece = pieces[this.#searched] ?? ''
    // A match may start in the previous piece.
    const before = this.#query.length < 2 ? '' : (pieces[this.#searched - 1] ?? '').slice(1 - this.#query.length)
    const offset = this.#searchedLength - before.length
    const last = this.#matches.at(-1) ?? -1
    const found: number[] = []
    for (const { index } of (before + piece).matchAll(pattern)) {
      const at = offset + index
      if (last === -1 || at >= last + this.#query.length) found.push(at)
      if (this.#matches.length + found.length >= MAX_MATCHES) break
    }
    this.#searched += 1
    this.#searchedLength += piece.length
    if (found.length === 0) return
    this.#matches = [...this.#matches, ...found]
    if (this.#index === -1) this.#index = 0
  }
}

/** Index of the first number not below `value`. @param numbers in ascending order */
export const findLowerBound = (numbers: readonly number[], value: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
