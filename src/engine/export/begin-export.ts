import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { ExportTarget } from '../../shared/engine-link.ts'
import type { ExportWish } from '../../shared/export.ts'
import { problem } from '../saying.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import { openJournal, type Journal } from './journal.ts'
import { createPartFile, removePartFile } from './part-file.ts'
import { pauseProblem } from './run-export.ts'
import { systemClock } from '../timing/clock.ts'

/** Where what belongs to an export lies. */
interface ExportPlaces {
  readonly id: string
  /** The file that is written until it is whole. */
  readonly part: string
  readonly journalFile: string
  /** The account's folder, where the journal lies elsewhere: another process may come to it then. */
  readonly accountDirectory?: string
}

/**
 * Begins an export: nothing of it is written yet but its empty part file and its journal.
 * @throws ProblemError `invalid_input` for a path that is taken or no path, `storage_failed` where nothing can be written
 */
export const beginExport = async (
  { mail, format, isFetching }: Pick<ExportWish, 'mail' | 'format' | 'isFetching'>,
  { path, mayReplace, isLent = false }: ExportTarget,
  { id, part, journalFile, accountDirectory }: ExportPlaces,
  now: () => number = systemClock.now,
): Promise<Journal> => {
  if (!isAbsolute(path)) throw problem('invalid_input', 'Type the full path of the file.')
  const there = await stat(path).catch(() => null)
  if (there?.isDirectory() === true) {
    throw problem('invalid_input', 'This is a folder. Choose another name.')
  }
  if (there !== null && !mayReplace) {
    throw problem('invalid_input', 'This file already exists; nothing was replaced. Choose another name.')
  }
  const request = { mail, format, isFetching, id, path, part, mayReplace, isLent, startedAt: now() }
  let journal: Journal | null
  let hasPart = false
  try {
    await createPartFile(part)
    hasPart = true
    mkdirSync(dirname(journalFile), { recursive: true, mode: 0o700 })
    journal = openJournal(journalFile, { ...request, accountDirectory }, accountDirectory !== undefined)
  } catch (thrown) {
    // One that was there before is another export's.
    if (hasPart) await removePartFile(part).catch(() => undefined)
    const why = pauseProblem(thrown, path)
    throw why.code === 'internal'
      ? inStorageWords(thrown)
      : problem(why.code, `The file could not be written to ${path}. Choose another folder, or free some space.`)
  }
  if (journal === null) throw new Error('A journal that was just begun can be read.')
  return journal
}
