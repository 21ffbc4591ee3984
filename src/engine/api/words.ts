import { WORDS } from './read-answer.ts'

/**
 * Parsed platform data. A symbol keeps the raw object, including unread fields, for storage. Only `api` reads it; JSON
 * and structured clones drop it.
 */
export interface Said<Wire extends object = object> {
  readonly [WORDS]: Wire
}

/** The platform's raw object as JSON. */
export const textOf = (said: Said): string => JSON.stringify(said[WORDS])
