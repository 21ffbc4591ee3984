import { domainToASCII } from 'node:url'

/** Who has sent an e-mail, as far as a choice can be about them: the address, whatever name stands before it. */
export interface Sender {
  readonly address: string
  readonly domain: string
}

/** As mail servers use: blanks, quotes, brackets or a second @ only imitate another address. */
const PLAIN = /^([^\s"'<>()[\]\\,;:@\uff20\ufe6b]+)@([^\s"'<>()[\]\\,;:@\uff20\ufe6b/?#%]+)$/
/** RFC 5321, 4.5.3.1, and some more. */
const LONGEST = 400

/** A domain as the network knows it: one spelling, small, in letters of ASCII. @returns null for what is none */
export const domainOf = (text: string): string | null => {
  // `domainToASCII` would silently cut what ends a host in a URL.
  if (/[\s/?#%\\:@<>[\]"']/.test(text.trim())) return null
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return domain === '' || domain.length > 253 ? null : domain
}

/**
 * The address in lower case, its domain in ASCII. Null if it is neither bare nor in angle brackets at the end: nobody
 * can say who that is, so no choice applies.
 */
export const senderOf = (from: string): Sender | null => {
  const trimmed = from.trim()
  const open = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1
  const plain = open === -1 ? trimmed : trimmed.slice(open + 1, -1).trim()
  if (plain.length > LONGEST) return null
  const [, local, host] = PLAIN.exec(plain) ?? []
  const domain = host === undefined ? null : domainOf(host)
  return local === undefined || domain === null
    ? null
    : { address: `${local.normalize('NFC').toLowerCase()}@${domain}`, domain }
}
