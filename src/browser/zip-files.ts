import { zipSync } from 'fflate'
import { formatNumberedFilename } from '../host/numbered-filename.ts'
import type { RequestedFile } from '../shared/engine-api.ts'
import { ProblemError } from '../shared/result.ts'

/** Limit for bytes held until the window fetches them. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Packs files into one uncompressed ZIP, because a browser saves only one file at a time. @throws ProblemError
 * `refused` above 512 MB
 */
export const zipFiles = async (name: string, files: AsyncIterable<RequestedFile>): Promise<RequestedFile> => {
  const entries = new Map<string, Uint8Array>()
  /** Lower-cased, because some file systems ignore case. */
  const taken = new Set<string>()
  let bytes = 0
  for await (const { filename, content } of files) {
    bytes += content.byteLength
    if (bytes > MAX_BYTES) {
      const message = 'These files are too large to save at once. Save them one by one.'
      throw new ProblemError({ code: 'refused', message })
    }
    let count = 1
    while (taken.has(formatNumberedFilename(filename, count).toLowerCase())) count += 1
    taken.add(formatNumberedFilename(filename, count).toLowerCase())
    entries.set(formatNumberedFilename(filename, count), content)
  }
  return { filename: `${name}.zip`, content: zipSync(Object.fromEntries(entries), { level: 0 }) }
}
