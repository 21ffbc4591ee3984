/* eslint-disable svelte/prefer-svelte-reactivity -- its map is a value that is replaced, never changed */
import type { ListCursor } from './list-cursor.svelte.ts'
import type { RowSource } from './row-source.ts'

interface HeldList<Row extends { readonly id: string }> {
  readonly source: RowSource<Row>
  readonly cursor: ListCursor<Row>
  /** The scrolling element; null while no row is drawn. */
  readonly viewport: HTMLElement | null
  /** Pixels of the viewport, and of each row. */
  readonly height: number
  readonly rowHeight: number
  /** True to hold the row under the pointer or cursor at the list's top, too. */
  readonly isMerged: boolean
}

/** Holds the row still that a person looks at, while others come and go above it. */
export class HeldRows<Row extends { readonly id: string }> {
  readonly #list: () => HeldList<Row>
  /** The rows on the screen as they were drawn last, by their indexes. */
  #drawn: ReadonlyMap<number, string> = new Map()
  #drawnCursor: string | null = null
  /** The pointer, in pixels below the viewport's top; null outside, or after the cursor moved. */
  #pointerAt: number | null = null
  #above = $state(0)
  /** Scroll positions in pixels; null until a scroll event tells. */
  readonly #tops = new WeakMap<HTMLElement, number | null>()
  /** Below the rows: where there are too few to scroll, a row can keep its place all the same. */
  room = $state<HTMLElement | null>(null)

  /** @param list reactive */
  constructor(list: () => HeldList<Row>) {
    this.#list = list
  }

  /** How many rows came in above those on the screen, which were held still. */
  get above(): number {
    return this.#above
  }

  visibleIndexes(): readonly number[] {
    const { height, rowHeight } = this.#list()
    const first = Math.floor(this.#top / rowHeight)
    return Array.from({ length: Math.ceil(height / rowHeight) + 1 }, (_, index) => first + index)
  }

  /** The pointer is at so many pixels of the window; null where it has left the list. */
  pointAt(clientY: number | null): void {
    const top = this.#list().viewport?.getBoundingClientRect().top ?? 0
    this.#pointerAt = clientY === null ? null : clientY - top
  }

  /** The cursor was moved: its row is what the person looks at. */
  cursorMoved(): void {
    this.#pointerAt = null
    this.#drawnCursor = this.#list().cursor.id
  }

  /** The list says that it is scrolled, by whomever. */
  scrolled(): void {
    const { viewport, rowHeight } = this.#list()
    if (viewport !== null) this.#tops.set(viewport, viewport.scrollTop)
    this.#above = Math.min(this.#above, Math.floor(this.#top / rowHeight))
    this.#giveRoomBack()
    this.#remember()
  }

  /** Scrolls the list. One that is there already would be laid out for it all the same. @param top in pixels */
  scrollTo(top: number): void {
    if (top !== this.#top) this.#scroll(top)
  }

  /** Scrolls the list so that a row is in sight, as little as that takes. */
  scrollToRow(index: number): void {
    const { height, rowHeight } = this.#list()
    const start = index * rowHeight
    const end = start + rowHeight
    if (start < this.#top) this.#scroll(start)
    else if (end > this.#top + height) this.#scroll(end - height)
  }

  /** Another list takes the place of this one. */
  reset(): void {
    this.#drawn = new Map()
    this.#above = 0
    if (this.room !== null) this.room.style.height = '0'
  }

  /** Rows have come or gone: scrolls by as much as the row that a person looks at was moved by those above it. */
  rowsChanged(): void {
    this.#holdStill()
    this.#remember()
  }

  /** The last reported scroll position: reading it while rows change would force a layout. */
  get #top(): number {
    const { viewport } = this.#list()
    if (viewport === null) return 0
    const known = this.#tops.get(viewport)
    return known === undefined ? 0 : (known ?? viewport.scrollTop)
  }

  /** The list is about to be scrolled, and says so later. */
  #moving(): void {
    const { viewport } = this.#list()
    if (viewport !== null) this.#tops.set(viewport, null)
  }

  #remember(): void {
    const { source, cursor } = this.#list()
    this.#drawnCursor = cursor.id
    this.#drawn = new Map(this.visibleIndexes().flatMap((index) => [[index, source.at(index)?.id ?? ''] as const]))
  }

  /** The index, among the rows drawn last, of the one that a person looks at; null where new rows may push it down. */
  #heldIndex(): number | null {
    const { viewport, rowHeight, isMerged } = this.#list()
    const top = this.#top
    const first = top > 0 ? Math.ceil(top / rowHeight) : null
    if (first === null && !isMerged) return null
    if (this.#pointerAt !== null) return Math.floor((top + this.#pointerAt) / rowHeight)
    if (viewport?.contains(document.activeElement) !== true) return first
    for (const [index, id] of this.#drawn) if (id === this.#drawnCursor) return index
    return first
  }

  #giveRoomBack(): void {
    const { source, viewport, rowHeight } = this.#list()
    const { room } = this
    if (room === null || viewport === null || room.offsetHeight === 0) return
    const needed = viewport.scrollTop + viewport.clientHeight - source.total * rowHeight
    room.style.height = `${Math.max(0, Math.min(room.offsetHeight, needed))}px`
  }

  #holdStill(): void {
    const { source, viewport, rowHeight } = this.#list()
    // The next row replaces a removed one under the cursor.
    const isTaken = [...this.#drawn.values()].some((id) => id === this.#drawnCursor && source.indexOf(id) === -1)
    const index = isTaken ? null : this.#heldIndex()
    const id = index === null ? undefined : this.#drawn.get(index)
    const now = id === undefined || id === '' ? -1 : source.indexOf(id)
    if (index === null || viewport === null || now === -1 || now === index) return
    const top = Math.max(0, viewport.scrollTop + (now - index) * rowHeight)
    const missing = top + viewport.clientHeight - source.total * rowHeight
    if (this.room !== null && missing > 0) this.room.style.height = `${missing}px`
    this.#above = Math.max(0, this.#above + now - index)
    this.#scroll(top)
  }

  /** Scrolls once. The virtualiser would go on for a while and undo what the person or a new row scrolled since. */
  #scroll(top: number): void {
    const { viewport } = this.#list()
    if (viewport === null) return
    this.#moving()
    viewport.scrollTop = top
    this.#reachLater(top, this.#above)
  }

  /** Many rows that come in above a few: they have their room only when they are laid out, a frame later. */
  #reachLater(top: number, counted: number): void {
    const reached = this.#list().viewport?.scrollTop ?? top
    if (reached >= top - 1) return
    requestAnimationFrame(() => {
      const { viewport } = this.#list()
      // A person who has scrolled since is where they want to be.
      if (viewport?.scrollTop !== reached) return
      this.#moving()
      viewport.scrollTop = top
      this.#above = counted
    })
  }
}
