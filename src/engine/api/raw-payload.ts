import { RAW } from './read-response.ts'

/**
 * Parsed platform data. A symbol keeps the raw object, including unread fields, for storage. Only `api` reads it; JSON
 * and structured clones drop it.
 */
export interface RawPayload<Wire extends object = object> {
  readonly [RAW]: Wire
}

export const textOf = (said: RawPayload): string => JSON.stringify(said[RAW])
