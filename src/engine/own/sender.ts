import { domainToASCII } from 'node:url'

/** The sender that choices apply to: identified by address, whatever the display name. */
export interface Sender {
  readonly address: string
  readonly domain: string
}

/** Address form that mail servers use. Blanks, quotes, brackets or a second @ only imitate another address. */
const PLAIN = /^([^\s"'<>()[\]\\,;:@\uff20\ufe6b]+)@([^\s"'<>()[\]\\,;:@\uff20\ufe6b/?#%]+)$/
/** Maximum characters of an address: RFC 5321, 4.5.3.1, with a margin. */
const MAX_ADDRESS_LENGTH = 400

/** Normalised domain, in lower-case ASCII. @returns null if invalid */
export const domainOf = (text: string): string | null => {
  // `domainToASCII` silently drops everything from a character that ends the host in a URL.
  if (/[\s/?#%\\:@<>[\]"']/.test(text.trim())) return null
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return domain === '' || domain.length > 253 ? null : domain
}

/** Lower case, with an ASCII domain. Null unless the address stands alone or in angle brackets at the end. */
export const parseSender = (from: string): Sender | null => {
  const trimmed = from.trim()
  const open = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1
  const plain = open === -1 ? trimmed : trimmed.slice(open + 1, -1).trim()
  if (plain.length > MAX_ADDRESS_LENGTH) return null
  const [, local, host] = PLAIN.exec(plain) ?? []
  const domain = host === undefined ? null : domainOf(host)
  return local === undefined || domain === null
    ? null
    : { address: `${local.normalize('NFC').toLowerCase()}@${domain}`, domain }
}
