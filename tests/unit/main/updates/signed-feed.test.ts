import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  resolveFeedFiles,
  MAX_FEED_BYTES,
  verifyFeed,
  parsePublicKey,
  toSignedBytes,
} from '../../../../src/main/updates/signed-feed.ts'

const pair = generateKeyPairSync('ed25519')
const key = pair.publicKey
const signatureOf = (bytes: Uint8Array, by = pair.privateKey): Buffer =>
  Buffer.from(`${sign(null, bytes, by).toString('base64')}\n`)
const FEED = Buffer.from('version: 1.2.3\nfiles:\n  - url: Linnet.AppImage\n')

describe('a version list', () => {
  it('is trusted as it was signed', () => {
    expect(verifyFeed(FEED, signatureOf(toSignedBytes(FEED)), key)).toBe(FEED.toString())
  })

  it('isn’t trusted with any wrong byte in it or its signature', () => {
    const signature = signatureOf(toSignedBytes(FEED))
    fc.assert(
      fc.property(fc.boolean(), fc.nat(), fc.integer({ min: 1, max: 255 }), (isFeed, at, bits) => {
        const [feed, own] = [Buffer.from(FEED), Buffer.from(signature)]
        const hit = isFeed ? feed : own
        // Skips the final line break, where any white space is valid.
        const index = at % (isFeed ? feed.length : own.length - 1)
        hit[index] = (hit[index] ?? 0) ^ bits
        expect(() => verifyFeed(feed, own, key)).toThrow('could not be verified')
      }),
    )
  })

  it('isn’t trusted with arbitrary content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (feed, signature) => {
        expect(() => verifyFeed(feed, signature, key)).toThrow('could not be verified')
      }),
    )
  })

  it.each([
    ['by another key', signatureOf(toSignedBytes(FEED), generateKeyPairSync('ed25519').privateKey)],
    ['over the bytes alone, as for another purpose', signatureOf(FEED)],
    ['in no base64', sign(null, toSignedBytes(FEED), pair.privateKey)],
    ['by nobody', Buffer.alloc(0)],
  ])('isn’t trusted when signed %s', (_, signature) => {
    expect(() => verifyFeed(FEED, signature, key)).toThrow('could not be verified')
  })

  it('isn’t trusted if too large or not text, whoever signed it', () => {
    for (const feed of [Buffer.alloc(MAX_FEED_BYTES + 1, 'a'), Buffer.from([0xff, 0xfe])]) {
      expect(() => verifyFeed(feed, signatureOf(toSignedBytes(feed)), key)).toThrow('could not be verified')
    }
  })

  it('names files next to it, each with its digest', () => {
    const list = new URL('https://releases.linnet.example/download/latest.yml')
    const sha512 = Buffer.alloc(64, 7).toString('base64')
    expect(resolveFeedFiles([{ url: 'Linnet-1.2.3.AppImage', sha512 }], list)).toEqual([
      {
        url: 'Linnet-1.2.3.AppImage',
        sha512,
        at: new URL('https://releases.linnet.example/download/Linnet-1.2.3.AppImage'),
      },
    ])
    for (const url of [
      'https://evil.example/a',
      '//evil.example/a',
      '../a',
      '/a',
      'a/b',
      '..',
      '.hidden',
      'a?b',
      'a%2fb',
      '',
    ]) {
      expect(() => resolveFeedFiles([{ url, sha512 }], list), url).toThrow('in another location')
    }
    for (const digest of [undefined, '', 'AAAA']) {
      expect(() => resolveFeedFiles([{ url: 'a', sha512: digest }], list)).toThrow('without a checksum')
    }
  })
})

describe('the update key', () => {
  it('is an Ed25519 key', () => {
    const words = key.export({ format: 'der', type: 'spki' }).toString('base64')
    expect(parsePublicKey(words).equals(key)).toBe(true)
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    expect(() => parsePublicKey(other.export({ format: 'der', type: 'spki' }).toString('base64'))).toThrow(
      'not an Ed25519',
    )
    expect(() => parsePublicKey('nonsense')).toThrow()
  })
})
