import { crc32 } from 'node:zlib'
import { readStoredContact } from '../api/contacts.ts'
import { readStoredReceivedEmail } from '../api/received-emails.ts'
import { readStoredSentEmail } from '../api/sent-emails.ts'
import { readStoredEmail } from '../api/thread-emails.ts'
import { readStoredThread } from '../api/threads.ts'
import { textOf, type RawPayload } from '../api/raw-payload.ts'

const SEAL_LENGTH = 8

const sealOf = (json: string): string => crc32(json).toString(16).padStart(SEAL_LENGTH, '0')

/** The stored form of a platform payload, with a checksum in front to detect silent disk errors. */
export const addChecksum = (said: RawPayload): string => {
  const json = textOf(said)
  return sealOf(json) + json
}

/** The payload's JSON; null if the checksum doesn't match. */
const readChecksummed = (text: string): string | null => {
  const json = text.slice(SEAL_LENGTH)
  return sealOf(json) === text.slice(0, SEAL_LENGTH) ? json : null
}

/** SQL for the payload in a column, without its checksum. */
export const jsonOfPayload = (column: string): string => `substr(${column}, ${SEAL_LENGTH + 1})`

/** SQL for the payload in the `wire` column, without its checksum. */
export const JSON_OF_PAYLOAD = jsonOfPayload('wire')

/** A stored payload. `isIntact` is false if the checksum doesn't match. */
export interface ChecksummedPayload<Thing> {
  readonly thing: Thing
  readonly isIntact: boolean
}

/**
 * Reads damaged payloads too, as long as they can be parsed: they are better than nothing if the platform no longer has
 * the item.
 */
const createReader =
  <Thing>(read: (json: string, id: string) => Thing | null) =>
  (text: string, id: string): ChecksummedPayload<Thing> | null => {
    const json = readChecksummed(text)
    const thing = read(json ?? text.slice(SEAL_LENGTH), id)
    return thing === null ? null : { thing, isIntact: json !== null }
  }

export const readCheckedThread = createReader(readStoredThread)
export const readCheckedEmail = createReader(readStoredEmail)
export const readCheckedContact = createReader(readStoredContact)
export const readCheckedReceivedEmail = createReader(readStoredReceivedEmail)
export const readCheckedSentEmail = createReader(readStoredSentEmail)
