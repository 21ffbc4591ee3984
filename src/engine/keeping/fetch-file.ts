import { ProblemError } from '../../shared/result.ts'
import { DownloadTooLarge, isExpired, LARGEST_DOWNLOAD, type SignedDownloads } from '../api/signed-downloads.ts'
import type { Contents } from '../contents/contents.ts'
import type { Room } from './room.ts'

/** Give up a file after the platform has refused this many downloads, each from a fresh address. */
const MOST_REFUSALS = 3

/** How it ended: `no room` within what the person chose; `not given`, the platform is not going to give it. */
export type FetchEnd = 'here' | 'not given' | 'no room'

interface FileParts {
  readonly downloads: Pick<SignedDownloads, 'fetch'>
  readonly contents: Pick<Contents, 'put'>
  readonly room: Pick<Room, 'left' | 'take'>
  readonly signal: AbortSignal
}

/** Downloads files into the room that the person has given them. */
export class FileFetcher {
  readonly #parts: FileParts

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  /**
   * @param link a fresh address of its bytes; null or empty where the platform gives none
   * @param failures how often this e-mail has failed before
   * @throws ProblemError for what may pass by itself, `storage_failed` for a disk that takes no more
   */
  async fetch(key: string, link: string | null, contentType: string | null, failures: number): Promise<FetchEnd> {
    if (link === null || link === '') return 'not given'
    const bytes = await this.#download(link, failures)
    return typeof bytes === 'string' ? bytes : this.#put(key, bytes, contentType)
  }

  async #download(link: string, failures: number): Promise<Uint8Array | 'not given' | 'no room'> {
    const { downloads, room, signal } = this.#parts
    const bytes = Math.min(LARGEST_DOWNLOAD, room.left())
    if (bytes <= 0) return 'no room'
    try {
      return await downloads.fetch(link, signal, bytes)
    } catch (thrown) {
      if (thrown instanceof DownloadTooLarge && bytes < LARGEST_DOWNLOAD) return 'no room'
      if (isExpired(thrown)) {
        // The address was fresh: another one is worth a try later, but not for ever.
        if (failures + 1 >= MOST_REFUSALS) return 'not given'
        throw new ProblemError({ code: 'platform_failed', message: 'The platform gave a link that does not work.' })
      }
      if (thrown instanceof ProblemError && thrown.problem.code === 'refused') return 'not given'
      throw thrown
    }
  }

  async #put(key: string, bytes: Uint8Array, contentType: string | null): Promise<FetchEnd> {
    const { contents, room } = this.#parts
    const release = room.take(bytes.byteLength)
    if (release === null) return 'no room'
    let isWritten = false
    try {
      await contents.put(key, bytes, { contentType })
      isWritten = true
    } finally {
      release(isWritten)
    }
    return 'here'
  }
}
