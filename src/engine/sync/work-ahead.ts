import { PAGE_LIMIT } from '../api/requests.ts'
import { advance, type Progress } from './progress.ts'

/** How much a sync has done, and what is shown of that; null where nothing is left. */
export interface Work {
  /** Rows and e-mails fetched since something was left to do. */
  readonly done: number
  readonly progress: Progress | null
}

export const NO_WORK: Work = { done: 0, progress: null }

/** What is left to fetch, as far as it is known. */
export interface WorkAhead {
  /** Lists that were not walked to their end yet: each is expected to go on by a page. */
  readonly lists: number
  readonly bodies: number
}

/** @param fetched rows and e-mails since the last reckoning */
export const reckon = (before: Work, { lists, bodies }: WorkAhead, fetched: number): Work => {
  const ahead = lists * PAGE_LIMIT + bodies
  const done = before.done + fetched
  return ahead === 0 ? NO_WORK : { done, progress: advance(before.progress, done, ahead) }
}
