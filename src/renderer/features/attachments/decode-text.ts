import { wideCharsetOf } from '../../../shared/wide-text.ts'

const namedCharset = (contentType: string | null): string | null => {
  const said = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? ''
  try {
    return new TextDecoder(said).encoding
  } catch {
    return null
  }
}

/**
 * How text was written, by its first bytes: a mark, or two bytes a sign; else UTF-8 where it can be that, else what its type
 * says. Letters of Latin alone are the same in most encodings, and signs of Japan in others: there its type decides.
 */
export const charsetOf = (head: Uint8Array, contentType: string | null): string => {
  const wide = wideCharsetOf(head)
  if (wide !== null) return wide
  const said = namedCharset(contentType)
  if (!head.some((byte) => byte > 0x7f)) return said === null || said.startsWith('utf-16') ? 'utf-8' : said
  try {
    // A sign that the end of the piece cuts is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return said === null || said === 'utf-8' ? 'windows-1252' : said
  }
}
