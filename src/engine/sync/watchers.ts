import type { Activity } from './pace.ts'

/** From the least to the most. */
const ORDER: readonly Activity[] = ['hidden', 'visible', 'focused']

/** Who looks at an account's mail: several windows or tabs may, and none of them speaks for another. */
export interface Watchers {
  readonly see: (caller: string, activity: Activity) => void
  /** A window or tab is gone. */
  readonly leave: (caller: string) => void
}

/**
 * @param setActivity is told how much the mail is looked at: as much as by whoever looks the most. It is told of no one before
 * the first window has spoken.
 */
export const createWatchers = (setActivity: (activity: Activity) => void): Watchers => {
  const callers = new Map<string, Activity>()
  const tell = (): void => {
    const seen = [...callers.values()].map((activity) => ORDER.indexOf(activity))
    setActivity(ORDER[Math.max(0, ...seen)] ?? 'hidden')
  }
  return {
    see: (caller, activity) => {
      callers.set(caller, activity)
      tell()
    },
    leave: (caller) => {
      if (callers.delete(caller)) tell()
    },
  }
}
