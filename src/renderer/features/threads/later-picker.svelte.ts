import type { ChosenThreads } from './chosen-threads.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly laterPicker: LaterPickerManager
  }
}

/** What a time is chosen for. */
export type LaterPurpose = 'snooze' | 'remind'

/** Whether a person is choosing a time, and what becomes of it. */
export class LaterPickerManager {
  isOpen = $state(false)
  #purpose = $state<LaterPurpose>('snooze')
  #hasTime = $state(false)
  #choose: (at: number | null) => void = () => undefined

  /**
   * @param about the threads that it is for, or whether there is a time already
   * @param choose called with the time, milliseconds since the epoch; null to end what there is
   */
  open(
    purpose: LaterPurpose,
    about: Pick<ChosenThreads, 'threads'> | { readonly hasTime: boolean },
    choose: (at: number | null) => void,
  ): void {
    this.#purpose = purpose
    this.#hasTime =
      'hasTime' in about
        ? about.hasTime
        : about.threads.some(
            ({ marks }) => typeof (purpose === 'snooze' ? marks?.snoozedUntil : marks?.remindAt) === 'number',
          )
    this.#choose = choose
    this.isOpen = true
  }

  get purpose(): LaterPurpose {
    return this.#purpose
  }

  /** Whether there is something to end. */
  get hasTime(): boolean {
    return this.#hasTime
  }

  choose(at: number | null): void {
    this.#choose(at)
  }
}
