import type { FactStore } from '../store/facts.ts'

const FACT = 'depth days'
const EVERYTHING = 'all'

/** The depth that earlier versions kept among the facts: null for all, undefined where none was chosen. */
export const earlierDepthDays = (facts: FactStore): number | null | undefined => {
  const kept = facts.get(FACT)
  if (kept === EVERYTHING) return null
  const days = Number(kept ?? Number.NaN)
  return Number.isSafeInteger(days) && days > 0 ? days : undefined
}
