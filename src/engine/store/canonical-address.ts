import { domainToASCII, domainToUnicode } from 'node:url'

const parts = (address: string): { readonly local: string; readonly domain: string } => {
  const lower = address.trim().normalize('NFC').toLowerCase()
  const at = lower.lastIndexOf('@')
  return at === -1 ? { local: lower, domain: '' } : { local: lower.slice(0, at), domain: lower.slice(at + 1) }
}

const join = (local: string, domain: string): string => (domain === '' ? local : `${local}@${domain}`)

/**
 * Lower-case address with its domain in ASCII (IDNA). Invalid domains stay unchanged.
 * @example canonicalizeAddress('Ann@BÜCHER.example') // ann@xn--bcher-kva.example
 */
export const canonicalizeAddress = (address: string): string => {
  const { local, domain } = parts(address)
  return join(local, domainToASCII(domain) || domain)
}

/** Removes the tag from an address (RFC 5233, sub-addresses): `ann+news@` and `ann@` belong to the same person. */
export const stripAddressTag = (address: string): string => address.replace(/\+[^@]*(?=@[^@]*$)/, '')

/** All lower-case spellings in which an address may occur in mail, with its domain in ASCII and Unicode. */
export const listAddressForms = (address: string): readonly string[] => {
  const { local, domain } = parts(address)
  const forms = [domain, domainToASCII(domain), domainToUnicode(domain)].filter((form) => form !== '')
  return forms.length === 0 ? [local] : [...new Set(forms)].map((form) => join(local, form))
}
