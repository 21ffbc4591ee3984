import type { Recipient } from './writing.ts'
import { DRAFT_BOUNDS } from './writing-limits.ts'

/** Longer lists are nobody's, and are not taken apart. */
const LONGEST_LIST = DRAFT_BOUNDS.address

/**
 * What SMTP carries (RFC 5321, 4.1.2 and 4.5.3.1): nothing about whether it exists. A local part in quotes may hold blanks
 * and dots in a row, as old mobile carriers have them; signs that could make it look like another address are not read.
 */
const ADDRESS =
  /^(?:[^\s@<>(),;:"\\[\]]{1,64}|(?=.{3,64}@)"(?:[^"\\@<>\p{Cc}]|\\[^@<>\p{Cc}])+")@[^\s@<>(),;:"\\[\]]{1,253}$/u
/** RFC 5322, 3.2.3: what a name cannot hold without quotes. */
const SPECIALS = /[()<>[\]:;@\\,."]/
/** What would end a header, or could hide in a name. */
// eslint-disable-next-line no-control-regex -- these are the characters that no name may have
const CONTROLS = /[\u0000-\u001f\u007f]+/g

const AROUND = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+|[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+$/gu

/** What programs put around an address that is copied, nobody sees, and servers take for a part of it. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** An address as it is written by hand: without marks of direction, joiners and blanks that have no width. */
export const cleanAddress = (text: string): string => text.replace(new RegExp(UNSEEN, 'gu'), '').trim()

/** Whether a text has the form of an address, `local@domain`: nothing about whether it exists. */
export const isAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text) && !UNSEEN.test(text)

/** An address as it is compared: two that differ in capitals alone are one. */
export const addressKey = (address: string): string => address.trim().toLowerCase()

/**
 * An address as a mailbox is told by it, in the way of the platform: capitals say nothing, nor does what follows a plus sign
 * (RFC 5233), as mail to `support+orders@` comes in to `support@`.
 */
export const mailboxKey = (address: string): string => addressKey(address).replace(/^([^+"]+)\+[^@]*(?=@)/, '$1')

/**
 * The pieces of a list between its commas and semicolons, those within quotes and angle brackets left alone. A comma of a
 * name without quotes, as Outlook writes it (`Doe, John <john@example.com>`), belongs to the name.
 */
const piecesOf = (list: string): readonly string[] => {
  const pieces: string[] = []
  /** Parts of a name that may go on behind a comma: `Doe`, `John`, `MD`. */
  let parts: string[] = []
  const add = (piece: string, isAtComma: boolean): void => {
    const trimmed = piece.trim()
    const whole = [...parts, trimmed]
    const isPart = isAtComma && /^[^@<>"]+$/.test(trimmed)
    if (parts.length > 0 && trimmed.includes('<')) pieces.push(`"${whole.join(', ').replace(/\s*</, '" <')}`)
    else if (!isPart) pieces.push(...whole.filter((each) => each !== ''))
    parts = isPart ? whole : []
  }
  let begun = 0
  let isQuoted = false
  let isInAngle = false
  for (let at = 0; at < list.length; at += 1) {
    const letter = list[at] ?? ''
    if (isQuoted && letter === '\\') at += 1
    else if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === '<') isInAngle = true
    else if (letter === '>') isInAngle = false
    else if (!isInAngle && (letter === ',' || letter === ';' || letter === '\n')) {
      add(list.slice(begun, at), letter === ',')
      begun = at + 1
    }
  }
  add(list.slice(begun), false)
  return pieces
}

/** @returns the words of a name without its quotes; null where a quote is left over */
const unquoted = (text: string): string | null => {
  if (!text.startsWith('"')) return /["<>]/.test(text) ? null : text
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(text)
  return quoted === null ? null : (quoted[1] ?? '').replace(/\\(.)/g, '$1')
}

/**
 * Reads one person: `a@example.com` or `Ann Lee <a@example.com>`.
 * @returns null for any other shape: an answer goes to nobody who was guessed
 */
export const parseRecipient = (text: string): Recipient | null => {
  const trimmed = text.replace(AROUND, '')
  const alone = cleanAddress(trimmed)
  if (isAddress(alone)) return { name: null, address: alone }
  const open = trimmed.lastIndexOf('<')
  const address = cleanAddress(trimmed.slice(open + 1, -1))
  if (open === -1 || !trimmed.endsWith('>') || !isAddress(address)) return null
  const words = unquoted(trimmed.slice(0, open).trim())
  if (words === null) return null
  const name = words.replace(CONTROLS, ' ').trim().slice(0, 320)
  return { name: name === '' ? null : name, address }
}

/**
 * Reads a list of people, with commas, semicolons or line breaks between them.
 * @returns those who could be read, and the pieces of the list that could not
 */
export const parseRecipients = (
  list: string,
): { readonly recipients: readonly Recipient[]; readonly unclear: readonly string[] } => {
  if (list.length > LONGEST_LIST) return { recipients: [], unclear: [list] }
  const recipients: Recipient[] = []
  const unclear: string[] = []
  for (const piece of piecesOf(list)) {
    const recipient = parseRecipient(piece)
    if (recipient === null) unclear.push(piece)
    else recipients.push(recipient)
  }
  return { recipients, unclear }
}

/** Writes a person as the platform takes it (platform facts 6.1): `a@example.com`, `"Lee, Ann" <a@example.com>`. */
export const formatRecipient = ({ name, address }: Recipient): string => {
  const clean = (name ?? '').replace(CONTROLS, ' ').trim()
  if (clean === '') return address
  return `${SPECIALS.test(clean) ? `"${clean.replace(/["\\]/g, '\\$&')}"` : clean} <${address}>`
}

/** Each address once, as it first stands. @param but addresses that are left out */
export const withoutRepeats = (recipients: readonly Recipient[], but: readonly string[] = []): readonly Recipient[] => {
  const seen = new Set(but.map(addressKey))
  return recipients.filter(({ address }) => {
    const key = addressKey(address)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Whether two lists have the same addresses, in whatever order. */
export const areSame = (some: readonly Recipient[], others: readonly Recipient[]): boolean => {
  const keysOf = (people: readonly Recipient[]) => new Set(people.map(({ address }) => addressKey(address)))
  const [one, other] = [keysOf(some), keysOf(others)]
  return one.size === other.size && [...one].every((key) => other.has(key))
}
