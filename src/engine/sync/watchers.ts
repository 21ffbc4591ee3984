import type { Activity } from './pace.ts'

/** From the least to the most. */
const ORDER: readonly Activity[] = ['hidden', 'visible', 'focused']

/** Who looks at an account's mail: several windows or tabs may, and none of them speaks for another. */
export class Watchers {
  readonly #callers = new Map<string, Activity>()
  readonly #setActivity: (activity: Activity) => void

  /**
   * @param setActivity is given the activity of whoever looks the most, whenever somebody comes, goes or looks otherwise; nothing
   * before the first window has spoken
   */
  constructor(setActivity: (activity: Activity) => void) {
    this.#setActivity = setActivity
  }

  see(caller: string, activity: Activity): void {
    this.#callers.set(caller, activity)
    this.#report()
  }

  /** A window or tab is gone. */
  leave(caller: string): void {
    if (this.#callers.delete(caller)) this.#report()
  }

  #report(): void {
    const seen = [...this.#callers.values()].map((activity) => ORDER.indexOf(activity))
    this.#setActivity(ORDER[Math.max(0, ...seen)] ?? 'hidden')
  }
}
