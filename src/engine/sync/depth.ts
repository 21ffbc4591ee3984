import type { FactStore } from '../store/facts.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_DAYS = 30
const FACT = 'depth days'
const EVERYTHING = 'all'

/** How many days back bodies are fetched without being asked for; null for all. Thirty until a person chooses. */
export const depthDays = (facts: FactStore): number | null => {
  const kept = facts.get(FACT)
  return kept === EVERYTHING ? null : kept === undefined ? DEFAULT_DAYS : Number(kept)
}

export const setDepthDays = (facts: FactStore, days: number | null): void => facts.set(FACT, days ?? EVERYTHING)

/** @returns the time from which on bodies are fetched, milliseconds since the epoch */
export const bodiesSince = (facts: FactStore, now = Date.now()): number => {
  const days = depthDays(facts)
  return days === null ? Number.MIN_SAFE_INTEGER : now - days * DAY_MS
}
