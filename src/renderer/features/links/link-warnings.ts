import { decodePercent } from '../../../shared/decode-percent.ts'
import { toAsciiHost, domainOf, haveOneOwner, registrableDomainOf, toReadableHost } from '../../ui/domain.ts'
import { looksLike } from '../../ui/look-alike.ts'
import { findNamedHosts, mayNameHost } from './named-hosts.ts'
import { truncateMiddle } from './describe-link.ts'
import { extractGatewayTarget } from './gateway-target.ts'
import { parseMailtoRecipients, toCallTarget, toLinkTarget } from './safe-link.ts'

/** Text adjoining a link as if part of the same word, and its own link target, if any. */
interface Neighbour {
  readonly words: string
  readonly href: string | null
}

/** Text of a link as drawn, from left to right, with the rest of a word that continues outside it. */
export interface DrawnPhrase {
  readonly before: Neighbour
  readonly own: string
  readonly behind: Neighbour
  /** True if styles may hide or reorder some of it. */
  readonly isUnclear: boolean
}

export interface LinkAppearance {
  /** The link's text in the order of the source, and texts of pictures. */
  readonly words: readonly string[]
  readonly phrases?: readonly DrawnPhrase[]
  /** Words that styles add to the link or beside it. */
  readonly generated?: string
  /** True if the link contains nothing readable or visible. */
  readonly isWordless?: boolean
  /** True if the pointer was on text or a picture that isn't the link's. */
  readonly isCovering?: boolean
  /** True if the mail has too much text to find what is beside the link. */
  readonly isCrowded?: boolean
}

/** Reasons to ask before opening a link. @param host where it leads, in readable form @param named from the link */
const REASONS = {
  otherHost: (host, named) => `The link text says ${named}, but the link goes to ${host}.`,
  otherAddress: (host, named) => `The link text says ${named}, but the message would go to ${host}.`,
  otherNumber: (host, named) => `The link text says ${named}, but the number is ${host}.`,
  looksLikeOwn: (host, named) => `The link goes to ${host}, which imitates your domain ${named}.`,
  // As in `https://bank.example@evil.example/`.
  userInfo: (_, named) =>
    `The link doesn’t go to “${truncateMiddle(named, 80)}”. The part before the @ is only a user name.`,
  call: () => 'The link opens another app and may cost money.',
  number: () => 'The link goes to a numeric address. Legitimate senders rarely use these.',
  ownNetwork: () => 'The link goes to this computer or your local network.',
  foreignLetters: () =>
    'The site’s name contains letters other than a to z. Some of them can be mistaken for other letters.',
  hiddenCharacters: () => 'The link contains invisible characters.',
  reversedCharacters: () => 'The link contains characters that reverse the reading direction.',
  covering: () => 'The link covers other content.',
  unclear: () => 'Linnet can’t tell what the link says, because of its styles or its length.',
  wordless: () => 'The link has no text.',
} as const satisfies Readonly<Record<string, (host: string, named: string) => string>>

export interface LinkWarning {
  readonly kind: keyof typeof REASONS
  readonly named?: string | undefined
}

/** @param host in readable form */
export const describeLinkWarning = ({ kind, named = '' }: LinkWarning, host: string): string =>
  REASONS[kind](host, named)

const when = (isTrue: boolean, kind: LinkWarning['kind']): readonly LinkWarning[] => (isTrue ? [{ kind }] : [])

const whenNamed = (kind: LinkWarning['kind'], named: string | undefined): readonly LinkWarning[] =>
  named === undefined ? [] : [{ kind, named }]

/** UTF-16 units of text checked. Longer text always leads to a question. */
const MAX_TEXT_LENGTH = 20_000

/** Maximum number of recipient domains of a `mailto:` compared with the text. */
const MAX_RECIPIENT_DOMAINS = 50

/** Unicode bidirectional overrides anywhere, and invisible marks of direction beside a dot in a word. */
const REORDERED =
  /[\u202d\u202e]|[\p{L}\p{N}](?:[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]+\.|\.[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]+)[\p{L}\p{N}]/u
