import { domainToASCII } from 'node:url'

/** The sender as choices see it: by address, whatever the display name. */
export interface Sender {
  readonly address: string
  readonly domain: string
}

/** As mail servers use: blanks, quotes, brackets or a second @ only imitate another address. */
const PLAIN = /^([^\s"'<>()[\]\\,;:@\uff20\ufe6b]+)@([^\s"'<>()[\]\\,;:@\uff20\ufe6b/?#%]+)$/
/** RFC 5321, 4.5.3.1, with a margin. */
const LONGEST = 400

/** Normalised domain, in lower-case ASCII. @returns null if invalid */
export const domainOf = (text: string): string | null => {
  // `domainToASCII` silently cuts characters that end a host in a URL.
  if (/[\s/?#%\\:@<>[\]"']/.test(text.trim())) return null
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return domain === '' || domain.length > 253 ? null : domain
}

/** In lower case, with an ASCII domain. Null unless bare or in angle brackets at the end: no choice applies then. */
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
