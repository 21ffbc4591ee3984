import { domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { decodePercent } from '../../shared/decode-percent.ts'
import { stripHiddenCharacters } from '../../shared/visible-text.ts'
import { quoteUntrustedText } from './quoting.ts'

/** Maximum characters of a displayed address. */
const MAX_ADDRESS_LENGTH = 200
/** Maximum characters of link text to search. */
const MAX_LINK_TEXT_LENGTH = 2_000

const RULES = { allowPrivateDomains: true, detectSpecialUse: true, extractHostname: false, validateHostname: false }

/** The registered domain, or the host itself. */
const ownerOf = (host: string): string => parse(host, RULES).domain ?? host

const isHost = (name: string): boolean => {
  const { isIcann, isPrivate, isSpecialUse, domain } = parse(name, RULES)
  return isPrivate === true || (domain !== null && (isIcann === true || isSpecialUse === true))
}

/** Decoded host, or the original if it can't be decoded. */
const decodeHost = (host: string): string => domainToUnicode(host) || host

const truncate = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`)

/** The Unicode form of an `xn--` host. */
const describeHost = (url: URL): string => {
  const shown = decodeHost(url.hostname)
  return shown === url.hostname ? '' : `, a host that reads ${quoteUntrustedText(shown, 80)}`
}

/** Text before the @ of a URL is not part of its destination. */
const describeUser = ({ username, password }: URL): string => {
  const user = [username, password].filter((part) => part !== '').join(':')
  return user === '' ? '' : `, where “${quoteUntrustedText(decodePercent(user), 60)}” before the @ is not the host`
}

const addressOf = (url: URL): string => {
  const host = `${url.protocol}//${url.host}`
  const path = `${url.pathname}${url.search}${url.hash}`
  return `${truncate(host, MAX_ADDRESS_LENGTH)}${path === '/' ? '' : truncate(path, Math.max(0, MAX_ADDRESS_LENGTH - host.length))}`
}

const WITH_SCHEME = /(?:https?|ftp):[/\\]{1,4}/i
const HOSTS = /[\p{L}\p{N}\p{M}_-]{1,63}(?:\.[\p{L}\p{N}\p{M}_-]{1,63}){1,10}/gu

/** Host names in a text, in ASCII form. */
const findHosts = (words: string): readonly string[] => {
  const folded = words.normalize('NFKC').replace(/[\u3002\u0660\u06d4]/g, '.')
  return [...folded.matchAll(HOSTS)].flatMap(([name]) => {
    const host = URL.parse(`http://${name}/`)?.hostname
    return host !== undefined && isHost(host) ? [host] : []
  })
}

const showsAddress = (words: string, url: URL): boolean => {
  const said = WITH_SCHEME.test(words) ? words : `${url.protocol}//${words}`
  const own = /\s/.test(words) ? null : URL.parse(said)
  return own !== null && own.href.replace(/\/$/, '') === url.href.replace(/\/$/, '')
}

const parseMailtoRecipients = (url: URL): readonly string[] =>
  [
    decodePercent(url.pathname),
    ...url.searchParams.getAll('to'),
    ...url.searchParams.getAll('cc'),
    ...url.searchParams.getAll('bcc'),
  ]
    .flatMap((list) => list.split(/[,;]/))
    .map((address) => address.trim())
    .filter((address) => address !== '')

/**
 * Describes a link's destination, for display after its text. Returns '' if the text already names it, or if the link
 * stays within the e-mail.
 */
export const describeLinkTarget = (href: string, words: string): string => {
  const written = href.trim()
  if (written === '' || written.startsWith('#')) return ''
  const url = URL.parse(written)
  const said = stripHiddenCharacters(words.slice(0, MAX_LINK_TEXT_LENGTH)).replace(/\s+/g, ' ').trim()
  if (url === null) return '(a link that cannot be opened)'
  if (url.protocol === 'mailto:') {
    const all = parseMailtoRecipients(url)
    const [first = ''] = all
    if (all.length === 1 && first.toLowerCase() === said.toLowerCase()) return ''
    const more = all.length > 3 ? ` and ${all.length - 3} more` : ''
    return `(writes to ${all
      .slice(0, 3)
      .map((address) => quoteUntrustedText(address, 100))
      .join(', ')}${more})`
  }
  if (url.protocol === 'tel:' || url.protocol === 'sms:') {
    const number = decodePercent(url.pathname)
      .replace(/[^+\d]/g, '')
      .slice(0, 30)
    return said.replace(/[^+\d]/g, '') === number ? '' : `(${url.protocol === 'tel:' ? 'calls' : 'texts'} ${number})`
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `(a ${url.protocol.slice(0, 30)} link)`
  }
  if (showsAddress(said, url) && url.username === '' && decodeHost(url.hostname) === url.hostname) return ''
  const named = findHosts(said)
  const owner = ownerOf(url.hostname)
  const isElsewhere = named.some((host) => ownerOf(host) !== owner)
  return `(leads ${isElsewhere ? 'elsewhere: ' : 'to '}${addressOf(url)}${describeHost(url)}${describeUser(url)})`
}

/** Normalised web or mail address for comparison, or null. */
export const toComparableAddress = (written: string): string | null => {
  const url = URL.parse(written.trim())
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href.replace(/\/$/, '') : null
}
