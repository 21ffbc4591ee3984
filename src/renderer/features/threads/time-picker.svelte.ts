import type { ChosenThreads } from './chosen-threads.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly timePicker: TimePickerManager
  }
}

export type TimePurpose = 'snooze' | 'remind'

export class TimePickerManager {
  isOpen = $state(false)
  #purpose = $state<TimePurpose>('snooze')
  #hasTime = $state(false)
  #choose: (at: number | null) => void = () => undefined

  /**
   * @param about the threads, or whether a time is already set
   * @param choose receives the time in milliseconds since the epoch; null clears the current one
   */
  open(
    purpose: TimePurpose,
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

  get purpose(): TimePurpose {
    return this.#purpose
  }

  get hasTime(): boolean {
    return this.#hasTime
  }

  choose(at: number | null): void {
    this.#choose(at)
  }
}
