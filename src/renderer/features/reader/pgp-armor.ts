/** Characters searched. Encrypted text starts at the top, perhaps after a line or two. */
const MAX_SEARCHED = 20_000

/** True for an unquoted PGP-encrypted message (RFC 9580, 6.2). @param html searched only if there is no text */
export const hasPgpArmor = (text: string | null, html: string): boolean =>
  (text ?? '').trim() === ''
    ? /(?:^|>)\s*-----BEGIN PGP MESSAGE-----/.test(html.slice(0, MAX_SEARCHED))
    : /^[ \t]*-----BEGIN PGP MESSAGE-----[ \t]*\r?$/m.test((text ?? '').slice(0, MAX_SEARCHED))
