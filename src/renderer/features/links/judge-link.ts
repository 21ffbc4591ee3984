import { decodePercent } from '../../../shared/decode-percent.ts'
import { asciiHost, domainOf, haveOneOwner, ownerOf, readableHost } from '../../ui/domain.ts'
import { looksLike } from '../../ui/look-alike.ts'
import { namedHosts } from './named-hosts.ts'
import { onwardTarget } from './onward-target.ts'
import { callTarget, followedTarget } from './safe-link.ts'

/** What stands beside a link as if it were of one word with it, and where that leads where it is a link itself. */
interface Neighbour {
  readonly words: string
  readonly href: string | null
}

/** A word that goes on beside the link. */
export interface BesideLink {
  readonly before: Neighbour
  readonly own: string
  readonly behind: Neighbour
}

/** How a link looks to a person (`seeLink`). */
export interface SeenLink {
  /** All that it may be read as: its text, what is drawn in its place, the words of its pictures. */
  readonly words: readonly string[]
  /** Words that are of the link in part alone. */
  readonly beside: readonly BesideLink[]
  /** Whether there is nothing in it that could be read or looked at. */
  readonly isWordless: boolean
  /** Whether it lies over words or pictures that are not its own; null where there is too much to look through. */
  readonly isCovering: boolean | null
}

/** Why a person is asked before a link is opened. */
export type LinkReason =
  /** The words name a host that belongs to somebody else than the one that the link opens. */
  | { readonly kind: 'otherHost'; readonly named: string }
  /** The words name an e-mail address, and the link writes to others. */
  | { readonly kind: 'otherAddress'; readonly named: string }
  /** It leads to a domain that looks like one of a person's own. */
  | { readonly kind: 'looksLikeOwn'; readonly own: string }
  /** It calls a number, or writes to one, by another program. */
  | { readonly kind: 'call' }
  /** The words name a number, and the link calls another one. */
  | { readonly kind: 'otherNumber'; readonly named: string }
  /** `https://bank.example@evil.example/`: what stands before the host is no part of where the link leads. */
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

/** UTF-16 units of words that are looked through; what is longer is asked about. */
const LONGEST = 20_000

/** Domains of a `mailto:` that are compared with the words. */
const MOST_WRITTEN_TO = 50

/** What writes letters in the other direction than they are read (Unicode, bidirectional overrides). */
const OVERRIDES = /[\u202d\u202e]/
/** The same and what isolates and embeds, in an address; there is nothing that it could be needed for. */
const REVERSED_TARGET = /%E2%80%A[A-E]|%E2%81%A[6-9]/i
/** Soft hyphens, characters without width, and tags. Joiners are left: addresses of Persian pages have them. */
const HIDDEN_TARGET = /%C2%AD|%E2%80%8B|%E2%81%A0|%EF%BB%BF|%F3%A0%8[01]/i

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Cherokee', 'Hebrew', 'Arabic', 'Thai'] as const
const TESTS = [
  ...SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u')),
  // Written together, and with Latin letters between (UTS 39, highly restrictive).
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
]
const LATIN = 0
const EAST_ASIAN = TESTS.length - 1

/** Whether a label has letters of scripts that nobody writes together: `pаypal` with a Cyrillic а. */
const isMixed = (label: string): boolean => {
  const found = new Set((label.match(/\p{L}/gu) ?? []).map((letter) => TESTS.findIndex((test) => test.test(letter))))
  return found.size > 1 && !(found.size === 2 && found.has(LATIN) && found.has(EAST_ASIAN))
}

/** Domains that only one's own network answers for (RFC 6761, 6762, 8375; those that ICANN keeps free for it; a common router). */
const OWN_NETWORK =
  /\.(?:localhost|local|internal|lan|home|corp|intranet|localdomain|test|home\.arpa)$|^(?:.*\.)?fritz\.box$/

/** What is questionable about a host by itself. */
const reasonsOfHost = (host: string): readonly LinkReason[] => {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return [{ kind: 'number' }]
  const name = host.replace(/\.$/, '')
  if (!name.includes('.') || OWN_NETWORK.test(name)) return [{ kind: 'ownNetwork' }]
  if (!/(?:^|\.)xn--/.test(host)) return []
  return [{ kind: readableHost(host).split('.').some(isMixed) ? 'mixedScripts' : 'foreignLetters' }]
}

