import type { CommandContext } from '../../kernel/commands.ts'

type Pointed = Pick<CommandContext, 'pointedId' | 'pointedMail'>

export class MovePickerManager {
  isOpen = $state(false)
  /** The pointed mail; empty for the threads that commands act on. */
  pointed = $state.raw<Pointed>({})

  open(pointed: Pointed): void {
    this.pointed = pointed
    this.isOpen = true
  }
}

type TimePurpose = 'snooze' | 'remind' | 'send' | 'reschedule'

interface AskedTime {
  readonly purpose: TimePurpose
  /** True if a time that the user may clear is already set. */
  readonly hasTime: boolean
  /** Receives the time in milliseconds since the epoch; null clears the current one. */
  readonly choose: (at: number | null) => void
}

export class TimePickerManager {
  isOpen = $state(false)
  /** The question in the picker, or the last one. */
  asked = $state.raw<AskedTime>({ purpose: 'snooze', hasTime: false, choose: () => undefined })

  open(asked: AskedTime): void {
    this.asked = asked
    this.isOpen = true
  }

  /** Asks when to send a message. @param choose receives milliseconds since the epoch */
  openForSending(purpose: 'send' | 'reschedule', choose: (at: number) => void): void {
    this.open({
      purpose,
      hasTime: false,
      choose: (at) => {
        if (at !== null) choose(at)
      },
    })
  }
}

export class ThreadDrag {
  /** ID of the dragged row, or null for the selection. Null again after a drop, a cancelled drag or Escape. */
  dragged = $state.raw<{ readonly pointedId: string | null } | null>(null)

  drag(dragged: ThreadDrag['dragged']): void {
    this.dragged = dragged
  }
}
