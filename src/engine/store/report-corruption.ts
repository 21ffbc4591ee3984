import { isCorruptionError } from './storage-problem.ts'

/** A store's public members. The mapped type drops private fields. */
export type PublicMembers<Store> = { readonly [Name in keyof Store]: Store[Name] }

type Work = (...input: unknown[]) => unknown

/** Names of an object's own functions and of its class's methods. */
const namesOf = (store: object): readonly string[] => {
  const methods = Object.getPrototypeOf(store) as object
  const inherited = methods === Object.prototype ? [] : Object.getOwnPropertyNames(methods)
  return [...Object.keys(store), ...inherited.filter((name) => name !== 'constructor')]
}

/** Wraps a store so that every call reports file damage. */
export const watchForCorruption = <Store extends object>(store: Store, onCorrupt: () => void): PublicMembers<Store> => {
  const works = store as Readonly<Record<string, Work>>
  const watched = namesOf(store).map((name) => {
    const work = works[name]?.bind(store)
    const watch: Work = (...input) => {
      try {
        return work?.(...input)
      } catch (thrown) {
        if (isCorruptionError(thrown)) onCorrupt()
        throw thrown
      }
    }
    return [name, watch] as const
  })
  // Safe cast: each wrapper has the type of its function.
  return Object.fromEntries(watched) as PublicMembers<Store>
}
