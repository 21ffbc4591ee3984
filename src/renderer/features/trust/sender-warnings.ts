import { parseAddress } from '../../../shared/address.ts'
import { domainOf, haveOneOwner, registrableDomainOf, toReadableHost } from '../../ui/domain.ts'
import { looksLike } from '../../ui/look-alike.ts'
import { findNamedHosts } from '../links/named-hosts.ts'
import type { Authentication, AuthenticationResult } from '../../../shared/authentication.ts'

/** Ways an e-mail's own headers could mislead about its sender. */
export type SenderWarning =
  /** The name contains another address or a different owner's site. */
  | { readonly kind: 'otherName'; readonly named: string; readonly address: string }
  /** The domain looks like one of the user's own. */
  | { readonly kind: 'looksLikeOwn'; readonly domain: string; readonly own: string }
  /** Replies go to another domain. */
  | { readonly kind: 'replyToStranger'; readonly to: string }
  /** Replies go to another address at the same domain. */
  | { readonly kind: 'replyToOtherAddress'; readonly to: string }
  /** Replies go to one of the e-mail's recipients, as is common on mailing lists. */
  | { readonly kind: 'replyToList'; readonly to: string }

/** Domains of the same provider. */
const DOMAIN_ALIASES = new Map([['googlemail.com', 'gmail.com']])

const providerDomain = (address: string): string => DOMAIN_ALIASES.get(domainOf(address)) ?? domainOf(address)

