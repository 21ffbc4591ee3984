import type { Freshness, LocalExtent, PlatformAnswer, Searched } from '../../shared/model.ts'

const earliest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** How fresh lists are as one: no fresher than any of them. */
export const mergeFreshness = (all: readonly Freshness[]): Freshness => {
  if (all.length === 0 || all.some(({ state }) => state === 'never')) return { state: 'never', at: null }
  const state = all.every((each) => each.state === 'live') ? 'live' : 'cached'
  return { state, at: earliest(all.map(({ at }) => at)) }
}

const mergeExtents = (extents: readonly (LocalExtent | null)[]): LocalExtent | null => {
  const known = extents.filter((extent) => extent !== null)
  if (known.length === 0) return null
  const spellings = [...new Set(known.flatMap((extent) => extent.spellings ?? []))]
  const { emails, of } = known.reduce((sum, each) => ({ emails: sum.emails + each.emails, of: sum.of + each.of }))
  return { emails, of, ...(spellings.length > 0 && { spellings }) }
}

/** One that waits may still bring rows; where none does, one that failed is what a person can do something about. */
const mergePlatforms = (answers: readonly PlatformAnswer[]): PlatformAnswer => {
  const at = earliest(answers.map((answer) => (answer.state === 'not asked' ? null : answer.at)))
  if (answers.some(({ state }) => state === 'waiting')) return { state: 'waiting', at }
  const failed = answers.find((answer) => answer.state === 'failed')
  if (failed !== undefined) return { ...failed, at }
  return at === null || answers.some(({ state }) => state === 'not asked')
    ? { state: 'not asked' }
    : { state: 'answered', at }
}

/** What several searches were answered by, as one; null where there is none. */
export const mergeSearched = (all: readonly (Searched | null)[]): Searched | null => {
  const searches = all.filter((searched) => searched !== null)
  if (searches.length === 0) return null
  return {
    computer: mergeExtents(searches.map(({ computer }) => computer)),
    platform: mergePlatforms(searches.map(({ platform }) => platform)),
    isCapped: searches.some(({ isCapped }) => isCapped),
    mayLag: searches.some(({ mayLag }) => mayLag),
  }
}
