/** Maximum characters of a name. Names that matter are shorter, even with every letter escaped. */
const LONGEST_NAME = 500

/** A name with its escapes decoded: `\75 rl` becomes `url`. Empty if the name is too long to matter. */
export const decodeCssName = (source: string): string => {
  if (source.length > LONGEST_NAME) return ''
  const decoded = source.includes('\\')
    ? source.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code?: string, letter?: string) => {
        const point = Number.parseInt(code ?? '', 16)
        return letter ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
      })
    : source
  return decoded.toLowerCase()
}
