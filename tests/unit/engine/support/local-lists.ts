import type { LocalLists } from '../../../../src/engine/own/local-list.ts'

/** In-memory lists that survive a restart. outbox-file.test.ts covers the ones on disk. */
export const ownLists = () => {
  const lists = new Map<string, readonly unknown[]>()
  let isFull = false
  const own: LocalLists = {
    list: (name) => lists.get(name) ?? [],
    writeList: (name, entries) => {
      if (isFull) throw new Error('database or disk is full')
      lists.set(name, entries)
    },
  }
  return {
    own,
    /** Simulates a full disk. */
    fill: (isFullNow: boolean): void => {
      isFull = isFullNow
    },
    /** Writes entries as another program would. */
    put: (name: string, entries: readonly unknown[]): void => own.writeList(name, entries),
  }
}
