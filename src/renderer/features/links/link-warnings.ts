import { decodePercent } from '../../../shared/decode-percent.ts'
import { asciiHost, domainOf, haveOneOwner, ownerOf, readableHost } from '../../ui/domain.ts'
import { looksLike } from '../../ui/look-alike.ts'
import { namedHosts } from './named-hosts.ts'
import { gatewayTarget } from './gateway-target.ts'
import { callTarget, linkTarget } from './safe-link.ts'

/** Text adjoining a link as if part of the same word, and its own link target, if any. */
interface Neighbour {
  readonly words: string
  readonly href: string | null
}

/** A word that continues outside the link. */
export interface BesideLink {
  readonly before: Neighbour
  readonly own: string
  readonly behind: Neighbour
}

export interface LinkAppearance {
  /** All possible readings: text, rendered letters, and texts of pictures. */
  readonly words: readonly string[]
  /** Words only partly inside the link. */
  readonly beside: readonly BesideLink[]
  /** True if the link contains nothing readable or visible. */
  readonly isWordless: boolean
  /** True if the link covers text or pictures outside it. Null if there is too much to check. */
  readonly isCovering: boolean | null
}

/** Reason to ask before opening a link. */
export type LinkReason =
  /** The text names a host of a different owner than the target's. */
  | { readonly kind: 'otherHost'; readonly named: string }
  /** The text names an e-mail address, but the link writes to another. */
  | { readonly kind: 'otherAddress'; readonly named: string }
  /** The target's domain looks like one of the user's own. */
  | { readonly kind: 'looksLikeOwn'; readonly own: string }
  /** The link calls or texts a number in another program. */
  | { readonly kind: 'call' }
  /** The text names a number, but the link calls another. */
  | { readonly kind: 'otherNumber'; readonly named: string }
  /** `https://bank.example@evil.example/`: the part before the host is misleading. */
  | { readonly kind: 'userInfo'; readonly userInfo: string }
  | {
      readonly kind:
        | 'number'
        | 'ownNetwork'
        | 'mixedScripts'
        | 'foreignLetters'
        | 'hiddenCharacters'
        | 'reversedCharacters'
        | 'covering'
        | 'crowded'
        | 'wordless'
    }

/** UTF-16 units of text checked. Longer text always leads to a question. */
const LONGEST = 20_000

/** Maximum number of recipient domains of a `mailto:` compared with the text. */
const MAX_WRITTEN_TO = 50

/** Unicode bidirectional overrides. */
const OVERRIDES = /[\u202d\u202e]/
/** Percent-encoded overrides, isolates and embeddings. No address needs them. */
const REVERSED_TARGET = /%E2%80%A[A-E]|%E2%81%A[6-9]/i
/** Soft hyphens, zero-width characters and tags. Joiners are allowed, as addresses of Persian pages contain them. */
const HIDDEN_TARGET = /%C2%AD|%E2%80%8B|%E2%81%A0|%EF%BB%BF|%F3%A0%8[01]/i

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Cherokee', 'Hebrew', 'Arabic', 'Thai'] as const
const TESTS = [
  ...SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u')),
  // East Asian scripts, which are used together and mixed with Latin letters (UTS 39, highly restrictive).
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
]
const LATIN = 0
const EAST_ASIAN = TESTS.length - 1

/** True if a label mixes scripts that are never used together: `pаypal` with a Cyrillic а. */
const isMixed = (label: string): boolean => {
  const found = new Set((label.match(/\p{L}/gu) ?? []).map((letter) => TESTS.findIndex((test) => test.test(letter))))
  return found.size > 1 && !(found.size === 2 && found.has(LATIN) && found.has(EAST_ASIAN))
}

/** Domains served only within local networks (RFC 6761, 6762, 8375; ICANN's reserved ones; a common router). */
const OWN_NETWORK =
  /\.(?:localhost|local|internal|lan|home|corp|intranet|localdomain|test|home\.arpa)$|^(?:.*\.)?fritz\.box$/

const reasonsOfHost = (host: string): readonly LinkReason[] => {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return [{ kind: 'number' }]
  const name = host.replace(/\.$/, '')
  if (!name.includes('.') || OWN_NETWORK.test(name)) return [{ kind: 'ownNetwork' }]
  if (!/(?:^|\.)xn--/.test(host)) return []
  return [{ kind: readableHost(host).split('.').some(isMixed) ? 'mixedScripts' : 'foreignLetters' }]
}

