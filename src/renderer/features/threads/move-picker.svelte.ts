import type { CommandContext } from '../../kernel/commands.ts'

type Pointed = Pick<CommandContext, 'pointedId' | 'pointedMail'>

declare module '../../kernel/session.ts' {
  interface Session {
    readonly movePicker: MovePickerManager
  }
}

/** Whether a person is choosing a folder, and for which threads. */
export class MovePickerManager {
  isOpen = $state(false)
  #pointed = $state.raw<Pointed>({})

  /** @param pointed what is pointed at; empty where it is for what commands act on */
  open(pointed: Pointed): void {
    this.#pointed = pointed
    this.isOpen = true
  }

  get pointed(): Pointed {
    return this.#pointed
  }
}
