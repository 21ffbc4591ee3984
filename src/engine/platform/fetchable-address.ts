import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Prefix for local-use address translation (RFC 8215). Only the local network knows where such an address leads, so it
 * may be private.
 */
const LOCAL_TRANSLATION = ipaddr.parseCIDR('64:ff9b:1::/48')

/** IPv6 ranges that embed an IPv4 address, with its byte offset. */
const EMBEDDED_IPV4_OFFSETS: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6052: 12, rfc6145: 12, '6to4': 2 }

/** True for public Internet addresses; an embedded IPv4 address counts as itself. @param text may be bracketed */
export const isPublicAddress = (text: string): boolean => {
  const bare = text.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return false
  const address = ipaddr.parse(bare)
  if (address.kind() === 'ipv6' && address.match(LOCAL_TRANSLATION)) return false
  const at = EMBEDDED_IPV4_OFFSETS[address.range()]
  if (at !== undefined)
    return isPublicAddress(
      address
        .toByteArray()
        .slice(at, at + 4)
        .join('.'),
    )
  if (address.range() !== 'unicast') return false
  // Only 2000::/3 of IPv6 is assigned (RFC 4291, 2.4); legacy IPv4 embeddings lie outside it.
  return address.kind() === 'ipv4' || ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** A name resolved to an address inside the user's own network. */
export class PrivateAddressError extends Error {
  constructor() {
    super('The address is not on the public Internet.')
    this.name = 'PrivateAddressError'
  }
}

/**
 * Resolves a name while connecting, so it can't change after the check. Fails if any address is private, because a
 * proxy might choose that one.
 */
export const lookupPublicAddress: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error === null && addresses.every(({ address }) => isPublicAddress(address)) ? addresses : []
    const [first] = found
    if (first === undefined) callback(error ?? new PrivateAddressError(), '', 0)
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  })
}

/** Names that resolve inside the user's own network, if at all. Even looking one up reveals something there. */
const OWN_NETWORK =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)\.?$/

/** Checks a URL alone; `lookupPublicAddress` checks what a name resolves to. `URL` has already normalised numbers. */
const mayBePublic = ({ hostname, port, username, password }: URL): boolean => {
  if (username !== '' || password !== '') return false
  if (port !== '' && Number(port) < 1024 && port !== '80' && port !== '443') return false
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))) return isPublicAddress(hostname)
  // Without a dot, it is a name in the user's network or a country's registry.
  return hostname.replace(/\.$/, '').includes('.') && !OWN_NETWORK.test(hostname)
}

/** True for public https URLs. Linnet never sends anything elsewhere because a message asks for it. */
export const isPublicHttps = (address: URL): boolean => address.protocol === 'https:' && mayBePublic(address)

/**
 * How to fetch a URL that a platform supplied. Only its own origin and public https are allowed, to keep platforms out
 * of the user's network. Null means that it must not be fetched.
 */
export const classifyFetchTarget = (address: URL, own: URL): 'own' | 'public' | null => {
  if (address.username !== '' || address.password !== '') return null
  if (address.origin === own.origin) return 'own'
  return isPublicHttps(address) ? 'public' : null
}

export const isFetchablePicture = (address: URL): boolean =>
  (address.protocol === 'http:' || address.protocol === 'https:') && mayBePublic(address)

/** True for a `PrivateAddressError`, also among an error's causes. */
export const isPrivateAddressError = (thrown: unknown): boolean =>
  thrown instanceof PrivateAddressError ||
  (thrown instanceof AggregateError && thrown.errors.some(isPrivateAddressError)) ||
  (thrown instanceof Error && thrown.cause !== undefined && isPrivateAddressError(thrown.cause))
