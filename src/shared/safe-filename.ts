const LONGEST = 120
/** The longest ending of a name that is kept whole where the name is cut. */
const LONGEST_ENDING = 16
/** Characters of a name that are looked at: enough, whatever of them is left out. */
const READ_AT_MOST = 4_000

/** What Windows takes for a device, whatever its ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/i

const cut = (name: string, length: number): string =>
  // A cut in the middle of a sign outside the basic plane leaves half of it behind.
  name.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/**
 * A stranger's words as the name of a file: without anything that a file system or a shell, of whatever desktop, could
 * take for something else, and with the ending that it had.
 * @returns at most 120 characters; empty where nothing is left, or what is left is reserved
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
  if (RESERVED.test(name)) return ''
  if (name.length <= LONGEST) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : ''
  return cut(name, LONGEST - ending.length).replace(/[. ]+$/, '') + ending
}
