declare module '../../kernel/session.ts' {
  interface Session {
    readonly movePicker: MovePickerManager
  }
}

/** Whether a person is choosing a folder for the threads that commands act on. */
export class MovePickerManager {
  isOpen = $state(false)
}