/** All e-mail addresses that a `mailto:` writes to (RFC 6068), in lower case. */
export const writtenTo = (target: string): readonly string[] => {
  const { pathname, searchParams } = new URL(target)
  const fields = [...searchParams].filter(([name]) => /^(?:to|cc|bcc)$/i.test(name))
  return [decodePercent(pathname), ...fields.map(([, list]) => list)]
    .flatMap((list) => list.split(/[,;]/))
    .map((address) => (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase())
    .filter((address) => address !== '')
}

/** The first of each kind, however many of the link's readings say it. */
const once = (reasons: readonly LinkReason[]): readonly LinkReason[] =>
  reasons.filter(({ kind }, place) => reasons.findIndex((reason) => reason.kind === kind) === place)

/**
 * What the words say that is not so.
 * @param gateway through which the link leads, where it says where it leads on to
 */
const reasonsOfWords = (words: string, url: URL, gateway: string | null): readonly LinkReason[] => {
  const isMail = url.protocol === 'mailto:'
  const written = isMail ? writtenTo(url.href) : []
  const hosts = isMail ? [...new Set(written.map(domainOf))].slice(0, MOST_WRITTEN_TO) : [url.hostname]
  const named = namedHosts(words.slice(0, LONGEST), decodePercent(url.pathname).toLowerCase())
  // Words that are the gateway's whole address say where it leads on to as well.
  const isWhole = gateway !== null && decodePercent(words).toLowerCase().includes(url.hostname)
  const isSo = (name: string, host: string): boolean =>
    haveOneOwner(name, host) || (isWhole && haveOneOwner(name, gateway))
  const other = named.hosts.find((name) => hosts.length === 0 || !hosts.every((host) => isSo(name, host)))
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

/** Letters that a name begins with, in words that stand for themselves: less could be the end of another name. */
const OWN_NAME = /^[\s\p{P}]*(?:[a-z]+:\/\/)?(?:[\p{L}\p{N}_+.-]+@)?[\p{L}\p{N}_-]{3,}/iu

/** Whether words name where they lead, and nothing else. */
const isTrueName = (words: string, url: URL | null, gateway: string | null): boolean => {
  if (url === null || !OWN_NAME.test(words)) return false
  const { hosts } = namedHosts(words.slice(0, LONGEST), decodePercent(url.pathname).toLowerCase())
  return hosts.length > 0 && reasonsOfWords(words, url, gateway).length === 0
}

/**
 * Whether a word that goes on beside a link is one only because no blank is between: two links, each of which says where it
 * leads.
 */
const areWordsApart = ({ before, own, behind }: BesideLink, url: URL, gateway: string | null): boolean =>
  isTrueName(own, url, gateway) &&
  [before, behind].every(
    ({ words, href }) => words === '' || isTrueName(words, URL.parse(followedTarget(href ?? '') ?? ''), null),
  )

/** What is questionable about where it leads, whatever the words say. */
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

/** A number of a telephone in words, with what people put between its figures. */
const NUMBERS = /\+?\d(?:[\s().\u2010-\u2015/-]{0,3}\d){5,}/g
/** Figures at its end that say which telephone it is, whatever way the country is written in. */
const LAST_FIGURES = 6

/** A call is always asked about: it is made by another program, and may cost. */
const judgeCall = (words: readonly string[], target: string): readonly LinkReason[] => {
  const last = target.replace(/\D/g, '').slice(-LAST_FIGURES)
  const numbers = words.flatMap((reading) => reading.slice(0, LONGEST).match(NUMBERS) ?? [])
  const other = numbers.find((number) => !number.replace(/\D/g, '').endsWith(last))
  return [{ kind: 'call' }, ...(other === undefined ? [] : [{ kind: 'otherNumber', named: other.trim() } as const])]
}

/**
 * Why a person is to be asked before a link is opened: where its words name another owner's host than the one that it
 * opens, where its target is made to be misread, and where it lies over what is not its own. Words that name no host
 * promise none, wherever they lead (docs/trust.md, "Links").
 * @param target what `followedTarget` made
 * @param ownHosts of the person's own addresses
 * @returns empty for an honest link
 */
export const judgeLink = (
  { words, beside, isWordless, isCovering }: SeenLink,
  target: string,
  ownHosts: readonly string[] = [],
): readonly LinkReason[] => {
  const ofLooks: readonly LinkReason[] = [
    ...(isCovering === true ? [{ kind: 'covering' } as const] : []),
    ...(isCovering === null ? [{ kind: 'crowded' } as const] : []),
    ...(isWordless ? [{ kind: 'wordless' } as const] : []),
  ]
  if (callTarget(target) !== null) return once([...judgeCall(words, target), ...ofLooks])
  const onward = onwardTarget(target)
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
    ...ofLooks,
  ])
}