/** Percent-encoded overrides, isolates and embeddings. No address needs them. */
const REVERSED_TARGET = /%E2%80%A[A-E]|%E2%81%A[6-9]/i
/** Soft hyphens, zero-width characters and tags. Joiners are allowed, as addresses of Persian pages contain them. */
const HIDDEN_TARGET = /%C2%AD|%E2%80%8B|%E2%81%A0|%EF%BB%BF|%F3%A0%8[01]/i

/** Domains served only within local networks (RFC 6761, 6762, 8375; ICANN's reserved ones; a common router). */
const OWN_NETWORK =
  /\.(?:localhost|local|internal|lan|home|corp|intranet|localdomain|test|home\.arpa)$|^(?:.*\.)?fritz\.box$/

const reasonsOfHost = (host: string): readonly LinkWarning[] => {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return [{ kind: 'number' }]
  const name = host.replace(/\.$/, '')
  if (!name.includes('.') || OWN_NETWORK.test(name)) return [{ kind: 'ownNetwork' }]
  return when(/(?:^|\.)xn--/.test(host), 'foreignLetters')
}

/** Removes duplicates by kind. */
const uniqueByKind = (reasons: readonly LinkWarning[]): readonly LinkWarning[] =>
  reasons.filter(({ kind }, place) => reasons.findIndex((reason) => reason.kind === kind) === place)

/** False claims in the link's text. @param gateway onward target if the link leads through a gateway that names it */
const reasonsOfText = (words: string, url: URL, gateway: string | null): readonly LinkWarning[] => {
  const isMail = url.protocol === 'mailto:'
  const written = isMail ? parseMailtoRecipients(url.href) : []
  const hosts = isMail ? [...new Set(written.map(domainOf))].slice(0, MAX_RECIPIENT_DOMAINS) : [url.hostname]
  const named = findNamedHosts(words.slice(0, MAX_TEXT_LENGTH), decodePercent(url.pathname).toLowerCase())
  // Text with the complete gateway address also names the onward target.
  const isWhole = gateway !== null && decodePercent(words).toLowerCase().includes(url.hostname)
  const isSameHost = (name: string, host: string): boolean =>
    haveOneOwner(name, host) || (isWhole && haveOneOwner(name, gateway))
  const other = named.hosts.find((name) => hosts.length === 0 || !hosts.every((host) => isSameHost(name, host)))
  const known = new Set(written)
  const otherAddress = isMail ? named.addresses.find((address) => !known.has(address)) : undefined
  return [
    ...(other === undefined
      ? whenNamed('otherAddress', otherAddress)
      : whenNamed('otherHost', toReadableHost(toAsciiHost(other)))),
    ...when(REORDERED.test(words), 'reversedCharacters'),
    ...when(named.isHiding, 'hiddenCharacters'),
    ...when(words.length > MAX_TEXT_LENGTH, 'unclear'),
  ]
}

/** A name of at least three characters at the start of the text. A shorter one could be the end of another name. */
const OWN_NAME = /^[\s\p{P}]*(?:[a-z]+:\/\/)?(?:[\p{L}\p{N}_+.-]+@)?[\p{L}\p{N}_-]{3,}/iu

/** True if the text names the target and nothing else. */
const namesOnlyTarget = (words: string, url: URL | null, gateway: string | null): boolean => {
  if (url === null || !OWN_NAME.test(words)) return false
  const { hosts } = findNamedHosts(words.slice(0, MAX_TEXT_LENGTH), decodePercent(url.pathname).toLowerCase())
  return hosts.length > 0 && reasonsOfText(words, url, gateway).length === 0
}

/** True if a word continues outside the link only for lack of a space: two links, each naming its own target. */
const areSeparateWords = ({ before, own, behind }: DrawnPhrase, url: URL, gateway: string | null): boolean =>
  namesOnlyTarget(own, url, gateway) &&
  [before, behind].every(
    ({ words, href }) => words === '' || namesOnlyTarget(words, URL.parse(toLinkTarget(href ?? '') ?? ''), null),
  )

