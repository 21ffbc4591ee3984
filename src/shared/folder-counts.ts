import { FOLDERS } from './model.ts'
import { SNOOZED_FOLDER } from './thread-marks.ts'

/** Folders for which search results are counted: the platform's folders, and locally snoozed threads. */
export const COUNTED_FOLDERS = [...FOLDERS, SNOOZED_FOLDER] as const
export type CountedFolder = (typeof COUNTED_FOLDERS)[number]

export type FolderCounts = Readonly<Record<CountedFolder, number>>

export const countPerFolder = (count: (folder: CountedFolder) => number): Record<CountedFolder, number> => ({
  ...{ inbox: count('inbox'), archive: count('archive'), spam: count('spam'), sent: count('sent') },
  ...{ trash: count('trash'), snoozed: count(SNOOZED_FOLDER) },
})
