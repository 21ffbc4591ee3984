import { decodePercent } from '../../../shared/decode-percent.ts'

/** What a link in an e-mail may open: a web page or a new e-mail. Everything else stays shut. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/**
 * The address that a link really opens, in its canonical form.
 * @returns null for what must not be opened: scripts, files, data, and addresses without a host of their own
 */
export const safeLinkTarget = (href: string): string | null => {
  const url = URL.parse(href.trim())
  return url !== null && SCHEMES.has(url.protocol) ? url.href : null
}

/** A telephone number as a system's program for calls takes it: no codes for the telephone itself (`*#06#`), no options. */
const NUMBER = /^\+?\d[\d\s().-]{1,30}$/

/**
 * The number that a link calls or writes to (RFC 3966, 5724), with `tel:` or `sms:` before it and nothing behind.
 * @returns null for any other link, and for what is no plain number
 */
export const callTarget = (href: string): string | null => {
  const [, scheme = '', written = ''] = /^(tel|sms):(?:\/\/)?([^?;]*)/i.exec(href.trim()) ?? []
  const number = decodePercent(written).trim()
  return NUMBER.test(number) ? `${scheme.toLowerCase()}:${number.replace(/[^+\d]/g, '')}` : null
}

/** What a link of an e-mail may lead to: all that `safeLinkTarget` opens, and numbers to call or write to. */
export const followedTarget = (href: string): string | null => callTarget(href) ?? safeLinkTarget(href)

/**
 * The name of the place in the same e-mail that a link jumps to; '' for its beginning.
 * @returns null for a link to anywhere else
 */
export const fragmentOf = (href: string): string | null => {
  const trimmed = href.trim()
  return trimmed.startsWith('#') ? decodePercent(trimmed.slice(1)) : null
}
