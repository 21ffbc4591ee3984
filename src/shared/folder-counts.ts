import { FOLDERS } from './model.ts'
import { SNOOZED } from './thread-marks.ts'

/** Where what a search finds is counted: the platform's folders, and what is snoozed on this computer. */
export const COUNTED_FOLDERS = [...FOLDERS, SNOOZED] as const
export type CountedFolder = (typeof COUNTED_FOLDERS)[number]

/** How many threads are in each. */
export type FolderCounts = Readonly<Record<CountedFolder, number>>

export const countsBy = (count: (folder: CountedFolder) => number): Record<CountedFolder, number> => ({
  ...{ inbox: count('inbox'), archive: count('archive'), spam: count('spam'), sent: count('sent') },
  ...{ trash: count('trash'), snoozed: count(SNOOZED) },
})
