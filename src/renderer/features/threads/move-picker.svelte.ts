declare module '../../kernel/session.ts' {
  interface Session {
    readonly movePicker: MovePickerManager
  }
}

/** Whether a person is choosing a folder, and for which threads. */
export class MovePickerManager {
  isOpen = $state(false)
  #pointedId = $state<string | null>(null)

  /** @param pointedId the thread that is pointed at; null where it is for those that commands act on */
  open(pointedId: string | null): void {
    this.#pointedId = pointedId
    this.isOpen = true
  }

  get pointedId(): string | null {
    return this.#pointedId
  }
}