/** Lower-case recipients of a `mailto:` (RFC 6068). */
export const writtenTo = (target: string): readonly string[] => {
  const { pathname, searchParams } = new URL(target)
  const fields = [...searchParams].filter(([name]) => /^(?:to|cc|bcc)$/i.test(name))
  return [decodePercent(pathname), ...fields.map(([, list]) => list)]
    .flatMap((list) => list.split(/[,;]/))
    .map((address) => (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase())
    .filter((address) => address !== '')
}

/** Removes duplicates by kind. */
const once = (reasons: readonly LinkReason[]): readonly LinkReason[] =>
  reasons.filter(({ kind }, place) => reasons.findIndex((reason) => reason.kind === kind) === place)

/** False claims in the link's text. @param gateway onward target if the link leads through a gateway that names it */
const reasonsOfWords = (words: string, url: URL, gateway: string | null): readonly LinkReason[] => {
  const isMail = url.protocol === 'mailto:'
  const written = isMail ? writtenTo(url.href) : []
  const hosts = isMail ? [...new Set(written.map(domainOf))].slice(0, MAX_WRITTEN_TO) : [url.hostname]
  const named = namedHosts(words.slice(0, LONGEST), decodePercent(url.pathname).toLowerCase())
  // Text with the complete gateway address also names the onward target.
  const isWhole = gateway !== null && decodePercent(words).toLowerCase().includes(url.hostname)
  const isSameHost = (name: string, host: string): boolean =>
    haveOneOwner(name, host) || (isWhole && haveOneOwner(name, gateway))
  const other = named.hosts.find((name) => hosts.length === 0 || !hosts.every((host) => isSameHost(name, host)))
  const known = new Set(written)
  const otherAddress = isMail ? named.addresses.find((address) => !known.has(address)) : undefined
  return [
    ...(other === undefined ? [] : [{ kind: 'otherHost', named: readableHost(asciiHost(other)) } as const]),
    ...(other !== undefined || otherAddress === undefined
      ? []
      : [{ kind: 'otherAddress', named: otherAddress } as const]),
    ...(OVERRIDES.test(words) ? [{ kind: 'reversedCharacters' } as const] : []),
    ...(named.isHiding ? [{ kind: 'hiddenCharacters' } as const] : []),
    ...(words.length > LONGEST ? [{ kind: 'crowded' } as const] : []),
  ]
}

/** A name of at least three characters at the start of the text. A shorter one could be the end of another name. */
const OWN_NAME = /^[\s\p{P}]*(?:[a-z]+:\/\/)?(?:[\p{L}\p{N}_+.-]+@)?[\p{L}\p{N}_-]{3,}/iu

/** True if the text names the target and nothing else. */
const isTrueName = (words: string, url: URL | null, gateway: string | null): boolean => {
  if (url === null || !OWN_NAME.test(words)) return false
  const { hosts } = namedHosts(words.slice(0, LONGEST), decodePercent(url.pathname).toLowerCase())
  return hosts.length > 0 && reasonsOfWords(words, url, gateway).length === 0
}

/** True if a word continues outside the link only for lack of a space: two links, each naming its own target. */
const areWordsApart = ({ before, own, behind }: BesideLink, url: URL, gateway: string | null): boolean =>
  isTrueName(own, url, gateway) &&
  [before, behind].every(
    ({ words, href }) => words === '' || isTrueName(words, URL.parse(linkTarget(href ?? '') ?? ''), null),
  )

/** Suspicious features of the target, regardless of the text. */
const reasonsOfTarget = (url: URL, own: readonly string[]): readonly LinkReason[] => {
  const domain = readableHost(ownerOf(url.hostname))
  const imitated = own.map((host) => readableHost(ownerOf(host))).find((each) => looksLike(domain, each))
  const userInfo = [url.username, url.password].filter((part) => part !== '').join(':')
  return [
    ...(imitated === undefined ? [] : [{ kind: 'looksLikeOwn', own: imitated } as const]),
    ...(userInfo === '' ? [] : [{ kind: 'userInfo', userInfo: decodePercent(userInfo) } as const]),
    ...(url.protocol === 'mailto:' ? [] : reasonsOfHost(url.hostname)),
    ...(REVERSED_TARGET.test(url.href) ? [{ kind: 'reversedCharacters' } as const] : []),
    ...(HIDDEN_TARGET.test(url.href) ? [{ kind: 'hiddenCharacters' } as const] : []),
  ]
}

/** Phone number with common separators. */
const NUMBERS = /\+?\d(?:[\s().\u2010-\u2015/-]{0,3}\d){5,}/g
/** Trailing digits that identify a phone, however the country code is written. */
const LAST_FIGURES = 6

/** Calls always need confirmation: another program makes them, and they may cost money. */
const callWarnings = (words: readonly string[], target: string): readonly LinkReason[] => {
  const last = target.replace(/\D/g, '').slice(-LAST_FIGURES)
  const numbers = words.flatMap((reading) => reading.slice(0, LONGEST).match(NUMBERS) ?? [])
  const other = numbers.find((number) => !number.replace(/\D/g, '').endsWith(last))
  return [{ kind: 'call' }, ...(other === undefined ? [] : [{ kind: 'otherNumber', named: other.trim() } as const])]
}

/**
 * Reasons to ask before opening a link. Text that names no host makes no claim (docs/trust.md, "Links").
 * @param target output of `linkTarget`
 * @param ownHosts hosts of the user's own addresses
 * @returns empty for an honest link
 */
export const linkWarnings = (
  { words, beside, isWordless, isCovering }: LinkAppearance,
  target: string,
  ownHosts: readonly string[] = [],
): readonly LinkReason[] => {
  const appearanceReasons: readonly LinkReason[] = [
    ...(isCovering === true ? [{ kind: 'covering' } as const] : []),
    ...(isCovering === null ? [{ kind: 'crowded' } as const] : []),
    ...(isWordless ? [{ kind: 'wordless' } as const] : []),
  ]
  if (callTarget(target) !== null) return once([...callWarnings(words, target), ...appearanceReasons])
  const onward = gatewayTarget(target)
  const own = new URL(target)
  const url = onward === null ? own : new URL(onward)
  const gateway = onward === null ? null : own.hostname
  return once([
    ...words.flatMap((reading) => reasonsOfWords(reading, url, gateway)),
    ...beside
      .filter((word) => !areWordsApart(word, url, gateway))
      .flatMap(({ before, own: middle, behind }) =>
        reasonsOfWords(`${before.words}${middle}${behind.words}`, url, gateway),
      ),
    ...[own, ...(onward === null ? [] : [url])].flatMap((each) => reasonsOfTarget(each, ownHosts)),
    ...appearanceReasons,
  ])
}
