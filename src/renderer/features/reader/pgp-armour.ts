/** Characters searched. Encrypted text starts at the top, perhaps after a line or two. */
const LOOKED_AT = 20_000

/** True for an unquoted PGP-encrypted message (RFC 9580, 6.2). @param html searched only if there is no text */
export const hasPgpArmour = (text: string | null, html: string): boolean =>
  (text ?? '').trim() === ''
    ? /(?:^|>)\s*-----BEGIN PGP MESSAGE-----/.test(html.slice(0, LOOKED_AT))
    : /^[ \t]*-----BEGIN PGP MESSAGE-----[ \t]*\r?$/m.test((text ?? '').slice(0, LOOKED_AT))
