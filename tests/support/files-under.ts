import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** All files in a folder and its subfolders, by relative path. */
export const filesUnder = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
