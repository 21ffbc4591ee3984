import punycode from 'punycode.js'
import { parse } from 'tldts'

/** Suffixes below which everybody may have a name of their own (`github.io`) part owners as `co.uk` does. */
const RULES = { allowPrivateDomains: true, detectSpecialUse: true, extractHostname: false, validateHostname: false }

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** A host as the network knows it: lower case, letters beyond a to z as `xn--`, no dot at its end. */
export const asciiHost = (host: string): string =>
  (URL.parse(`http://${host}/`)?.hostname ?? host.toLowerCase()).replace(/\.$/, '')

/** A host as it is read: `bücher.example` of `xn--bcher-kva.example`. What cannot be decoded stays as it is. */
export const readableHost = (host: string): string => {
  try {
    return punycode.toUnicode(host)
  } catch {
    return host
  }
}

/**
 * True if both hosts are below one registrable domain (public suffix list): `www.quill.example`, `click.quill.example`.
 * False for `ann.github.io` and `bob.github.io`.
 */
export const haveOneOwner = (one: string, other: string): boolean => {
  const [first, second] = [asciiHost(one), asciiHost(other)]
  if (first === second) return true
  const domain = parse(first, RULES).domain
  return domain !== null && domain === parse(second, RULES).domain
}

/** The domain below which all hosts are one owner's, where there is one that can be registered; else the host itself. */
export const ownerOf = (host: string): string => {
  const name = asciiHost(host)
  return parse(name, RULES).domain ?? name
}

/** True for a name below a public suffix or a reserved domain (RFC 6761), not for a suffix alone. */
export const isHostName = (name: string): boolean => {
  const { isIcann, isPrivate, isSpecialUse, domain } = parse(asciiHost(name), RULES)
  if (isPrivate === true) return true
  return domain !== null && (isIcann === true || isSpecialUse === true)
}
