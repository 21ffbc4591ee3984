import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { AccountUsage } from '../../shared/contract.ts'
import { lookIntoDatabase } from './look-into-database.ts'

/** Every file in a folder and in those below it, by its path in the folder, with its bytes. */
export const sizesIn = async (
  directory: string,
): Promise<readonly { readonly path: string; readonly size: number }[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = files.map((file) =>
    stat(file).then(
      ({ size }) => ({ path: relative(directory, file), size }),
      // It has gone since.
      () => ({ path: relative(directory, file), size: 0 }),
    ),
  )
  return Promise.all(sizes)
}

/** One number out of a database that need not be open; 0 for one that is not there or cannot be read. */
const readNumber = (file: string, sql: string): number =>
  lookIntoDatabase(file, (database) => database.prepare<[], number>(sql).pluck().get() ?? 0, 0)

/**
 * What an account's folder holds, over connections of its own that change nothing. A file that cannot be read counts as one
 * without changes or mail.
 * @param files the names of the cache and of the outbox in it
 * @throws where the folder cannot be listed
 */
export const readFolderUsage = async (
  directory: string,
  files: { readonly cache: string; readonly outbox: string },
): Promise<Omit<AccountUsage, 'drafts'>> => {
  const sizes = await sizesIn(directory)
  return {
    bytes: sizes.reduce((bytes, { size }) => bytes + size, 0),
    unsentChanges: readNumber(join(directory, files.outbox), 'SELECT pending FROM state'),
    goneThreads: readNumber(join(directory, files.cache), 'SELECT count(*) FROM threads WHERE on_server = 0'),
  }
}
