import { detectUtf16 } from '../../../shared/detect-utf16.ts'

const namedCharset = (contentType: string | null): string | null => {
  const said = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? ''
  try {
    return new TextDecoder(said).encoding
  } catch {
    return null
  }
}

/**
 * Detects a text's encoding from its first bytes: BOM, two bytes per character, UTF-8 if valid, else the declared type.
 * For ASCII bytes the declared type decides, as some Japanese encodings use only those.
 */
export const detectCharset = (head: Uint8Array, contentType: string | null): string => {
  const wide = detectUtf16(head)
  if (wide !== null) return wide
  const said = namedCharset(contentType)
  if (!head.some((byte) => byte > 0x7f)) return said === null || said.startsWith('utf-16') ? 'utf-8' : said
  try {
    // Streaming ignores a character cut off at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return said === null || said === 'utf-8' ? 'windows-1252' : said
  }
}
