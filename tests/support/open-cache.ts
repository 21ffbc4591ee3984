import { openCache, type Cache } from '../../src/engine/store/cache.ts'

/** A cache of the given file, for which no changes are pending. */
export const openUnchangedCache = (file: string): Cache =>
  openCache(file, {
    threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
    topics: () => new Map(),
  }).cache
