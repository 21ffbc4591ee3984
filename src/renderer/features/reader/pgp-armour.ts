/** Characters that are looked at: what is encrypted begins at the beginning, perhaps behind a line or two. */
const LOOKED_AT = 20_000

/**
 * Whether a message is, or has in it, one that is encrypted with PGP (RFC 9580, 6.2) and not quoted from another one.
 * @param html looked at where there is no text
 */
export const hasPgpArmour = (text: string | null, html: string): boolean =>
  (text ?? '').trim() === ''
    ? /(?:^|>)\s*-----BEGIN PGP MESSAGE-----/.test(html.slice(0, LOOKED_AT))
    : /^[ \t]*-----BEGIN PGP MESSAGE-----[ \t]*\r?$/m.test((text ?? '').slice(0, LOOKED_AT))
