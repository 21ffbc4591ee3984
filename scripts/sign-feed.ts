/**
 * Signs electron-builder's version lists (docs/updates.md), writing a `.sig` file next to each.
 * - `node scripts/sign-feed.ts dist/latest*.yml` needs LINNET_UPDATE_PRIVATE_KEY, an Ed25519 key as base64 PKCS #8.
 * - `node scripts/sign-feed.ts --new-key` prints a new pair. Keep the private half; build in the public one.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { verifyFeed, toSignedBytes } from '../src/main/updates/signed-feed.ts'

/** Writes the signature next to the list, after checking that Linnet would accept it. */
export const signFeed = (file: string, key: KeyObject): void => {
  const feed = readFileSync(file)
  const signature = Buffer.from(`${sign(null, toSignedBytes(feed), key).toString('base64')}\n`)
  verifyFeed(feed, signature, createPublicKey(key))
  writeFileSync(`${file}.sig`, signature)
}

if (import.meta.main) {
  const files = process.argv.slice(2)
  if (files[0] === '--new-key') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    console.log(`LINNET_UPDATE_PRIVATE_KEY=${privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')}`)
    console.log(`LINNET_UPDATE_KEY=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`)
  } else {
    const words = process.env.LINNET_UPDATE_PRIVATE_KEY ?? ''
    if (files.length === 0 || words === '') {
      console.error('usage: LINNET_UPDATE_PRIVATE_KEY=… node scripts/sign-feed.ts FILE …, or --new-key')
      process.exit(2)
    }
    const key = createPrivateKey({ key: Buffer.from(words, 'base64'), format: 'der', type: 'pkcs8' })
    for (const file of files) {
      signFeed(file, key)
      console.log(`signed ${file}`)
    }
  }
}
