/** Maximum length of a filename in UTF-16 units. */
const MAX_LENGTH = 120
/**
 * Maximum length in UTF-8 bytes. File systems allow 255; the difference leaves room for a number or extension added
 * later.
 */
const MAX_BYTES = 200
/** Longest extension that is kept when a name is shortened. */
const MAX_EXTENSION_LENGTH = 16
/** Number of characters to examine, which is enough no matter how many are dropped. */
const MAX_EXAMINED = 4_000

/** Device names in Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?=\.|$)/i

const bytesOfCharacter = (sign: string): number => {
  const point = sign.codePointAt(0) ?? 0
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}
const bytesOf = (text: string): number => Array.from(text, bytesOfCharacter).reduce((sum, bytes) => sum + bytes, 0)

/** The longest start of a name that fits, without splitting a character. */
const truncate = (name: string, length: number, bytes: number): string => {
  let [end, used] = [0, 0]
  for (const sign of name) {
    used += bytesOfCharacter(sign)
    if (end + sign.length > length || used > bytes) break
    end += sign.length
  }
  return name.slice(0, end)
}

/**
 * Turns untrusted text into a filename with its extension that no desktop's file system or shell misreads.
 * @returns at most 120 characters and 200 bytes of UTF-8; empty if nothing is left
 */
export const toSafeFilename = (words: string): string => {
  const name = (words.length > MAX_EXAMINED ? words.slice(0, MAX_EXAMINED / 2) + words.slice(-MAX_EXAMINED / 2) : words)
    // Lone surrogates can't be written in an address or header.
    .toWellFormed()
    .normalize('NFC')
    // Control characters, separators, reserved characters and direction marks.
    .replace(/[\p{Cc}\p{Cf}\ufffd/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .replace(RESERVED, '$1_')
  if (name.length <= MAX_LENGTH && bytesOf(name) <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? name.slice(dot) : ''
  return truncate(name, MAX_LENGTH - ending.length, MAX_BYTES - bytesOf(ending)).replace(/[. ]+$/, '') + ending
}
