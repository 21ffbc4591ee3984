declare module '../../kernel/session.ts' {
  interface Session {
    readonly drag: ThreadDrag
  }
}

/** What is dragged: the row that a person has taken hold of, by its ID; null for all that is selected. */
export interface DraggedThreads {
  readonly pointedId: string | null
}

/** Threads on their way to a folder or a label of the side bar, while a person holds them. */
export class ThreadDrag {
  #dragged = $state.raw<DraggedThreads | null>(null)

  /** Null while nothing is dragged. */
  get dragged(): DraggedThreads | null {
    return this.#dragged
  }

  begin(dragged: DraggedThreads): void {
    this.#dragged = dragged
  }

  /** Dropped, let go of elsewhere, or taken back by Escape. */
  end(): void {
    this.#dragged = null
  }
}
