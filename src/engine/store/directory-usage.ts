import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { AccountUsage } from '../../shared/contract.ts'
import { readDatabaseFile } from './read-database-file.ts'

/** All files below a folder, with relative paths and sizes in bytes. */
export const listFileSizes = async (
  directory: string,
): Promise<readonly { readonly path: string; readonly size: number }[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = files.map((file) =>
    stat(file).then(
      ({ size }) => ({ path: relative(directory, file), size }),
      () => ({ path: relative(directory, file), size: 0 }),
    ),
  )
  return Promise.all(sizes)
}

/** A number read from a database file, even if Linnet doesn't have it open; 0 if missing or unreadable. */
const readNumber = (file: string, sql: string): number =>
  readDatabaseFile(file, (database) => database.prepare<[], number>(sql).pluck().get() ?? 0, 0)

/** @param own path of the file with the user's own data */
export const countUnsentChanges = (own: string): number => readNumber(own, 'SELECT count(*) FROM pending_changes')

/**
 * Reads usage from an account's closed files. An unreadable file counts as having no changes or mail.
 * @param files names of the cache and of the user's own data @throws if the folder can't be listed
 */
export const readDirectoryUsage = async (
  directory: string,
  files: { readonly cache: string; readonly own: string },
): Promise<Omit<AccountUsage, 'drafts'>> => {
  const sizes = await listFileSizes(directory)
  return {
    bytes: sizes.reduce((bytes, { size }) => bytes + size, 0),
    unsentChanges: countUnsentChanges(join(directory, files.own)),
    localOnlyThreads: readNumber(join(directory, files.cache), 'SELECT count(*) FROM threads WHERE on_server = 0'),
  }
}
