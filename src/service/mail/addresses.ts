import { domainToASCII, domainToUnicode } from 'node:url'
import addressParser from 'nodemailer/lib/addressparser'

/** One person or mailbox of a message. `name` is empty when there is none. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** RFC 5322, 3.2.3: what a display name cannot hold without quotes. */
const specials = /[()<>[\]:;@\\,."]/

/** Writes a mailbox as the interface shows it: `a@example.com`, `Ann Lee <a@example.com>`, `"Lee, Ann" <a@example.com>`. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return address
  const shown = specials.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
  return `${shown} <${address}>`
}

/** Reads a list such as `Ann <a@example.com>, b@example.com`; groups are flattened, empty entries dropped. */
export function parseMailboxes(list: string): readonly Mailbox[] {
  return addressParser(list, { flatten: true }).map(({ name, address }) => ({ name: name.trim(), address }))
}

/**
 * An address header without the comments that stand inside of addresses (RFC 5322, 3.2.2 and 3.4.1, such as
 * `pete(his account)@silly.example`), which parsers of mail take for a part of the address. Comments beside an address
 * stay, as one level of brackets: they may be all the name that there is.
 */
export function withoutComments(header: string): string {
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
      // Where one bracket is never closed, none of those after it is.
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

/** What ends an address, a comment and the address of a computer. */
const closings: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['(', ')'],
  ['[', ']'],
])

/**
 * An address header with the members of its groups (RFC 5322, 3.4) in their place: `Crew: a@x.example;` is `a@x.example`.
 * Parsers of mail take a `;` within a quoted name for the end of a group.
 */
export function withoutGroups(header: string): string {
  const parts: string[] = []
  /** Where what is not copied yet begins: the name of a group, or its members. */
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

/** Where the comment that begins here ends, those inside of it included; `null` when it is not closed. */
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

/**
 * An address of a request's body: `email@example.com` or `Name <email@example.com>` (platform facts 6.1).
 * @returns `null` when it is neither
 */
export function parseMailbox(value: string): Mailbox | null {
  // A parser of mail headers is more generous, and reads a name in front of a bare address.
  if (!value.includes('<') && !isAddress(value.trim())) return null
  const [mailbox, ...others] = parseMailboxes(value)
  if (!mailbox || others.length > 0 || !isAddress(mailbox.address)) return null
  return mailbox
}

/** Whether it has the form `local@domain`: what SMTP could carry, nothing about whether it exists. */
export function isAddress(address: string): boolean {
  // The lengths are those of RFC 5321, 4.5.3.1.
  return address.length <= 254 && /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,253}$/u.test(address)
}

/**
 * The address as it is compared: without case (platform practice), without a sub-address (`a+tag@` is `a@`), its domain
 * as in {@link domainOf}.
 */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).split('+', 1)[0] ?? ''
  return `${local.toLowerCase()}@${domainOf(address)}`
}

/**
 * The part after the last `@`, in lower case and, as the DNS has it, in ASCII: an SMTP client may write `bücher.example`
 * where another writes `xn--bcher-kva.example` (RFC 5891, 3.2), and both are one domain.
 */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  // No name in the DNS is longer, and the time of the conversion grows with the square of the length.
  if (domain.length > 253) return domain
  // What is ASCII already stays as it is: the conversion would read `1.2` as an IP address.
  return (/^[ -~]*$/.test(domain) ? '' : domainToASCII(domain)) || domain
}

/** The same address with its domain as people write it. */
export function withReadableDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  if (address.length - at > 253) return address
  return `${address.slice(0, at)}${domainToUnicode(address.slice(at)) || address.slice(at)}`
}
