export type ActivityLevel = 'focused' | 'visible' | 'hidden'

/** Polling intervals. Polling continues while hidden, for notifications. */
const POLL_MS: Readonly<Record<ActivityLevel, number>> = { focused: 8_000, visible: 15_000, hidden: 60_000 }

/** Intervals while a webhook's event log tells of changes. */
const FED_POLL_MS: Readonly<Record<ActivityLevel, number>> = { focused: 30_000, visible: 30_000, hidden: 5 * 60_000 }

export const pollInterval = (activity: ActivityLevel, isFed: boolean): number =>
  (isFed ? FED_POLL_MS : POLL_MS)[activity]

/** In ascending order. */
const ORDER: readonly ActivityLevel[] = ['hidden', 'visible', 'focused']

/** Activity of the windows and tabs that show an account's mail. */
export class ViewerActivity {
  readonly #callers = new Map<string, ActivityLevel>()
  readonly #setActivity: (activity: ActivityLevel) => void

  /** @param setActivity called with the highest activity on every change, starting with the first report of a window */
  constructor(setActivity: (activity: ActivityLevel) => void) {
    this.#setActivity = setActivity
  }

  see(caller: string, activity: ActivityLevel): void {
    this.#callers.set(caller, activity)
    this.#report()
  }

  /** Call when a window or tab closes. */
  leave(caller: string): void {
    if (this.#callers.delete(caller)) this.#report()
  }

  #report(): void {
    const seen = [...this.#callers.values()].map((activity) => ORDER.indexOf(activity))
    this.#setActivity(ORDER[Math.max(0, ...seen)] ?? 'hidden')
  }
}
