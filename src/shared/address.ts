import { visibleText } from './visible-text.ts'

/** What a header such as `Ada Lovelace <ada@example.com>` says, fit for the screen. */
export interface Address {
  /** Null where the address stands alone, and where the name is another address: that is a lie or of no use. */
  readonly name: string | null
  /** Whole. Where the header could not be understood, the header itself. */
  readonly address: string
  /** Whether the header has a shape that could pass for another sender; it is then shown whole. */
  readonly isUnclear: boolean
}

/** Longer than any address that mail servers take (RFC 5321, 4.5.3.1): nobody's, but it has to be shown somehow. */
const LONGEST = 400

/** Characters. A name that is longer says nothing, and is not worth taking apart. */
const LONGEST_HEADER = 8000

/** What mail servers use: no blanks, quotes, brackets, or a second @ or its double, which only serve to look like another address. */
const PLAIN = /^[^\s"'<>()[\]\\,;:@\uff20\ufe6b]+@[^\s"'<>()[\]\\,;:@\uff20\ufe6b]+$/

/** An @ and what looks like one. */
const AT = /[@\uff20\ufe6b]/

/** A domain is what tells who it is, so a long text loses its middle, not its end. */
const withoutMiddle = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}` : text

const whole = (text: string): Address => {
  const address = visibleText(withoutMiddle(text))
  return { name: null, address, isUnclear: AT.test(text) }
}

/** @returns the words of a name without its quotes; null where a quote or a bracket is left over */
const unquote = (text: string): string | null => {
  if (!text.startsWith('"')) return /[<>]/.test(text) ? null : text
  const words: string[] = []
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    // The quote has to end where the name does.
    if (letter === '"') return at === text.length - 1 ? words.join('') : null
    if (letter === '\\') at += 1
    words.push(text[at] ?? '')
  }
  return null
}

/**
 * Takes `Ada Lovelace <ada@example.com>` apart, for the screen. Only the two shapes that mail programs write are taken
 * apart, an address alone and a name before an address in angle brackets. Anything else is shown as it came: parsers
 * of address lists mend what is broken, and so show `"<security@bank.example>"@evil.example` as the bank's.
 */
export const parseAddress = (text: string): Address => {
  const trimmed = text.trim()
  if (PLAIN.test(trimmed)) return { name: null, address: visibleText(withoutMiddle(trimmed)), isUnclear: false }
  if (trimmed.length > LONGEST_HEADER) return whole(trimmed)
  const open = trimmed.lastIndexOf('<')
  const address = trimmed.slice(open + 1, -1).trim()
  if (open === -1 || !trimmed.endsWith('>') || !PLAIN.test(address)) return whole(trimmed)
  const words = unquote(trimmed.slice(0, open).trim())
  if (words === null) return whole(trimmed)
  const name = visibleText(words)
  return {
    name: name === '' || AT.test(words) ? null : name,
    address: visibleText(withoutMiddle(address)),
    isUnclear: false,
  }
}

/** The name where there is one, else the address. A thread without any e-mail has neither. */
export const displayName = (text: string | null): string => {
  if (text === null || text.trim() === '') return 'Unknown sender'
  const { name, address, isUnclear } = parseAddress(text)
  return isUnclear ? `Unclear address: ${address}` : (name ?? address)
}

/** One or two letters that stand for a person, in any script. */
export const initials = (text: string | null): string => {
  const words = displayName(text)
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .flatMap((word) => /\p{L}|\p{N}/u.exec(word)?.[0] ?? [])
  const [first, ...rest] = words
  const last = rest.at(-1)
  return `${first ?? '?'}${last ?? ''}`.toLocaleUpperCase('en')
}

/** A piece of a sentence about people: somebody's name or address, or what stands between them. */
export interface NamedPiece {
  readonly text: string
  readonly isName: boolean
}

/** `Ada, Grace and 3 more` in its pieces. */
export const summaryPieces = (addresses: readonly string[], shown = 3): readonly NamedPiece[] => [
  ...addresses
    .slice(0, shown)
    .flatMap((address, index) => [
      ...(index === 0 ? [] : [{ text: ', ', isName: false }]),
      { text: displayName(address), isName: true },
    ]),
  ...(addresses.length <= shown ? [] : [{ text: ` and ${addresses.length - shown} more`, isName: false }]),
]

export const joinPieces = (pieces: readonly NamedPiece[]): string => pieces.map(({ text }) => text).join('')
