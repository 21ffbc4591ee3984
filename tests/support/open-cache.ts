import { openCache, type Cache } from '../../src/engine/store/cache.ts'

/** Opens a cache that no outbox changes. */
export const openUnchangedCache = (file: string): Cache =>
  openCache(file, {
    threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
    topics: () => new Map(),
  }).cache
