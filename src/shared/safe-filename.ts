/** UTF-16 units. */
const LONGEST = 120
/** UTF-8. File systems allow 255; the rest is for a number or extension added later. */
const MAX_BYTES = 200
/** Longest extension that survives a cut. */
const LONGEST_ENDING = 16
/** Characters examined: enough, however many are dropped. */
const READ_AT_MOST = 4_000

/** Device names in Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?=\.|$)/i

const bytesOfSign = (sign: string): number => {
  const point = sign.codePointAt(0) ?? 0
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}
const bytesOf = (text: string): number => Array.from(text, bytesOfSign).reduce((sum, bytes) => sum + bytes, 0)

/** The start of a name that fits, without splitting a character. */
const cut = (name: string, length: number, bytes: number): string => {
  let [end, used] = [0, 0]
  for (const sign of name) {
    used += bytesOfSign(sign)
    if (end + sign.length > length || used > bytes) break
    end += sign.length
  }
  return name.slice(0, end)
}

/**
 * Turns untrusted text into a filename that no file system or shell of any desktop misreads, with its extension.
 * @returns at most 120 characters and 200 bytes of UTF-8; empty if nothing is left
 */
export const safeFilename = (words: string): string => {
  const name = (words.length > READ_AT_MOST ? words.slice(0, READ_AT_MOST / 2) + words.slice(-READ_AT_MOST / 2) : words)
    // Lone surrogates can't be written in an address or header.
    .toWellFormed()
    .normalize('NFC')
    // Control characters, separators, reserved characters and direction marks.
    .replace(/[\p{Cc}\p{Cf}\ufffd/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .replace(RESERVED, '$1_')
  if (name.length <= LONGEST && bytesOf(name) <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : ''
  return cut(name, LONGEST - ending.length, MAX_BYTES - bytesOf(ending)).replace(/[. ]+$/, '') + ending
}
