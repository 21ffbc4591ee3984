/** S/MIME messages as real programs write them. They need no key: Linnet never checks signatures or decrypts. */
import { deflateSync } from 'node:zlib'

const SEQUENCE = 0x30
const SET = 0x31
const OCTETS = 0x04
const CONTENT = 0xa0
const INTEGER_1 = Buffer.from('020101', 'hex')

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length])
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}
const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const all = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(all.length), all])
}
/** Indefinite-length encoding: terminated by an end marker instead of a length. */
const endless = (tag: number, ...content: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.from([0, 0])])
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const DATA = oid('2a864886f70d010701')
const SIGNED = oid('2a864886f70d010702')
const ENVELOPED = oid('2a864886f70d010703')
const AUTH_ENVELOPED = oid('2a864886f70d0109100117')
const COMPRESSED = oid('2a864886f70d0109100109')

/** A signed message with its content embedded. */
export const signed = (content: string | Uint8Array): Buffer =>
  der(
    SEQUENCE,
    SIGNED,
    der(
      CONTENT,
      der(
        SEQUENCE,
        INTEGER_1,
        der(SET),
        der(SEQUENCE, DATA, der(CONTENT, der(OCTETS, Buffer.from(content)))),
        der(SET),
      ),
    ),
  )

/** A signed message with its content in chunks, as a streaming writer produces it. */
export const signedInPieces = (content: string, length: number): Buffer => {
  const pieces = Array.from({ length: Math.ceil(content.length / length) }, (_, place) =>
    der(OCTETS, Buffer.from(content.slice(place * length, (place + 1) * length))),
  )
  const octets = endless(0x24, ...pieces)
  const info = endless(SEQUENCE, DATA, endless(CONTENT, octets))
  return endless(SEQUENCE, SIGNED, endless(CONTENT, endless(SEQUENCE, INTEGER_1, der(SET), info, der(SET))))
}

/** A detached signature, or certificates alone. */
export const signatureAlone = (): Buffer =>
  der(SEQUENCE, SIGNED, der(CONTENT, der(SEQUENCE, INTEGER_1, der(SET), der(SEQUENCE, DATA), der(SET))))

export const compressed = (content: string | Uint8Array): Buffer =>
  der(
    SEQUENCE,
    COMPRESSED,
    der(
      CONTENT,
      der(SEQUENCE, INTEGER_1, der(SEQUENCE), der(SEQUENCE, DATA, der(CONTENT, der(OCTETS, deflateSync(content))))),
    ),
  )

export const enveloped = (kind: 'enveloped' | 'authenticated' = 'enveloped'): Buffer =>
  der(
    SEQUENCE,
    kind === 'enveloped' ? ENVELOPED : AUTH_ENVELOPED,
    der(CONTENT, der(SEQUENCE, INTEGER_1, der(SET), der(SEQUENCE, DATA, der(0x80, Buffer.alloc(64, 7))))),
  )

export const deep = (depth: number): Buffer => {
  let all: Buffer = INTEGER_1
  for (let level = 0; level < depth; level += 1) all = der(SEQUENCE, all)
  return all
}
