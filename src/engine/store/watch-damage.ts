import { isCorrupt } from './storage-problem.ts'

/** The same functions, each telling of a file that turns out to be damaged, whoever called it. */
export const watchDamage = <Store extends object>(store: Store, onCorrupt: () => void): Store => {
  const watched = Object.entries(store).map(([name, work]: [string, (...input: unknown[]) => unknown]) => [
    name,
    (...input: unknown[]): unknown => {
      try {
        return work(...input)
      } catch (thrown) {
        if (isCorrupt(thrown)) onCorrupt()
        throw thrown
      }
    },
  ])
  // Each name keeps its own function's type: what is wrapped takes and gives the same.
  return Object.fromEntries(watched) as Store
}
