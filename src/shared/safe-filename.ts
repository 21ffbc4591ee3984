/** UTF-16 units. */
const LONGEST = 120
/** Bytes in UTF-8: a file system takes 255, of which some are for a number or an ending that is put behind it. */
const MOST_BYTES = 200
/** The longest ending of a name that is kept whole where the name is cut. */
const LONGEST_ENDING = 16
/** Characters of a name that are looked at: enough, whatever of them is left out. */
const READ_AT_MOST = 4_000

/** What Windows takes for a device, whatever its ending. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?=\.|$)/i

const bytesOfSign = (sign: string): number => {
  const point = sign.codePointAt(0) ?? 0
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}
const bytesOf = (text: string): number => Array.from(text, bytesOfSign).reduce((sum, bytes) => sum + bytes, 0)

/** As many signs of a name as fit, none of them cut. */
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
 * A stranger's words as the name of a file: without anything that a file system or a shell, of whatever desktop, could
 * take for something else, and with the ending that it had.
 * @returns at most 120 characters and 200 bytes of UTF-8; empty where nothing is left
 */
export const safeFilename = (words: string): string => {
  const name = (words.length > READ_AT_MOST ? words.slice(0, READ_AT_MOST / 2) + words.slice(-READ_AT_MOST / 2) : words)
    // Half of a sign outside the basic plane cannot be written in any address or header.
    .toWellFormed()
    .normalize('NFC')
    // Control characters, separators, reserved signs and marks that turn the direction of writing.
    .replace(/[\p{Cc}\p{Cf}\ufffd/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .replace(RESERVED, '$1_')
  if (name.length <= LONGEST && bytesOf(name) <= MOST_BYTES) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : ''
  return cut(name, LONGEST - ending.length, MOST_BYTES - bytesOf(ending)).replace(/[. ]+$/, '') + ending
}
