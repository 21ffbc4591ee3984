import { domainToASCII, domainToUnicode } from 'node:url'

const parts = (address: string): { readonly local: string; readonly domain: string } => {
  const lower = address.trim().normalize('NFC').toLowerCase()
  const at = lower.lastIndexOf('@')
  return at === -1 ? { local: lower, domain: '' } : { local: lower.slice(0, at), domain: lower.slice(at + 1) }
}

const join = (local: string, domain: string): string => (domain === '' ? local : `${local}@${domain}`)

/**
 * An address as all ways to write it have it in common: without capitals, the domain in the form that the network knows
 * (IDNA). A domain that is none stays as it is.
 * @example canonicalAddress('Ann@BÜCHER.example') // ann@xn--bcher-kva.example
 */
export const canonicalAddress = (address: string): string => {
  const { local, domain } = parts(address)
  return join(local, domainToASCII(domain) || domain)
}

/** `ann+news@` is Ann's address (RFC 5233, sub-addresses): whoever has one has the other. */
export const untagged = (address: string): string => address.replace(/\+[^@]*(?=@[^@]*$)/, '')

/** All ways in which mail writes an address, in lower case: the domain as the network knows it, and as people read it. */
export const formsOfAddress = (address: string): readonly string[] => {
  const { local, domain } = parts(address)
  const forms = [domain, domainToASCII(domain), domainToUnicode(domain)].filter((form) => form !== '')
  return forms.length === 0 ? [local] : [...new Set(forms)].map((form) => join(local, form))
}
