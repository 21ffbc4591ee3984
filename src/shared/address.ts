import { toVisibleText } from './visible-text.ts'

/** A parsed header such as `Ada Lovelace <ada@example.com>`, safe to display. */
export interface Address {
  /** Null for a bare address, or if the name is itself an address, which would be misleading or redundant. */
  readonly name: string | null
  /** The complete address, or the whole header if it can't be parsed. */
  readonly address: string
  /** True if the header could be mistaken for another sender's; it is then shown in full. */
  readonly isUnclear: boolean
}

/**
 * Longer than any valid address (RFC 5321, 4.5.3.1). Longer headers are shortened, because they must be displayed too.
 */
const MAX_LENGTH = 400

/** In characters. A longer header isn't worth parsing. */
const MAX_HEADER_LENGTH = 8000

/**
 * Addresses as they occur in practice: no blanks, quotes, brackets, second @ or look-alike of @, which only serve to
 * imitate an address.
 */
const PLAIN = /^[^\s"'<>()[\]\\,;:@\uff20\ufe6b]+@[^\s"'<>()[\]\\,;:@\uff20\ufe6b]+$/

const AT = /[@\uff20\ufe6b]/

/** The domain identifies the sender, so truncate the middle, not the end. */
const withoutMiddle = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH / 2)}…${text.slice(-MAX_LENGTH / 2)}` : text

const unparsedAddress = (text: string): Address => {
  const address = toVisibleText(withoutMiddle(text))
  return { name: null, address, isUnclear: AT.test(text) }
}

/** @returns the name without quotes; null for an unbalanced quote or bracket */
const unquote = (text: string): string | null => {
  if (!text.startsWith('"')) return /[<>]/.test(text) ? null : text
  const words: string[] = []
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    // The closing quote must be the last character of the name.
    if (letter === '"') return at === text.length - 1 ? words.join('') : null
    if (letter === '\\') at += 1
    words.push(text[at] ?? '')
  }
  return null
}

/**
 * Parses `Ada Lovelace <ada@example.com>` for display. Accepts only the two forms that mail programs write: a bare
 * address, or a name before an address in angle brackets. Anything else is shown unchanged: address-list parsers repair
 * broken input, and would show `"<security@bank.example>"@evil.example` as the bank's.
 */
export const parseAddress = (text: string): Address => {
  const trimmed = text.trim()
  if (PLAIN.test(trimmed)) return { name: null, address: toVisibleText(withoutMiddle(trimmed)), isUnclear: false }
  if (trimmed.length > MAX_HEADER_LENGTH) return unparsedAddress(trimmed)
  const open = trimmed.lastIndexOf('<')
  const address = trimmed.slice(open + 1, -1).trim()
  if (open === -1 || !trimmed.endsWith('>') || !PLAIN.test(address)) return unparsedAddress(trimmed)
  const words = unquote(trimmed.slice(0, open).trim())
  if (words === null) return unparsedAddress(trimmed)
  const name = toVisibleText(words)
  return {
    name: name === '' || AT.test(words) ? null : name,
    address: toVisibleText(withoutMiddle(address)),
    isUnclear: false,
  }
}

/** The sender's name, or else the address. A thread without e-mails has neither. */
export const toDisplayName = (text: string | null): string => {
  if (text === null || text.trim() === '') return 'Unknown sender'
  const { name, address, isUnclear } = parseAddress(text)
  return isUnclear ? `Unclear address: ${address}` : (name ?? address)
}

/** One or two initials, in any script. */
export const toInitials = (text: string | null): string => {
  const words = toDisplayName(text)
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .flatMap((word) => /\p{L}|\p{N}/u.exec(word)?.[0] ?? [])
  const [first, ...rest] = words
  const last = rest.at(-1)
  return `${first ?? '?'}${last ?? ''}`.toLocaleUpperCase('en')
}

/** Part of a sentence: a name or address, or the text between them. */
export interface SummarySegment {
  readonly text: string
  readonly isName: boolean
}

/** Splits a text such as `Ada, Grace and 3 more` into pieces. */
export const summarizeAddresses = (addresses: readonly string[], shown = 3): readonly SummarySegment[] => [
  ...addresses
    .slice(0, shown)
    .flatMap((address, index) => [
      ...(index === 0 ? [] : [{ text: ', ', isName: false }]),
      { text: toDisplayName(address), isName: true },
    ]),
  ...(addresses.length <= shown ? [] : [{ text: ` and ${addresses.length - shown} more`, isName: false }]),
]

export const joinSegments = (pieces: readonly SummarySegment[]): string => pieces.map(({ text }) => text).join('')
