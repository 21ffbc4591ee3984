import type { OwnLists } from '../../../../src/engine/store/own-list.ts'

/** A person's lists in memory: what one start has written is there at the next. How they are on the disk: own-file.test.ts. */
export const ownLists = () => {
  const lists = new Map<string, readonly string[]>()
  let isFull = false
  const own: OwnLists = {
    list: (name) => lists.get(name) ?? [],
    writeList: (name, entries) => {
      if (isFull) throw new Error('database or disk is full')
      lists.set(name, entries)
    },
  }
  return {
    own,
    /** Whether the disk takes no more. */
    fill: (isFullNow: boolean): void => {
      isFull = isFullNow
    },
    /** Puts what somebody else has written into a list. */
    put: (name: string, entries: readonly unknown[]): void =>
      own.writeList(
        name,
        entries.map((entry) => JSON.stringify(entry)),
      ),
  }
}
