import { crc32 } from 'node:zlib'
import { contactParser } from '../platform/resources/contacts.ts'
import { receivedEmailParser } from '../platform/resources/received-emails.ts'
import { sentEmailParser } from '../platform/resources/sent-emails.ts'
import { emailParser } from '../platform/resources/thread-emails.ts'
import { threadParser } from '../platform/resources/threads.ts'
import { serializePayload, type RawPayload } from '../platform/raw-payload.ts'

const CHECKSUM_LENGTH = 8

const checksumOf = (json: string): string => crc32(json).toString(16).padStart(CHECKSUM_LENGTH, '0')

/** The stored form of a platform payload, with a checksum in front to detect silent disk errors. */
export const addChecksum = (said: RawPayload): string => {
  const json = serializePayload(said)
  return checksumOf(json) + json
}

/** The payload's JSON; null if the checksum doesn't match. */
const readChecksummed = (text: string): string | null => {
  const json = text.slice(CHECKSUM_LENGTH)
  return checksumOf(json) === text.slice(0, CHECKSUM_LENGTH) ? json : null
}

/** SQL for the payload in the `wire` column, without its checksum. */
export const PAYLOAD_JSON_SQL = `substr(wire, ${CHECKSUM_LENGTH + 1})`

/** SQL for a field of that payload; null unless it is a string, because the payload may contain any type. */
export const payloadTextSql = (path: string): string =>
  `CASE WHEN json_valid(${PAYLOAD_JSON_SQL}) THEN CASE json_type(${PAYLOAD_JSON_SQL}, '${path}')
     WHEN 'text' THEN json_extract(${PAYLOAD_JSON_SQL}, '${path}') END END`

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
    const thing = read(json ?? text.slice(CHECKSUM_LENGTH), id)
    return thing === null ? null : { thing, isIntact: json !== null }
  }

export const parseChecksummedThread = createReader(threadParser.stored)
export const parseChecksummedEmail = createReader(emailParser.stored)
export const parseChecksummedContact = createReader(contactParser.stored)
export const parseChecksummedReceivedEmail = createReader(receivedEmailParser.stored)
export const parseChecksummedSentEmail = createReader(sentEmailParser.stored)

/** Parses a stored list of IDs; null if damaged. */
export const parseStoredIds = (text: string): readonly string[] | null => {
  if (text === '[]') return []
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null
  } catch {
    return null
  }
}
