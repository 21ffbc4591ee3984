/** How text was written, by its first bytes: a mark, else UTF-8 where it can be that, else what its type says. */
export const charsetOf = (head: Uint8Array, contentType: string | null): string => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  try {
    // A sign that the end of the piece cuts is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    const said = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? ''
    try {
      const { encoding } = new TextDecoder(said)
      return encoding === 'utf-8' ? 'windows-1252' : encoding
    } catch {
      return 'windows-1252'
    }
  }
}
