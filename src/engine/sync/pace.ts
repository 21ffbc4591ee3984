/** Whether a person can see the window. */
export type Activity = 'focused' | 'visible' | 'hidden'

/**
 * How often to look for news: often while the window is in use, seldom while nobody can see it. Never would be too seldom:
 * what the platform drops after 30 days is kept only where it was seen.
 */
const POLL_MS: Readonly<Record<Activity, number>> = { focused: 15_000, visible: 30_000, hidden: 5 * 60_000 }

/** @returns milliseconds to the next look */
export const pollInterval = (activity: Activity): number => POLL_MS[activity]
