import { WORDS } from './read-answer.ts'

/**
 * Something the platform sent, in the model's terms. The object it was read from rides along under a symbol, fields that
 * Linnet does not read included, so that it can be kept. Only `api` looks into it, and it goes no further: neither JSON
 * nor a structured clone copies symbol keys.
 */
export interface Said<Wire extends object = object> {
  readonly [WORDS]: Wire
}

/** The object as the platform sent it, as JSON. */
export const textOf = (said: Said): string => JSON.stringify(said[WORDS])
