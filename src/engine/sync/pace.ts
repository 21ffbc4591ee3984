/** Whether a person can see the window. */
export type Activity = 'focused' | 'visible' | 'hidden'

/** How often to look for news: often while the window is in use, not at all while nobody can see it. */
const POLL_MS: Readonly<Record<Activity, number | null>> = { focused: 15_000, visible: 30_000, hidden: null }

/** @returns milliseconds to the next look; null until the window is seen again */
export const pollInterval = (activity: Activity): number | null => POLL_MS[activity]
