import { domainToASCII, domainToUnicode } from 'node:url'
import addressParser from 'nodemailer/lib/addressparser'

/** `name` may be empty. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** RFC 5322, 3.2.3: not allowed in an unquoted display name. */
const specials = /[()<>[\]:;@\\,."]/

/** Formats a mailbox as the API does: `a@example.com`, `Ann Lee <a@example.com>`, `"Lee, Ann" <a@example.com>`. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return address
  const shown = specials.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
  return `${shown} <${address}>`
}

/** Parses a list such as `Ann <a@example.com>, b@example.com`, flattening groups and dropping empty entries. */
export function parseMailboxes(list: string): readonly Mailbox[] {
  return addressParser(list, { flatten: true }).map(({ name, address }) => ({ name: name.trim(), address }))
}

/**
 * Removes comments inside addresses (RFC 5322, 3.2.2 and 3.4.1, such as `pete(his account)@silly.example`), which
 * parsers take for part of the address. Comments next to an address stay, with one level of brackets, because they may
 * be its only name.
 */
export function removeAddressComments(header: string): string {
  const parts: string[] = []
  let copied = 0
  let isQuoted = false
  let isInAngle = false
  for (let at = 0; at < header.length; at++) {
    const character = header.charAt(at)
    if (character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '<') isInAngle = true
    else if (character === '>') isInAngle = false
    else if (character === '(') {
      const end = endOfComment(header, at)
      // If this comment is unclosed, all later ones are too.
      if (end === null) break
      const isInside = isInAngle || /[@.]/.test(header.charAt(at - 1)) || /[@.]/.test(header.charAt(end))
      parts.push(header.slice(copied, at))
      if (!isInside) parts.push(`(${header.slice(at + 1, end - 1).replace(/\\([^()])|\\?[()]/g, '$1')})`)
      copied = end
      at = end - 1
    }
  }
  return copied === 0 ? header : [...parts, header.slice(copied)].join('')
}

/** Closing characters of an angle address, a comment and a domain literal. */
const closings: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['(', ')'],
  ['[', ']'],
])

/**
 * Expands groups (RFC 5322, 3.4): `Crew: a@x.example;` becomes `a@x.example`. Mail parsers mistake a `;` in a quoted
 * name for the end of a group.
 */
export function expandAddressGroups(header: string): string {
  const parts: string[] = []
  /** Start of the text not yet copied: a group's name or its members. */
  let start = 0
  let isQuoted = false
  let closing = ''
  for (let at = 0; at < header.length; at++) {
    const character = header.charAt(at)
    if (character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (closing !== '') closing = character === closing ? '' : closing
    else if (character === ':') start = at + 1
    else if (character === ',' || character === ';') {
      parts.push(header.slice(start, at), ',')
      start = at + 1
    } else closing = closings.get(character) ?? ''
  }
  return [...parts, header.slice(start)].join('')
}

/** End of the comment that starts here, including nested ones; `null` if unclosed. */
function endOfComment(header: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < header.length; at++) {
    const character = header.charAt(at)
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return null
}

/** Parses `email@example.com` or `Name <email@example.com>` (platform.md 20.1). @returns `null` for anything else */
export function parseMailbox(value: string): Mailbox | null {
  // Header parsers are more lenient and accept a name before a bare address.
  if (!value.includes('<') && !isAddress(value.trim())) return null
  const [mailbox, ...others] = parseMailboxes(value)
  if (!mailbox || others.length > 0 || !isAddress(mailbox.address)) return null
  return mailbox
}

/** True for the form `local@domain`, as SMTP can carry it. */
export function isAddress(address: string): boolean {
  // Lengths as in RFC 5321, 4.5.3.1.
  return address.length <= 254 && /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,253}$/u.test(address)
}

/**
 * Key for comparing addresses. Ignores case, as the platform does, and sub-addresses (`a+tag@` is `a@`). The domain is
 * normalised as in {@link domainOf}.
 */
export function toMailboxKey(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).split('+', 1)[0] ?? ''
  return `${local.toLowerCase()}@${domainOf(address)}`
}

/**
 * The domain in lower-case ASCII. SMTP clients may write `bücher.example` or `xn--bcher-kva.example` for the same
 * domain (RFC 5891, 3.2).
 */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  // No DNS name is longer, and the conversion takes quadratic time.
  if (domain.length > 253) return domain
  // Leaves ASCII unchanged: the conversion would read `1.2` as an IP address.
  return (/^[ -~]*$/.test(domain) ? '' : domainToASCII(domain)) || domain
}

export function withReadableDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  if (address.length - at > 253) return address
  return `${address.slice(0, at)}${domainToUnicode(address.slice(at)) || address.slice(at)}`
}
