export type ActivityLevel = 'focused' | 'visible' | 'hidden'

/** Polling intervals. Polling continues while hidden, because the platform deletes mail after 30 days. */
const POLL_MS: Readonly<Record<ActivityLevel, number>> = { focused: 15_000, visible: 30_000, hidden: 5 * 60_000 }

export const pollInterval = (activity: ActivityLevel): number => POLL_MS[activity]
