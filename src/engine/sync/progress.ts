import { PAGE_LIMIT } from '../api/requests.ts'

/** How far a sync has come, in rows and e-mails fetched. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/**
 * What to show next. The end of a list is only known when it is reached, so the work ahead grows while it is done; what
 * is shown never falls back, neither the number nor the share, and it ends where everything is done.
 * @param shown what was shown last; null at the start of a sync
 * @param done rows and e-mails fetched since the start
 * @param ahead rows and e-mails that are known, or must be expected, to follow
 */
export const advance = (shown: Progress | null, done: number, ahead: number): Progress => {
  const total = done + ahead
  if (shown === null || shown.total === 0) return { done, total }
  // The share shown last, of the total as it is now: `done` is held up to it, so the total may grow.
  const floor = Math.ceil((shown.done / shown.total) * total)
  const shownDone = Math.max(done, shown.done, ahead === 0 ? total : Math.min(floor, total))
  return { done: shownDone, total: Math.max(total, shownDone) }
}

/** How much a sync has done, and what is shown of that; null where nothing is left. */
export interface Work {
  /** Rows and e-mails fetched since something was left to do. */
  readonly done: number
  readonly progress: Progress | null
}

export const NO_WORK: Work = { done: 0, progress: null }

/** Known work that is left. */
export interface WorkAhead {
  /** Lists whose end was not reached: each is expected to have another page. */
  readonly lists: number
  readonly bodies: number
}

/** @param fetched rows and e-mails since the last reckoning */
export const reckon = (before: Work, { lists, bodies }: WorkAhead, fetched: number): Work => {
  const ahead = lists * PAGE_LIMIT + bodies
  const done = before.done + fetched
  return ahead === 0 ? NO_WORK : { done, progress: advance(before.progress, done, ahead) }
}
