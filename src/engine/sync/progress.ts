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
