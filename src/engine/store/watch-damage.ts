import { isCorrupt } from './storage-problem.ts'

/** What can be called of a store: a class's own fields are nobody else's. */
export type Watched<Store> = { readonly [Name in keyof Store]: Store[Name] }

type Work = (...input: unknown[]) => unknown

/** An object's own functions, or the methods of its class. */
const namesOf = (store: object): readonly string[] => {
  const methods = Object.getPrototypeOf(store) as object
  const inherited = methods === Object.prototype ? [] : Object.getOwnPropertyNames(methods)
  return [...Object.keys(store), ...inherited.filter((name) => name !== 'constructor')]
}

/** The same functions, each reporting a file that turns out to be damaged, whoever called it. */
export const watchDamage = <Store extends object>(store: Store, onCorrupt: () => void): Watched<Store> => {
  const works = store as Readonly<Record<string, Work>>
  const watched = namesOf(store).map((name) => {
    const work = works[name]?.bind(store)
    const watch: Work = (...input) => {
      try {
        return work?.(...input)
      } catch (thrown) {
        if (isCorrupt(thrown)) onCorrupt()
        throw thrown
      }
    }
    return [name, watch] as const
  })
  // Each name keeps its own function's type: what is wrapped takes and gives the same.
  return Object.fromEntries(watched) as Watched<Store>
}
