import { WORDS } from '../wire.ts'

/**
 * Something that the platform has said, in the model's terms. The words in which it said it ride along, with all that
 * Linnet does not read, for keeping. Only `api` can look into them, and they go no further: neither JSON nor a message
 * to a window takes what has a symbol for its key.
 */
export interface Said<Wire extends object = object> {
  readonly [WORDS]: Wire
}

/** The platform's own words, as JSON. */
export const textOf = (said: Said): string => JSON.stringify(said[WORDS])
