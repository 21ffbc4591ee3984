import { decodePercent } from '../../../shared/decode-percent.ts'

/** Schemes that an e-mail's link may open. Everything else is blocked. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Canonical address that a link opens. Null for scripts, files, data, and addresses without a host. */
export const toSafeLinkTarget = (href: string): string | null => {
  const url = URL.parse(href.trim())
  return url !== null && SCHEMES.has(url.protocol) ? url.href : null
}

/** Phone number for the system's call program: no device codes (`*#06#`), no options. */
const NUMBER = /^\+?\d[\d\s().-]{1,30}$/

/** Number that a link calls or texts (RFC 3966, 5724), as plain `tel:` or `sms:`. Null for anything else. */
export const toCallTarget = (href: string): string | null => {
  const [, scheme = '', written = ''] = /^(tel|sms):(?:\/\/)?([^?;]*)/i.exec(href.trim()) ?? []
  const number = decodePercent(written).trim()
  return NUMBER.test(number) ? `${scheme.toLowerCase()}:${number.replace(/[^+\d]/g, '')}` : null
}

/** Target of any link that mail may contain: a web or e-mail address (`toSafeLinkTarget`), or a phone number. */
export const toLinkTarget = (href: string): string | null => toCallTarget(href) ?? toSafeLinkTarget(href)

/** Lower-case recipients of a `mailto:` (RFC 6068). */
export const parseMailtoRecipients = (target: string): readonly string[] => {
  const { pathname, searchParams } = new URL(target)
  const fields = [...searchParams].filter(([name]) => /^(?:to|cc|bcc)$/i.test(name))
  return [decodePercent(pathname), ...fields.map(([, list]) => list)]
    .flatMap((list) => list.split(/[,;]/))
    .map((address) => (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase())
    .filter((address) => address !== '')
}

/** Anchor name of a link within the same e-mail, '' for its start. @returns null for other links */
export const extractFragment = (href: string): string | null => {
  const trimmed = href.trim()
  return trimmed.startsWith('#') ? decodePercent(trimmed.slice(1)) : null
}

/** Keeps only safe links (`toLinkTarget`). Removes tooltips except on abbreviations, since senders write them. */
export const sanitizeLinks = (root: Element): void => {
  for (const element of root.querySelectorAll('[title]')) {
    const isAbbreviation =
      element.matches('abbr, acronym') && element.closest('a') === null && !element.querySelector('a')
    if (!isAbbreviation) element.removeAttribute('title')
  }
  // Only pictures may have an image map, and the map must be in the same e-mail.
  for (const mapped of root.querySelectorAll('[usemap]:not(img[usemap^="#"])')) mapped.removeAttribute('usemap')
  for (const link of root.querySelectorAll('a[href], area[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (extractFragment(href) !== null) continue
    const target = toLinkTarget(href)
    if (target === null) {
      link.removeAttribute('href')
      continue
    }
    link.setAttribute('href', target)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
}
