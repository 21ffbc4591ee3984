import { z } from 'zod'
import type { Suppression } from '../../shared/suppressions.ts'
import type { PayloadStore } from './payloads.ts'

export interface StoredSuppression {
  /** Null if the address wasn't suppressed. */
  readonly suppression: Suppression | null
  /** Time of the request, in milliseconds since the epoch. */
  readonly askedAt: number
}

const schema = z
  .object({ origin: z.string(), since: z.number().nullable(), sourceId: z.string().nullable() })
  .nullable()

const nameOf = (address: string): string => `suppression of ${address}`

/** Known entries of the platform's suppression list. Addresses are in `canonicalizeAddress` form. */
export const createSuppressionStore = (payloads: Pick<PayloadStore, 'get' | 'replace'>) => ({
  /** Undefined if the platform wasn't asked about the address, or if its response is damaged. */
  get: (address: string): StoredSuppression | undefined => {
    const row = payloads.get(nameOf(address))
    if (row === undefined) return undefined
    try {
      return { suppression: schema.parse(JSON.parse(row.wire)), askedAt: row.fetchedAt }
    } catch {
      return undefined
    }
  },
  /** @param askedAt milliseconds since the epoch */
  put: (address: string, suppression: Suppression | null, askedAt: number): void =>
    void payloads.replace(nameOf(address), JSON.stringify(suppression), askedAt),
})
