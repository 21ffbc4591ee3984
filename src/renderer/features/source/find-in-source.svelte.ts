/** More of them are no help to anybody, and each has a place to be kept. */
export const MOST_MATCHES = 10_000
/** Milliseconds that are looked through at a time: the window draws in between. */
const TURN = 8

/** What is looked through: pieces that come in one after the other. */
export interface FoundIn {
  readonly pieces: readonly string[]
  /** Whether there are no more to come. */
  readonly isWhole: boolean
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Words as they are typed, whatever their case. */
const patternOf = (query: string): RegExp => new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')

/** Looks for what is typed in a source, and goes from one place to the next. */
export class FindInSource {
  readonly #source: () => FoundIn
  #query = $state.raw('')
  /** Where each match begins in the whole, in order. */
  #matches = $state.raw<readonly number[]>([])
  #index = $state(-1)
  #searched = 0
  #searchedLength = 0
  #run = 0
  #isSearching = $state(false)

  constructor(source: () => FoundIn) {
    this.#source = source
  }

  get query(): string {
    return this.#query
  }

  get matches(): readonly number[] {
    return this.#matches
  }

  /** UTF-16 units of each match. */
  get length(): number {
    return this.#query.length
  }

  /** Of the match that a person is at; -1 where there is none. */
  get index(): number {
    return this.#index
  }

  get isSearching(): boolean {
    return this.#isSearching
  }

  get isCapped(): boolean {
    return this.#matches.length >= MOST_MATCHES
  }

  /** Another text is looked for, from the beginning. */
  search(query: string): void {
    if (query === this.#query) return
    this.#query = query
    this.#matches = []
    this.#index = -1
    this.#searched = 0
    this.#searchedLength = 0
    this.goOn()
  }

  /** There is more of the source than before. */
  goOn(): void {
    this.#run += 1
    void this.#searchOn(this.#run)
  }

  /** Goes to the next match or the one before; from either end to the other. */
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
    // What is typed further within the same turn is not looked for twice.
    await pause()
    for (let began = performance.now(); run === this.#run && this.#hasMore;) {
      this.#searchPiece(pattern)
      if (performance.now() - began < TURN) continue
      await pause()
      began = performance.now()
    }
    if (run === this.#run) this.#isSearching = false
  }

  get #hasMore(): boolean {
    return this.#searched < this.#source().pieces.length && !this.isCapped
  }

  #searchPiece(pattern: RegExp): void {
    const { pieces } = this.#source()
    const piece = pieces[this.#searched] ?? ''
    // A match may begin in the piece before.
    const before = this.#query.length < 2 ? '' : (pieces[this.#searched - 1] ?? '').slice(1 - this.#query.length)
    const offset = this.#searchedLength - before.length
    const last = this.#matches.at(-1) ?? -1
    const found: number[] = []
    for (const { index } of (before + piece).matchAll(pattern)) {
      const at = offset + index
      if (last === -1 || at >= last + this.#query.length) found.push(at)
      if (this.#matches.length + found.length >= MOST_MATCHES) break
    }
    this.#searched += 1
    this.#searchedLength += piece.length
    if (found.length === 0) return
    this.#matches = [...this.#matches, ...found]
    if (this.#index === -1) this.#index = 0
  }
}

/** The index of the first of some numbers in order that is not below another one. */
export const firstFrom = (numbers: readonly number[], value: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
