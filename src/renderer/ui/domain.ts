import punycode from 'punycode.js'
import { parse } from 'tldts'

/** Suffixes below which everybody may have a name of their own (`github.io`) part owners as `co.uk` does. */
const RULES = { allowPrivateDomains: true, detectSpecialUse: true, extractHostname: false, validateHostname: false }

/** The domain of an e-mail address, in lower case. */
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
 * Whether two hosts belong to one owner: they are the same, or below one domain that can be registered (public suffix
 * list). `www.quill.example` and `click.quill.example` do, `ann.github.io` and `bob.github.io` do not.
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

/**
 * Whether a name with dots ends as hosts do: in a domain of the public suffix list, or in one that is kept for examples
 * and the like (RFC 6761). A suffix by itself is nobody's.
 */
export const isHostName = (name: string): boolean => {
  const { isIcann, isPrivate, isSpecialUse, domain } = parse(asciiHost(name), RULES)
  if (isPrivate === true) return true
  return domain !== null && (isIcann === true || isSpecialUse === true)
}
