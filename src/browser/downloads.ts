import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { RequestedFile } from '../shared/engine-api.ts'
import { BROWSER_SECURITY_HEADERS, sendRefusal } from './refusals.ts'
import { zipSync } from 'fflate'
import { formatNumberedFilename } from '../shared/numbered-filename.ts'
import { createProblem } from '../shared/result.ts'

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
      throw createProblem('refused', 'These files are too large to save at once. Save them one by one.')
    }
    let count = 1
    while (taken.has(formatNumberedFilename(filename, count).toLowerCase())) count += 1
    taken.add(formatNumberedFilename(filename, count).toLowerCase())
    entries.set(formatNumberedFilename(filename, count), content)
  }
  return { filename: `${name}.zip`, content: zipSync(Object.fromEntries(entries), { level: 0 }) }
}

const TICKET_LIFE_MS = 60_000

/** A file on disk, which may be larger than memory. */
interface StoredFile {
  readonly filename: string
  readonly path: string
  /** Called after the complete download. */
  readonly fetched: () => void
}

/** Files waiting to be fetched by the window. Each can be fetched once, within a minute. */
export class Downloads {
  readonly #waiting = new Map<string, RequestedFile | StoredFile>()

  /** Returns the path for the window to fetch. Stored files are not deleted. */
  offer(file: RequestedFile | StoredFile): string {
    const ticket = randomBytes(32).toString('base64url')
    this.#waiting.set(ticket, file)
    setTimeout(() => this.#waiting.delete(ticket), TICKET_LIFE_MS).unref()
    return `/download/${ticket}`
  }

  /** Sends the file for a one-time ticket (256 random bits). */
  async send(response: ServerResponse, ticket: string): Promise<void> {
    const file = this.#waiting.get(ticket)
    this.#waiting.delete(ticket)
    if (file === undefined) {
      sendRefusal(response, [404, 'This download link has expired or was already used. Start the download again.'])
      return
    }
    const begin = (length: number): ServerResponse =>
      response.writeHead(200, {
        ...BROWSER_SECURITY_HEADERS,
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${file.filename.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
        'content-length': length,
        'cache-control': 'no-store',
      })
    if ('content' in file) {
      begin(file.content.byteLength).end(file.content)
      return
    }
    const stored = await open(file.path).catch(() => null)
    if (stored === null) {
      sendRefusal(response, [404, 'This file no longer exists.'])
      return
    }
    // The stream closes the file even on failure.
    await pipeline(stored.createReadStream(), begin((await stored.stat()).size))
    file.fetched()
  }
}
