import { PAGE_LIMIT } from '../platform/requests.ts'

export interface ProgressCounts {
  readonly done: number
  readonly total: number
}

/**
 * A list's end is only known once reached, so the work ahead grows during the sync. The shown number and share never
 * decrease, and reach the end when everything is done.
 * @param shown last progress shown; null at the start of a sync
 * @param done rows and e-mails fetched since the start
 * @param ahead rows and e-mails known or expected to follow
 */
export const advanceProgress = (shown: ProgressCounts | null, done: number, ahead: number): ProgressCounts => {
  const total = done + ahead
  if (shown === null || shown.total === 0) return { done, total }
  // The share shown last, applied to the current total. `done` never falls below it, so the total may grow.
  const floor = Math.ceil((shown.done / shown.total) * total)
  const shownDone = Math.max(done, shown.done, ahead === 0 ? total : Math.min(floor, total))
  return { done: shownDone, total: Math.max(total, shownDone) }
}

/** Work done in a sync, and the progress to show: null if nothing is left. */
export interface SyncWork {
  /** Rows and e-mails fetched since the current work began. */
  readonly done: number
  readonly progress: ProgressCounts | null
}

export const NO_SYNC_WORK: SyncWork = { done: 0, progress: null }

export interface RemainingWork {
  /** Unfinished lists; each is expected to have another page. */
  readonly lists: number
  readonly bodies: number
}

/** @param fetched rows and e-mails since the last call */
export const updateSyncWork = (before: SyncWork, { lists, bodies }: RemainingWork, fetched: number): SyncWork => {
  const ahead = lists * PAGE_LIMIT + bodies
  const done = before.done + fetched
  return ahead === 0 ? NO_SYNC_WORK : { done, progress: advanceProgress(before.progress, done, ahead) }
}
