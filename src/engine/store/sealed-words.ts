import { crc32 } from 'node:zlib'
import { readKeptContact } from '../api/contacts.ts'
import { readKeptReceivedEmail } from '../api/received-emails.ts'
import { readKeptSentEmail } from '../api/sent-emails.ts'
import { readKeptEmail } from '../api/thread-emails.ts'
import { readKeptThread } from '../api/threads.ts'
import { textOf, type Said } from '../api/words.ts'

const SEAL_LENGTH = 8

const sealOf = (json: string): string => crc32(json).toString(16).padStart(SEAL_LENGTH, '0')

/** The platform's words as they are kept: with a checksum before them, as a disk may change a letter unseen. */
export const seal = (said: Said): string => {
  const json = textOf(said)
  return sealOf(json) + json
}

/** The words as JSON; null where they are not as they were written. */
const unseal = (text: string): string | null => {
  const json = text.slice(SEAL_LENGTH)
  return sealOf(json) === text.slice(0, SEAL_LENGTH) ? json : null
}

/** In SQL: the words in a column, behind their checksum. */
export const jsonOfWords = (column: string): string => `substr(${column}, ${SEAL_LENGTH + 1})`

/** Those of a row. */
export const JSON_OF_WORDS = jsonOfWords('wire')

/** What was read: `isSound` is false where a letter or more is not as it was written. */
export interface Unsealed<Thing> {
  readonly thing: Thing
  readonly isSound: boolean
}

/** Words that were damaged and still make sense are better than none, where the platform has them no more. */
const readSealed =
  <Thing>(read: (json: string, id: string) => Thing | null) =>
  (text: string, id: string): Unsealed<Thing> | null => {
    const json = unseal(text)
    const thing = read(json ?? text.slice(SEAL_LENGTH), id)
    return thing === null ? null : { thing, isSound: json !== null }
  }

export const readSealedThread = readSealed(readKeptThread)
export const readSealedEmail = readSealed(readKeptEmail)
export const readSealedContact = readSealed(readKeptContact)
export const readSealedReceivedEmail = readSealed(readKeptReceivedEmail)
export const readSealedSentEmail = readSealed(readKeptSentEmail)
