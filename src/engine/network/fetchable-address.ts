import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * For translation inside of a network (RFC 8215): where in such an address the IPv4 one stands is known there alone, so that
 * what seems to be a public one may be another.
 */
const LOCAL_TRANSLATION = ipaddr.parseCIDR('64:ff9b:1::/48')

/** Ranges in which an IPv6 address carries an IPv4 one, and where in its sixteen bytes that stands. */
const CARRIED: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6052: 12, rfc6145: 12, '6to4': 2 }

/**
 * Whether an IP address is one of the public Internet: not of this computer, a local network, a provider's inside, a
 * test or a group. An IPv4 address that an IPv6 one carries counts as itself.
 * @param text as `dns.lookup` gives it, or as a URL has it, with or without brackets
 */
export const isPublicAddress = (text: string): boolean => {
  const bare = text.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return false
  const address = ipaddr.parse(bare)
  if (address.kind() === 'ipv6' && address.match(LOCAL_TRANSLATION)) return false
  const at = CARRIED[address.range()]
  if (at !== undefined)
    return isPublicAddress(
      address
        .toByteArray()
        .slice(at, at + 4)
        .join('.'),
    )
  if (address.range() !== 'unicast') return false
  // What is left of IPv6 is not given to anybody, but for one eighth (RFC 4291, 2.4): old ways to carry an IPv4 address lie there.
  return address.kind() === 'ipv4' || ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** A name led to a computer that the person's own network hides from the Internet. */
export class PrivateAddress extends Error {
  constructor() {
    super('The address is not one of the public Internet.')
    this.name = 'PrivateAddress'
  }
}

/**
 * Looks a name up for a connection that is about to be made, so that nothing can change in between. Fails with `PrivateAddress` where
 * one of its addresses is not public: a proxy may take any of them.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error === null && addresses.every(({ address }) => isPublicAddress(address)) ? addresses : []
    const [first] = found
    if (first === undefined) callback(error ?? new PrivateAddress(), '', 0)
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  })
}

/** Names that are answered within the person's own network, if at all: asking for one already tells something there. */
const OWN_NETWORK =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)\.?$/

/**
 * Whether what an address says of itself is of the public Internet: no name or password, one of the web's ports or of those that no
 * service of the system has, a public number, or a name that is not of the person's own network. A URL has numbers in every spelling
 * as one address by then; what a name leads to is judged once it is looked up, by `publicLookup`, if it can be here.
 */
const mayBePublic = ({ hostname, port, username, password }: URL): boolean => {
  if (username !== '' || password !== '') return false
  if (port !== '' && Number(port) < 1024 && port !== '80' && port !== '443') return false
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))) return isPublicAddress(hostname)
  // Without a dot it is a name of the own network, or the address of a country's registry.
  return hostname.replace(/\.$/, '').includes('.') && !OWN_NETWORK.test(hostname)
}

/** Whether an address is one of the public Internet that is asked over https: what mail may have Linnet send something to. */
export const isPublicHttps = (address: URL): boolean => address.protocol === 'https:' && mayBePublic(address)

/**
 * The one rule about what is fetched from an address that a platform gave: from the account's own origin, as everything
 * else is; from anywhere else over https and out of the public Internet alone, so that no platform reaches into the
 * person's own network.
 * @returns how to fetch it; null where it is not to be fetched
 */
export const howToFetch = (address: URL, own: URL): 'own' | 'public' | null => {
  if (address.username !== '' || address.password !== '') return null
  if (address.origin === own.origin) return 'own'
  return isPublicHttps(address) ? 'public' : null
}

/** Whether a picture that an e-mail names may be asked for: over http or https, out of the public Internet. */
export const isFetchablePicture = (address: URL): boolean =>
  (address.protocol === 'http:' || address.protocol === 'https:') && mayBePublic(address)

/** Whether a failure is `PrivateAddress`, or one that a library has wrapped around it. */
export const isPrivateAddress = (thrown: unknown): boolean =>
  thrown instanceof PrivateAddress ||
  (thrown instanceof AggregateError && thrown.errors.some(isPrivateAddress)) ||
  (thrown instanceof Error && thrown.cause !== undefined && isPrivateAddress(thrown.cause))
