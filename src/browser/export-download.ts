import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ExportDoor } from '../host/exporting.ts'
import type { Downloads } from './downloads.ts'

/** A browser fetches the file of an export from the data folder, where it is written. */
export const createExportDownloads = (downloads: Pick<Downloads, 'offerStored'>): ExportDoor => ({
  targetOf: async (filename, lentFolder) => {
    // In a folder of its own, so that its name is free whatever others are called.
    const folder = join(lentFolder, `file-${randomUUID()}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return { path: join(folder, filename), mayReplace: false, isLent: true }
  },
  bring: (path, fetched) =>
    Promise.resolve({ kind: 'download', url: downloads.offerStored({ filename: basename(path), path, fetched }) }),
})
