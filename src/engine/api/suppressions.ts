import { z } from 'zod'
import type { Suppression } from '../../shared/suppressions.ts'
import { path } from './path.ts'
import { parsePlatformTime } from './platform-time.ts'
import { readPageOf, readWith, text } from './read-answer.ts'
import type { CallOptions, PageOptions, Requests } from './requests.ts'

/** An origin is shown, and kept: no longer than a word. */
const MAX_ORIGIN = 64

const wireSuppression = z.looseObject({ origin: text, created_at: text })

const toSuppression = ({ origin, created_at }: z.output<typeof wireSuppression>): Suppression => ({
  origin: (origin ?? '').slice(0, MAX_ORIGIN),
  since: parsePlatformTime(created_at ?? ''),
})

const readSuppression = readWith(wireSuppression, toSuppression)
const readSuppressions = readPageOf(wireSuppression, toSuppression)

/**
 * The suppression list, as the vendor's documentation and clients show it. They are silent about who may read it, and about
 * accounts that do not have it yet: whatever says no counts as not offered (`engine/find-suppression.ts`).
 */
export const suppressionCalls = (requests: Requests) => ({
  /** One page of the list: what it is asked for is whether there is one. */
  listSuppressions: async (options: PageOptions) => requests.page(readSuppressions, path`/suppressions`, options),

  /** By address. 404 for one that is not on the list, and where there is no list. */
  getSuppression: async (address: string, options: CallOptions): Promise<Suppression> =>
    readSuppression(await requests.get(path`/suppressions/${address}`, options)),

  /** Puts an address on the list by hand; one that is there stays as it is. */
  addSuppression: async (address: string, options: CallOptions): Promise<void> => {
    await requests.post(path`/suppressions`, { email: address }, options)
  },

  /** Takes an address off the list: 404 for one that is not on it. */
  removeSuppression: async (address: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/suppressions/${address}`, options)
  },
})
