const LONGEST = 120
/** Characters of a subject that are looked at: enough for a name, whatever of them is left out. */
const READ_AT_MOST = 4000

/**
 * The name under which the original file of an e-mail is offered: its subject, without anything that a file system or
 * a shell could take for something else.
 */
export const rawFilename = (subject: string | null): string => {
  const name = (subject ?? '')
    .slice(0, READ_AT_MOST)
    // Half of a sign outside the basic plane cannot be written in any address or header.
    .toWellFormed()
    .normalize('NFC')
    // Control characters, separators, reserved signs and marks that turn the direction of writing.
    .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  // A cut in the middle of a sign outside the basic plane leaves half of it behind.
  const cut = name.slice(0, LONGEST).replace(/[\ud800-\udbff. ]+$/, '')
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(cut)
  return `${cut === '' || isReserved ? 'e-mail' : cut}.eml`
}