/** Suspicious features of the target, regardless of the text. */
const reasonsOfTarget = (url: URL, own: readonly string[]): readonly LinkWarning[] => {
  const domain = toReadableHost(registrableDomainOf(url.hostname))
  const imitated = own.map((host) => toReadableHost(registrableDomainOf(host))).find((each) => looksLike(domain, each))
  const userInfo = [url.username, url.password].filter((part) => part !== '').join(':')
  return [
    ...whenNamed('looksLikeOwn', imitated),
    ...whenNamed('userInfo', userInfo === '' ? undefined : decodePercent(userInfo)),
    ...(url.protocol === 'mailto:' ? [] : reasonsOfHost(url.hostname)),
    ...when(REVERSED_TARGET.test(url.href), 'reversedCharacters'),
    ...when(HIDDEN_TARGET.test(url.href), 'hiddenCharacters'),
  ]
}

/** Phone number with common separators. */
const NUMBERS = /\+?\d(?:[\s().\u2010-\u2015/-]{0,3}\d){5,}/g
/** Trailing digits that identify a phone, however the country code is written. */
const SIGNIFICANT_DIGITS = 6

/** Calls always need confirmation: another program makes them, and they may cost money. */
const callWarnings = (words: readonly string[], target: string): readonly LinkWarning[] => {
  const last = target.replace(/\D/g, '').slice(-SIGNIFICANT_DIGITS)
  const numbers = words.flatMap((reading) => reading.slice(0, MAX_TEXT_LENGTH).match(NUMBERS) ?? [])
  const other = numbers.find((number) => !number.replace(/\D/g, '').endsWith(last))
  return [{ kind: 'call' }, ...whenNamed('otherNumber', other?.trim())]
}

const readPhrase = ({ before, own, behind }: DrawnPhrase): string => `${before.words}${own}${behind.words}`

/** Words between single spaces. */
const spaced = (text: string): string => ` ${text.trim().replace(/\s+/g, ' ').toLowerCase()} `

/**
 * Reasons to ask before opening a link. Text that names no host makes no claim (docs/trust.md, "Links").
 * @param target output of `toLinkTarget`
 * @param ownHosts hosts of the user's own addresses
 * @returns empty for an honest link
 */
export const findLinkWarnings = (
  { words, phrases = [], generated = '', isWordless = false, isCovering = false, isCrowded = false }: LinkAppearance,
  target: string,
  ownHosts: readonly string[] = [],
): readonly LinkWarning[] => {
  const isUnclear =
    isCrowded ||
    phrases.some((phrase) => phrase.isUnclear && mayNameHost(readPhrase(phrase))) ||
    (generated !== '' && mayNameHost([generated, ...words, ...phrases.map(readPhrase)].join('')))
  const appearanceReasons = [
    ...when(isCovering, 'covering'),
    ...when(isWordless, 'wordless'),
    ...when(isUnclear, 'unclear'),
  ]
  if (toCallTarget(target) !== null) return uniqueByKind([...callWarnings(words, target), ...appearanceReasons])
  const onward = extractGatewayTarget(target)
  const own = new URL(target)
  const url = onward === null ? own : new URL(onward)
  const gateway = onward === null ? null : own.hostname
  const source = words.map(spaced).join('')
  const unlikeSource = phrases
    .filter((phrase) => !areSeparateWords(phrase, url, gateway))
    .map(readPhrase)
    .filter((phrase) => !source.includes(spaced(phrase)))
  return uniqueByKind([
    ...[...words, ...unlikeSource].flatMap((reading) => reasonsOfText(reading, url, gateway)),
    ...[own, ...(onward === null ? [] : [url])].flatMap((each) => reasonsOfTarget(each, ownHosts)),
    ...appearanceReasons,
  ])
}
