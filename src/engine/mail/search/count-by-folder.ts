import { setImmediate as nextTurn } from 'node:timers/promises'
import { countPerFolder, type FolderCounts } from '../../../shared/folder-counts.ts'
import type { ThreadCountsByFolder } from '../../../shared/model.ts'

/** Number of threads in the first turn of the event loop. Later turns adapt to the measured speed. */
const FIRST_STEP = 200
const MAX_STEP = 3_200
/** Time budget per turn of the event loop, in milliseconds: half a frame. */
const TURN_MS = 8
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
  let [threads, cost] = [FIRST_STEP, 0]
  for (let from: number | null = null; ;) {
    const startedAt = performance.now()
    const step = countSome(from, threads)
    const spent = performance.now() - startedAt
    cost += spent
    folders = addFolderCounts(folders, step.folders)
    if (step.next === null) return { folders, isWhole: true }
    if (cost > MAX_MS) return { folders, isWhole: false }
    if (spent < TURN_MS / 2) threads = Math.min(2 * threads, MAX_STEP)
    else if (spent > TURN_MS) threads = Math.max(1, Math.floor((threads * TURN_MS) / spent / 2))
    from = step.next
    await nextTurn()
    if (signal.aborted) return { folders, isWhole: false }
  }
}
