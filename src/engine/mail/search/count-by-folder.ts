import { countPerFolder, type FolderCounts } from '../../../shared/folder-counts.ts'
import type { ThreadCountsByFolder } from '../../../shared/model.ts'
import { createYielder } from '../../timing/turns.ts'

/** Threads to count at a time. */
const STEP = 400
/** Time budget of a count, in milliseconds. If exceeded, the result is a lower bound. */
const MAX_MS = 250

export const addFolderCounts = (one: FolderCounts, other: FolderCounts): FolderCounts =>
  countPerFolder((folder) => one[folder] + other[folder])

export const countFolders = (folders: readonly string[]): FolderCounts =>
  countPerFolder((folder) => folders.filter((name) => name === folder).length)

/** Counts in short turns of the event loop. @param signal stops early; the result is then a lower bound */
export const countByFolder = async (
  countSome: (from: number | null, threads: number) => { readonly folders: FolderCounts; readonly next: number | null },
  signal: AbortSignal,
): Promise<ThreadCountsByFolder> => {
  let folders: FolderCounts = countPerFolder(() => 0)
  let cost = 0
  const yieldTurn = createYielder()
  for (let from: number | null = null; ;) {
    const startedAt = performance.now()
    const step = countSome(from, STEP)
    cost += performance.now() - startedAt
    folders = addFolderCounts(folders, step.folders)
    if (step.next === null) return { folders, isWhole: true }
    from = step.next
    await yieldTurn()
    if (cost > MAX_MS || signal.aborted) return { folders, isWhole: false }
  }
}
