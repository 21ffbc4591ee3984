import type { CommandContext } from '../../kernel/commands.ts'

type Pointed = Pick<CommandContext, 'pointedId' | 'pointedMail'>

export class MovePickerManager {
  isOpen = $state(false)
  #pointed = $state.raw<Pointed>({})

  /** @param pointed the pointed mail; empty for the threads that commands act on */
  open(pointed: Pointed): void {
    this.#pointed = pointed
    this.isOpen = true
  }

  get pointed(): Pointed {
    return this.#pointed
  }
}
