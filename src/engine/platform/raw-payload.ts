import { RAW_PAYLOAD } from './parse-response.ts'

/**
 * Parsed platform data. A symbol keeps the raw object, including unread fields, for storage. Only `api` reads it; JSON
 * and structured clones drop it.
 */
export interface RawPayload<Wire extends object = object> {
  readonly [RAW_PAYLOAD]: Wire
}

export const serializePayload = (said: RawPayload): string => JSON.stringify(said[RAW_PAYLOAD])
