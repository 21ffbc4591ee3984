import { crc32 } from 'node:zlib'
import {
  readKeptContact,
  readKeptEmail,
  readKeptReceivedEmail,
  readKeptSentEmail,
  readKeptThread,
} from '../api/wire.ts'

const SEAL_LENGTH = 8

const sealOf = (json: string): string => crc32(json).toString(16).padStart(SEAL_LENGTH, '0')

/** The platform's words as they are kept: with a checksum before them, as a disk may change a letter unseen. */
export const seal = (wire: object): string => {
  const json = JSON.stringify(wire)
  return sealOf(json) + json
}

/** The words as JSON; null where they are not as they were written. Those of the first versions have no checksum. */
export const unseal = (text: string): string | null => {
  if (text.startsWith('{')) return text
  const json = text.slice(SEAL_LENGTH)
  return sealOf(json) === text.slice(0, SEAL_LENGTH) ? json : null
}

/** What was read: `isSound` is false where a letter or more is not as it was written. */
export interface ReadWire<Wire> {
  readonly wire: Wire
  readonly isSound: boolean
}

/** Words that were damaged and still make sense are better than none, where the platform has them no more. */
const readSealed =
  <Wire>(read: (json: string, id: string) => Wire | null) =>
  (text: string, id: string): ReadWire<Wire> | null => {
    const json = unseal(text)
    const wire = read(json ?? text.slice(SEAL_LENGTH), id)
    return wire === null ? null : { wire, isSound: json !== null }
  }

export const readSealedThread = readSealed(readKeptThread)
export const readSealedEmail = readSealed(readKeptEmail)
export const readSealedContact = readSealed(readKeptContact)
export const readSealedReceivedEmail = readSealed(readKeptReceivedEmail)
export const readSealedSentEmail = readSealed(readKeptSentEmail)