/** Canonical form of an address: without a `+` tag (RFC 5233: `ann+news@` is Ann's) and, for Gmail, without dots. */
const canonicalAddress = (address: string): string => {
  const domain = providerDomain(address)
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase().replace(/\+.*$/, '')
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`
}

/** Addresses that accept no replies, where a different Reply-To is normal. */
const NO_REPLY_ADDRESS =
  /^(?:no|do[-_.]?not|ne)[-_.]?(?:reply|repondre|respond|answer)|^(?:notifications?|mailer-daemon|bounces?)(?:[-_.+@])/i

/** Maximum number of UTF-16 units of a name to check. */
const MAX_NAME_LENGTH = 1_000
/** Maximum number of reply addresses to check. */
const MAX = 50

/** Words that surround a site's name when someone claims to be that site. */
const ROLE_WORDS =
  /(?<![\p{L}\p{N}])(?:the|your|team|support|security|service|services|customer|care|help|desk|account|accounts|billing|payments?|alerts?|info|notice|notifications?|admin|kundenservice|kundendienst|sicherheit|konto|servicio|atención|cliente|assistance|servizio|clienti)(?![\p{L}\p{N}])/giu

/** Turns obfuscated addresses, such as `ann (at) example (dot) com`, into plain ones. */
const normaliseObfuscation = (name: string): string =>
  name
    .replace(/\s*[@\uff20\ufe6b]\s*/g, '@')
    .replace(/\s*[([{<]\s*at\s*[)\]}>]\s*/gi, '@')
    .replace(/\s*[([{<]\s*(?:dot|\.)\s*[)\]}>]\s*/gi, '.')

const nameWarnings = (from: string, address: string): readonly SenderWarning[] => {
  const open = from.lastIndexOf('<')
  if (open === -1) return []
  const name = normaliseObfuscation(
    from
      .slice(0, open)
      .slice(0, MAX_NAME_LENGTH)
      .replace(/^[\s"]+|[\s"]+$/g, ''),
  )
  const { hosts, addresses } = findNamedHosts(name, '')
  const other = addresses.find((each) => canonicalAddress(each) !== canonicalAddress(address))
  if (other !== undefined) return [{ kind: 'otherName', named: other, address }]
  const [host] = hosts
  const isAlone = !/\s/.test(name.replace(ROLE_WORDS, '').trim())
  const isHost = host !== undefined && addresses.length === 0 && (isAlone || /\sat\s+\S+$/i.test(name))
  return isHost && !haveOneOwner(host, providerDomain(address)) ? [{ kind: 'otherName', named: host, address }] : []
}

const lookalikeWarnings = (address: string, own: readonly string[]): readonly SenderWarning[] => {
  const domain = toReadableHost(registrableDomainOf(providerDomain(address)))
  const found = own
    .map((each) => toReadableHost(registrableDomainOf(providerDomain(each))))
    .find((each) => looksLike(domain, each))
  return found === undefined ? [] : [{ kind: 'looksLikeOwn', domain, own: found }]
}

/**
 * Warnings to show before the user trusts or replies to a sender (docs/trust.md, "Senders").
 * @param email raw headers
 * @param own addresses of the user's inboxes
 */
export const findSenderWarnings = (
  {
    from,
    replyTo,
    to,
  }: {
    readonly from: string
    readonly replyTo: readonly string[]
    readonly to: readonly string[]
  },
  own: readonly string[],
): readonly SenderWarning[] => {
  const { address, isUnclear } = parseAddress(from)
  // Unclear addresses are displayed in full and marked as such.
  if (isUnclear || !address.includes('@')) return []
  const others = replyTo
    .slice(0, MAX)
    .map((header) => parseAddress(header).address)
    .filter((each) => each.includes('@') && canonicalAddress(each) !== canonicalAddress(address))
  const addressed = new Set(to.slice(0, MAX).map((header) => canonicalAddress(parseAddress(header).address)))
  const elsewhere = others.filter((each) => !haveOneOwner(providerDomain(each), providerDomain(address)))
  const stranger = elsewhere.find((each) => !addressed.has(canonicalAddress(each)))
  const [toList] = elsewhere
  const [beside] = NO_REPLY_ADDRESS.test(address) ? [] : others
  const answers: readonly SenderWarning[] =
    stranger !== undefined
      ? [{ kind: 'replyToStranger', to: stranger }]
      : toList !== undefined
        ? [{ kind: 'replyToList', to: toList }]
        : beside !== undefined
          ? [{ kind: 'replyToOtherAddress', to: beside }]
          : []
  return [...nameWarnings(from.trim(), address), ...lookalikeWarnings(address, own), ...answers]
}

export const describeSenderWarning = (warning: SenderWarning): string => {
  switch (warning.kind) {
    case 'otherName':
      return `The name says ${warning.named}, but the address is ${warning.address}.`
    case 'looksLikeOwn':
      return `The address is at ${warning.domain}, which imitates your domain ${warning.own}.`
    case 'replyToStranger':
      return `Your reply would go to ${warning.to}, at another domain.`
    case 'replyToList':
      return `Your reply would go to ${warning.to}, which also received this message.`
    case 'replyToOtherAddress':
      return `Your reply would go to ${warning.to}, another address at the same domain.`
  }
}

interface CheckedSender {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly words: string
  readonly meaning: string
}

/**
 * Sums up the platform's checks. Only DMARC covers the address the user sees (RFC 7489, 3.1): SPF and DKIM pass for any
 * domain someone owns. Without DMARC, only report a server that was not allowed to send. A forwarder is such a server,
 * but then the signature vouches for the mail; a mailing list that adds a line breaks the signature, which then counts
 * as none (RFC 6376, 6.1).
 * @returns null if nothing is known; then no badge
 */
export const describeAuthentication = ({ spf, dkim, dmarc }: Authentication): CheckedSender | null => {
  if (dmarc === 'pass') {
    return {
      tone: 'good',
      words: 'Domain confirmed',
      meaning: 'Verified: this message is from the sender’s domain. The person is not verified.',
    }
  }
  if (dmarc === 'fail') {
    return {
      tone: 'bad',
      words: 'Domain not confirmed',
      meaning: 'Not verified: this message may not be from the sender’s domain.',
    }
  }
  if (spf === 'fail' ? dkim !== 'pass' : dkim === 'fail' && spf !== 'pass') {
    return {
      tone: 'bad',
      words: 'Checks failed',
      meaning: 'This message failed some checks, so the sender may be forged.',
    }
  }
  const isKnown = [spf, dkim, dmarc].some((result) => result === 'pass' || result === 'gray')
  return isKnown
    ? {
        tone: 'plain',
        words: 'Domain not checked',
        meaning: 'The sender’s domain publishes no way to verify its mail.',
      }
    : null
}

export const RESULT_DESCRIPTIONS: Readonly<Record<AuthenticationResult, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  gray: 'Neutral',
  processing_failed: 'Could not be checked',
  unknown: 'Unknown',
}

export const AUTHENTICATION_METHODS = [
  { method: 'spf', name: 'SPF', about: 'sending server' },
  { method: 'dkim', name: 'DKIM', about: 'signature' },
  { method: 'dmarc', name: 'DMARC', about: 'address shown' },
] as const satisfies readonly { readonly method: keyof Authentication; readonly name: string; readonly about: string }[]
