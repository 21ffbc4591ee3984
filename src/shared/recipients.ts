import type { Recipient } from './drafts.ts'
import { DRAFT_BOUNDS } from './message-limits.ts'

/** Characters. Longer lists are not parsed. */
const LONGEST_LIST = DRAFT_BOUNDS.address

/**
 * An address that SMTP can carry (RFC 5321, 4.1.2 and 4.5.3.1); it need not exist. Quoted local parts may contain
 * spaces and consecutive dots, which old mobile carriers use, but no characters that could imitate another address.
 */
const ADDRESS =
  /^(?:[^\s@<>(),;:"\\[\]]{1,64}|(?=.{3,64}@)"(?:[^"\\@<>\p{Cc}]|\\[^@<>\p{Cc}])+")@[^\s@<>(),;:"\\[\]]{1,253}$/u
/** Characters that need quotes in a name (RFC 5322, 3.2.3). */
const SPECIALS = /[()<>[\]:;@\\,."]/
/** Characters that would end a header, or that could hide in a name. */
// eslint-disable-next-line no-control-regex -- matches characters not allowed in names
const CONTROLS = /[\u0000-\u001f\u007f]+/g

const OUTER_BLANKS = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+|[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+$/gu

/** Invisible characters that programs add to copied addresses. Servers would take them literally. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Strips direction marks, joiners and zero-width spaces. */
export const cleanAddress = (text: string): string => text.replace(new RegExp(UNSEEN, 'gu'), '').trim()

/** True for text of the form `local@domain`; the address need not exist. */
export const isAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text) && !UNSEEN.test(text)

/** Key for comparing addresses, ignoring case. */
export const addressKey = (address: string): string => address.trim().toLowerCase()

/**
 * Key for comparing addresses as the platform does. Ignores case and any part after a plus sign (RFC 5233): mail to
 * `support+orders@` arrives at `support@`.
 */
export const mailboxKey = (address: string): string => addressKey(address).replace(/^([^+"]+)\+[^@]*(?=@)/, '$1')

/**
 * Splits a list at commas and semicolons outside quotes and angle brackets. Keeps unquoted commas within a name, which
 * Outlook writes: `Doe, John <john@example.com>`.
 */
const splitList = (list: string): readonly string[] => {
  const pieces: string[] = []
  /** Parts of a name that may continue after the next comma: `Doe`, `John`, `MD`. */
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

/** @returns the name without quotes, or null if it contains an unmatched quote or an angle bracket */
const unquote = (text: string): string | null => {
  if (!text.startsWith('"')) return /["<>]/.test(text) ? null : text
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(text)
  return quoted === null ? null : (quoted[1] ?? '').replace(/\\(.)/g, '$1')
}

/**
 * Parses `a@example.com` or `Ann Lee <a@example.com>`. Returns null for anything else, because recipients are never
 * guessed.
 */
export const parseRecipient = (text: string): Recipient | null => {
  const trimmed = text.replace(OUTER_BLANKS, '')
  const alone = cleanAddress(trimmed)
  if (isAddress(alone)) return { name: null, address: alone }
  const open = trimmed.lastIndexOf('<')
  const address = cleanAddress(trimmed.slice(open + 1, -1))
  if (open === -1 || !trimmed.endsWith('>') || !isAddress(address)) return null
  const words = unquote(trimmed.slice(0, open).trim())
  if (words === null) return null
  const name = words.replace(CONTROLS, ' ').trim().slice(0, 320)
  return { name: name === '' ? null : name, address }
}

/** Parses a list separated by commas, semicolons or line breaks. `unclear` contains the pieces that can't be parsed. */
export const parseRecipients = (
  list: string,
): { readonly recipients: readonly Recipient[]; readonly unclear: readonly string[] } => {
  if (list.length > LONGEST_LIST) return { recipients: [], unclear: [list] }
  const recipients: Recipient[] = []
  const unclear: string[] = []
  for (const piece of splitList(list)) {
    const recipient = parseRecipient(piece)
    if (recipient === null) unclear.push(piece)
    else recipients.push(recipient)
  }
  return { recipients, unclear }
}

/** Formats a recipient as the platform does (platform.md 20.1): `a@example.com`, `"Lee, Ann" <a@example.com>`. */
export const formatRecipient = ({ name, address }: Recipient): string => {
  const clean = (name ?? '').replace(CONTROLS, ' ').trim()
  if (clean === '') return address
  return `${SPECIALS.test(clean) ? `"${clean.replace(/["\\]/g, '\\$&')}"` : clean} <${address}>`
}

/** Keeps the first of several equal addresses. @param but addresses to leave out */
export const dedupeRecipients = (
  recipients: readonly Recipient[],
  but: readonly string[] = [],
): readonly Recipient[] => {
  const seen = new Set(but.map(addressKey))
  return recipients.filter(({ address }) => {
    const key = addressKey(address)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Compares addresses, ignoring their order and names. */
export const haveSameRecipients = (some: readonly Recipient[], others: readonly Recipient[]): boolean => {
  const keysOf = (people: readonly Recipient[]) => new Set(people.map(({ address }) => addressKey(address)))
  const [one, other] = [keysOf(some), keysOf(others)]
  return one.size === other.size && [...one].every((key) => other.has(key))
}
