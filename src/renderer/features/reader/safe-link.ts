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

/**
 * The name of the place in the same e-mail that a link jumps to.
 * @returns null for a link to anywhere else
 */
export const fragmentOf = (href: string): string | null => {
  return href.startsWith('#') ? decodePercent(href.slice(1)) : null
}

/** Opens a safe target outside of Linnet, which learns nothing of where it came from. */
export const openLink = (target: string): void => {
  window.open(target, '_blank', 'noopener,noreferrer')
}
