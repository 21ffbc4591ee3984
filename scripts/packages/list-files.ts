import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Paths of the files under a folder, separated by `/` and sorted by name. */
export const listFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Total size of all files under a folder, in bytes. */
export const weigh = async (folder: string): Promise<number> => {
  const sizes = (await listFiles(folder)).map(async (file) => (await lstat(join(folder, file))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
