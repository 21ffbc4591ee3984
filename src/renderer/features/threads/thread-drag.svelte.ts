/** ID of the dragged row; null for the selection. */
export interface DraggedThreads {
  readonly pointedId: string | null
}

export class ThreadDrag {
  #dragged = $state.raw<DraggedThreads | null>(null)

  get dragged(): DraggedThreads | null {
    return this.#dragged
  }

  start(dragged: DraggedThreads): void {
    this.#dragged = dragged
  }

  /** Called on a drop, a cancelled drag or Escape. */
  end(): void {
    this.#dragged = null
  }
}
