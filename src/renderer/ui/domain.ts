import punycode from 'punycode.js'
import { parse } from 'tldts'

/** Private suffixes (`github.io`), where anyone can register a name, separate owners just like `co.uk`. */
const RULES = { allowPrivateDomains: true, detectSpecialUse: true, extractHostname: false, validateHostname: false }

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Host as in DNS: lower case, `xn--` for letters beyond a to z, no trailing dot. */
export const toAsciiHost = (host: string): string =>
  (URL.parse(`http://${host}/`)?.hostname ?? host.toLowerCase()).replace(/\.$/, '')

/** Decodes punycode: `xn--bcher-kva.example` to `bücher.example`. Returns undecodable hosts unchanged. */
export const toReadableHost = (host: string): string => {
  try {
    return punycode.toUnicode(host)
  } catch {
    return host
  }
}

/**
 * True if both are below one registrable domain (public suffix list): `www.quill.example` and `click.quill.example`,
 * but not `ann.github.io` and `bob.github.io`.
 */
export const haveOneOwner = (one: string, other: string): boolean => {
  const [first, second] = [toAsciiHost(one), toAsciiHost(other)]
  if (first === second) return true
  const domain = parse(first, RULES).domain
  return domain !== null && domain === parse(second, RULES).domain
}

/** Registrable domain of a host, or the host itself if it has none. */
export const registrableDomainOf = (host: string): string => {
  const name = toAsciiHost(host)
  return parse(name, RULES).domain ?? name
}

/** True for a name below a public suffix or a reserved domain (RFC 6761), but not for a bare suffix. */
export const isHostName = (name: string): boolean => {
  const { isIcann, isPrivate, isSpecialUse, domain } = parse(toAsciiHost(name), RULES)
  if (isPrivate === true) return true
  return domain !== null && (isIcann === true || isSpecialUse === true)
}
