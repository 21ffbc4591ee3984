/* eslint-disable svelte/prefer-svelte-reactivity -- its map is replaced, never modified */
import type { ListCursor } from './list-cursor.svelte.ts'
import type { RowSource } from './row-source.ts'

interface AnchoredList<Row extends { readonly id: string }> {
  readonly source: RowSource<Row>
  readonly cursor: ListCursor<Row>
  /** The scrolling element, or null while no row is drawn. */
  readonly viewport: HTMLElement | null
  readonly height: number
  readonly rowHeight: number
  /** True to hold the row under the pointer or cursor even at the top of the list. */
  readonly insertsAnywhere: boolean
}

/** Keeps the row that the user is looking at in place while rows change above it. */
export class ScrollAnchor<Row extends { readonly id: string }> {
  readonly #list: () => AnchoredList<Row>
  /** IDs of the visible rows at the last draw, by index. */
  #drawn: ReadonlyMap<number, string> = new Map()
  #drawnCursor: string | null = null
  /** Pointer position in pixels below the viewport's top; null if the pointer is outside, or after the cursor moved. */
  #pointerAt: number | null = null
  /** Number of rows inserted above the visible ones. */
  above = $state(0)
  /** Last scroll position of each viewport, in pixels; null until its next scroll event. */
  readonly #tops = new WeakMap<HTMLElement, number | null>()
  /** Spacer below the rows, so a row can keep its place when there are too few to scroll. */
  spacer = $state<HTMLElement | null>(null)

  /** @param list returns the list's state; reactive */
  constructor(list: () => AnchoredList<Row>) {
    this.#list = list
  }

  visibleIndexes(): readonly number[] {
    const { height, rowHeight } = this.#list()
    const first = Math.floor(this.#top / rowHeight)
    return Array.from({ length: Math.ceil(height / rowHeight) + 1 }, (_, index) => first + index)
  }

  /** Sets the pointer's position in pixels of the window; null once it leaves the list. */
  pointAt(clientY: number | null): void {
    const top = this.#list().viewport?.getBoundingClientRect().top ?? 0
    this.#pointerAt = clientY === null ? null : clientY - top
  }

  /** Call when the cursor moves: from then on, the cursor's row is held in place. */
  cursorMoved(): void {
    this.#pointerAt = null
    this.#drawnCursor = this.#list().cursor.id
  }

  scrolled(): void {
    const { viewport, rowHeight } = this.#list()
    if (viewport !== null) this.#tops.set(viewport, viewport.scrollTop)
    this.above = Math.min(this.above, Math.floor(this.#top / rowHeight))
    this.#shrinkSpacer()
    this.#remember()
  }

  /** Does nothing at the current position: setting it again would still force a layout. @param top in pixels */
  scrollTo(top: number): void {
    if (top !== this.#top) this.#scroll(top)
  }

  scrollToRow(index: number): void {
    const { height, rowHeight } = this.#list()
    const start = index * rowHeight
    const end = start + rowHeight
    if (start < this.#top) this.#scroll(start)
    else if (end > this.#top + height) this.#scroll(end - height)
  }

  reset(): void {
    this.#drawn = new Map()
    this.above = 0
    if (this.spacer !== null) this.spacer.style.height = '0'
  }

  /** Call when rows have changed: scrolls by as much as the held row moved. */
  rowsChanged(): void {
    this.#restorePosition()
    this.#remember()
  }

  /** The last reported scroll position: reading it while rows change would force a layout. */
  get #top(): number {
    const { viewport } = this.#list()
    if (viewport === null) return 0
    const known = this.#tops.get(viewport)
    return known === undefined ? 0 : (known ?? viewport.scrollTop)
  }

  #invalidateTop(): void {
    const { viewport } = this.#list()
    if (viewport !== null) this.#tops.set(viewport, null)
  }

  #remember(): void {
    const { source, cursor } = this.#list()
    this.#drawnCursor = cursor.id
    this.#drawn = new Map(this.visibleIndexes().flatMap((index) => [[index, source.at(index)?.id ?? ''] as const]))
  }

  /** Index of the held row at the last draw; null if new rows may push rows down. */
  #anchorIndex(): number | null {
    const { viewport, rowHeight, insertsAnywhere } = this.#list()
    const top = this.#top
    const first = top > 0 ? Math.ceil(top / rowHeight) : null
    if (first === null && !insertsAnywhere) return null
    if (this.#pointerAt !== null) return Math.floor((top + this.#pointerAt) / rowHeight)
    if (viewport?.contains(document.activeElement) !== true) return first
    for (const [index, id] of this.#drawn) if (id === this.#drawnCursor) return index
    return first
  }

  #shrinkSpacer(): void {
    const { source, viewport, rowHeight } = this.#list()
    const { spacer } = this
    if (spacer === null || viewport === null || spacer.offsetHeight === 0) return
    const needed = viewport.scrollTop + viewport.clientHeight - source.total * rowHeight
    spacer.style.height = `${Math.max(0, Math.min(spacer.offsetHeight, needed))}px`
  }

  #restorePosition(): void {
    const { source, viewport, rowHeight } = this.#list()
    // If the cursor's row was removed, the next row takes its place, so no row is held.
    const isTaken = [...this.#drawn.values()].some((id) => id === this.#drawnCursor && source.indexOf(id) === -1)
    const index = isTaken ? null : this.#anchorIndex()
    const id = index === null ? undefined : this.#drawn.get(index)
    const now = id === undefined || id === '' ? -1 : source.indexOf(id)
    if (index === null || viewport === null || now === -1 || now === index) return
    const top = Math.max(0, viewport.scrollTop + (now - index) * rowHeight)
    const missing = top + viewport.clientHeight - source.total * rowHeight
    if (this.spacer !== null && missing > 0) this.spacer.style.height = `${missing}px`
    this.above = Math.max(0, this.above + now - index)
    this.#scroll(top)
  }

  /** Scrolls once. The virtualiser would keep scrolling, and undo later scrolls by the user or for a new row. */
  #scroll(top: number): void {
    const { viewport } = this.#list()
    if (viewport === null) return
    this.#invalidateTop()
    viewport.scrollTop = top
    this.#scrollAfterLayout(top, this.above)
  }

  /** When many rows arrive above a few, the scroll height grows only at the next layout, a frame later. */
  #scrollAfterLayout(top: number, counted: number): void {
    const reached = this.#list().viewport?.scrollTop ?? top
    if (reached >= top - 1) return
    requestAnimationFrame(() => {
      const { viewport } = this.#list()
      // The user has scrolled since then, so don't override that position.
      if (viewport?.scrollTop !== reached) return
      this.#invalidateTop()
      viewport.scrollTop = top
      this.above = counted
    })
  }
}
