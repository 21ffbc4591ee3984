import { domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { decodePercent } from '../../../shared/decode-percent.ts'
import { stripHiddenCharacters } from '../../../shared/visible-text.ts'
import { quoteUntrustedText } from './quoting.ts'

/** Maximum characters of an address, and of its host. */
const MAX_ADDRESS_LENGTH = 300
const MAX_HOST_LENGTH = 100
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

export interface LinkTarget {
  /** Follows the link's words in the text, with the host alone. */
  readonly remark: string
  /** Untrusted, and not drawn in the e-mail. */
  readonly address: string
}

/**
 * Describes a link's destination. Null if the words already name it, or if the link stays within the e-mail.
 * @param place of the address in the list of addresses
 */
export const describeLinkTarget = (href: string, words: string, place: number): LinkTarget | null => {
  const written = href.trim()
  if (written === '' || written.startsWith('#')) return null
  const url = URL.parse(written)
  const said = stripHiddenCharacters(words.slice(0, MAX_LINK_TEXT_LENGTH)).replace(/\s+/g, ' ').trim()
  if (url === null) return { remark: '(a link that cannot be opened)', address: '' }
  const isNamed = url.username !== '' || url.password !== ''
  // A name before the host only looks like one.
  url.username = ''
  url.password = ''
  const address = truncate(url.href, MAX_ADDRESS_LENGTH)
  if (url.protocol === 'mailto:') {
    const all = parseMailtoRecipients(url)
    const isSaid = all.length === 1 && all[0]?.toLowerCase() === said.toLowerCase()
    if (isSaid) return null
    const people = all.length === 1 ? 'an address' : `${all.length} addresses`
    return { remark: `(writes to ${people} [${place}])`, address: truncate(all.join(', '), MAX_ADDRESS_LENGTH) }
  }
  if (url.protocol === 'tel:' || url.protocol === 'sms:') {
    const digits = (text: string): string => text.replace(/[^+\d]/g, '')
    const isSaid = digits(said) === digits(decodePercent(url.pathname))
    return isSaid ? null : { remark: `(${url.protocol === 'tel:' ? 'calls' : 'texts'} a number [${place}])`, address }
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { remark: `(a ${url.protocol.slice(0, 30)} link)`, address: '' }
  if (showsAddress(said, url) && !isNamed && decodeHost(url.hostname) === url.hostname) return null
  const owner = ownerOf(url.hostname)
  const isElsewhere = findHosts(said).some((host) => ownerOf(host) !== owner)
  const user = !isNamed ? '' : ', with a name before the @ that is not the host'
  const host = `${truncate(url.host, MAX_HOST_LENGTH)}${describeHost(url)}${user}`
  return { remark: `(leads ${isElsewhere ? 'elsewhere: ' : 'to '}${host} [${place}])`, address }
}
