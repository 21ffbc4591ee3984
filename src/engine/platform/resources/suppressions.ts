import { z } from 'zod'
import type { Suppression } from '../../../shared/suppressions.ts'
import { apiPath } from '../api-path.ts'
import { createParser, wireText, parsePlatformTime } from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests } from '../requests.ts'

/** Displayed and stored, so limited in length. */
const MAX_ORIGIN = 64

const wireSuppression = z.looseObject({ origin: wireText, created_at: wireText, source_id: wireText })

const toSuppression = ({ origin, created_at, source_id }: z.output<typeof wireSuppression>): Suppression => ({
  origin: (origin ?? '').slice(0, MAX_ORIGIN),
  since: parsePlatformTime(created_at ?? ''),
  sourceId: source_id ?? null,
})

const suppressionParser = createParser(wireSuppression, toSuppression)

/**
 * Suppression list, from the vendor's docs and clients. They don't say who may read it or which accounts have it, so
 * any rejection counts as not offered (`engine/own/find-suppression.ts`).
 */
export const createSuppressionCalls = (requests: Requests) => ({
  /** Only used to probe whether the list exists. */
  listSuppressions: async (options: PageOptions) =>
    requests.page(suppressionParser.page, apiPath`/suppressions`, options),

  /** 404 if the address is not on the list, or there is no list. */
  getSuppression: async (address: string, options: CallOptions): Promise<Suppression> =>
    suppressionParser.one(await requests.get(apiPath`/suppressions/${address}`, options)),

  /** Existing entries stay unchanged. */
  addSuppression: async (address: string, options: CallOptions) =>
    requests.post(apiPath`/suppressions`, { email: address }, options),

  /** 404 if the address is not on the list. */
  removeSuppression: async (address: string, options: CallOptions) =>
    requests.delete(apiPath`/suppressions/${address}`, options),
})
