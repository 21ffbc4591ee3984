/** Characters. No name that is looked for is longer, even with each of its letters escaped. */
const LONGEST_NAME = 500

/** A name with its escapes resolved: `\75 rl` is `url`. Nothing, where it is too long to be one that is looked for. */
export const nameOf = (source: string): string => {
  if (source.length > LONGEST_NAME) return ''
  const decoded = source.includes('\\')
    ? source.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code?: string, letter?: string) => {
        const point = Number.parseInt(code ?? '', 16)
        return letter ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
      })
    : source
  return decoded.toLowerCase()
}
