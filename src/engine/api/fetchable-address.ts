import { lookup as lookUp } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

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
  const at = CARRIED[address.range()]
  if (at !== undefined)
    return isPublicAddress(
      address
        .toByteArray()
        .slice(at, at + 4)
        .join('.'),
    )
  return address.range() === 'unicast'
}

/** A name led to a computer that the person's own network hides from the Internet. */
export class PrivateAddress extends Error {
  constructor() {
    super('The address is not one of the public Internet.')
    this.name = 'PrivateAddress'
  }
}

/**
 * Looks a name up for a connection that is about to be made, so that nothing can change in between, and gives public
 * addresses alone. Fails with `PrivateAddress` where there is none.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error === null ? addresses.filter(({ address }) => isPublicAddress(address)) : []
    const [first] = found
    if (first === undefined) callback(error ?? new PrivateAddress(), '', 0)
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  })
}

/**
 * The one rule about what is fetched from an address that a platform gave: from the account's own origin, as everything
 * else is; from anywhere else over https and out of the public Internet alone, so that no platform reaches into the
 * person's own network. A name is judged once it is looked up, by `publicLookup`.
 * @returns how to fetch it; null where it is not to be fetched
 */
export const howToFetch = (address: URL, own: URL): 'own' | 'public' | null => {
  if (address.username !== '' || address.password !== '') return null
  if (address.origin === own.origin) return 'own'
  if (address.protocol !== 'https:') return null
  const isLiteral = ipaddr.isValid(address.hostname.replace(/^\[|\]$/g, ''))
  return !isLiteral || isPublicAddress(address.hostname) ? 'public' : null
}
