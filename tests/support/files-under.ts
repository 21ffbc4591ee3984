import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Every file in a folder and in those in it, by its path from there. */
export const filesUnder = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
