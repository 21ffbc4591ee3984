import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Local translation (RFC 8215): only that network knows where the IPv4 address is, so a public one may be another. */
const LOCAL_TRANSLATION = ipaddr.parseCIDR('64:ff9b:1::/48')

/** Ranges of IPv6 that carry an IPv4 address, with its offset in bytes. */
const CARRIED: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6052: 12, rfc6145: 12, '6to4': 2 }

/** True for the public Internet; an IPv4 address in an IPv6 one counts as itself. @param text perhaps in brackets */
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
  // Only one eighth of the rest of IPv6 is assigned (RFC 4291, 2.4); old ways to carry IPv4 lie in the others.
  return address.kind() === 'ipv4' || ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** A name led to a computer that the person's own network hides from the Internet. */
export class PrivateAddress extends Error {
  constructor() {
    super('The address is not one of the public Internet.')
    this.name = 'PrivateAddress'
  }
}

/** Looks up while connecting: nothing changes in between. Fails if any address is private, as a proxy may take it. */
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
 * Checks a URL by itself: no login, a web port or one without a system service, a public number or name. `URL` has
 * unified the spellings of numbers; `publicLookup` judges where a name leads, if it can be looked up here.
 */
const mayBePublic = ({ hostname, port, username, password }: URL): boolean => {
  if (username !== '' || password !== '') return false
  if (port !== '' && Number(port) < 1024 && port !== '80' && port !== '443') return false
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))) return isPublicAddress(hostname)
  // Without a dot it is a name of the own network, or the address of a country's registry.
  return hostname.replace(/\.$/, '').includes('.') && !OWN_NETWORK.test(hostname)
}

/** True for public https: the only place that mail may have Linnet send something to. */
export const isPublicHttps = (address: URL): boolean => address.protocol === 'https:' && mayBePublic(address)

/**
 * The one rule for an address that a platform gave: its own origin as everything else, others over public https alone,
 * so that no platform reaches into the person's own network. Null: not to be fetched.
 */
export const howToFetch = (address: URL, own: URL): 'own' | 'public' | null => {
  if (address.username !== '' || address.password !== '') return null
  if (address.origin === own.origin) return 'own'
  return isPublicHttps(address) ? 'public' : null
}

/** True if an e-mail's picture may be fetched: public http or https. */
export const isFetchablePicture = (address: URL): boolean =>
  (address.protocol === 'http:' || address.protocol === 'https:') && mayBePublic(address)

/** True for `PrivateAddress`, also as a cause. */
export const isPrivateAddress = (thrown: unknown): boolean =>
  thrown instanceof PrivateAddress ||
  (thrown instanceof AggregateError && thrown.errors.some(isPrivateAddress)) ||
  (thrown instanceof Error && thrown.cause !== undefined && isPrivateAddress(thrown.cause))
