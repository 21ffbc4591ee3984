import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { type ProblemError, createProblem } from '../../shared/result.ts'

/** Maximum bytes of a version list. A real one has 1 kB. */
export const MAX_FEED_BYTES = 64 * 1024
/** Maximum bytes of a base64 signature with a line end. */
export const MAX_SIGNATURE_BYTES = 256
/** Prefix of the signed bytes, so that a signature for another purpose isn't valid here. */
const PURPOSE = Buffer.from('linnet update feed\n')

export const toSignedBytes = (feed: Uint8Array): Buffer => Buffer.concat([PURPOSE, feed])

/** @param key an Ed25519 public key as SPKI, in base64. @throws for anything else */
export const parsePublicKey = (key: string): KeyObject => {
  const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  if (read.asymmetricKeyType !== 'ed25519') throw new Error('The update key is not an Ed25519 key.')
  return read
}

const refused = (why: string): ProblemError =>
  createProblem('refused', `The update could not be verified: ${why}. Nothing was downloaded.`)

/**
 * Returns the verified list's text. @param signature Ed25519, in base64
 * @throws ProblemError `refused` if it was changed, isn't signed or isn't text
 */
export const verifyFeed = (feed: Uint8Array, signature: Uint8Array, key: KeyObject): string => {
  if (feed.byteLength > MAX_FEED_BYTES || signature.byteLength > MAX_SIGNATURE_BYTES) {
    throw refused('the update information is too large')
  }
  const words = new TextDecoder().decode(signature).trim()
  const bytes = Buffer.from(words, 'base64')
  // Lenient base64 would accept several texts for one signature.
  if (bytes.length !== 64 || bytes.toString('base64') !== words) throw refused('the signature is invalid')
  if (!verify(null, toSignedBytes(feed), key, bytes)) {
    throw refused('the update information is not signed by Linnet’s publisher')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(feed)
  } catch {
    throw refused('the update information is not valid text')
  }
}

interface NamedFile {
  readonly url: string
  readonly sha512?: string | undefined
}

/**
 * URLs of a list's files. They must be next to it, with plain names and the digests used to verify downloads.
 * @throws ProblemError `refused` for a file elsewhere or without a digest
 */
export const resolveFeedFiles = <File extends NamedFile>(
  files: readonly File[],
  list: URL,
): readonly (File & { readonly at: URL })[] =>
  files.map((file) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(file.url)) {
      throw refused('the update information links to a file in another location')
    }
    if (Buffer.from(file.sha512 ?? '', 'base64').length !== 64) {
      throw refused('the update information lists a file without a checksum')
    }
    return { ...file, at: new URL(file.url, list) }
  })
