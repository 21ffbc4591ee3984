/** Escapes a regular expression's special characters. */
const literal = (character: string): string => character.replace(/[$()*+.?[\\\]^{|}/-]/, '\\$&')

/** Matches a character plain, JSON- or percent-escaped (also twice), or as an HTML entity. */
const matchAnyEncoding = (character: string): string => {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  const code = character.charCodeAt(0)
  return `(?:${literal(character)}|\\\\{1,8}u00${hex}|%(?:25){0,4}${hex}|&#0{0,6}${code};|&#x0{0,6}${hex};)`
}

/** The stable part of a text's base64, for each of the three possible offsets. */
const inBase64 = (text: string): readonly string[] =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from(' '.repeat(before) + text)
      .toString('base64')
      .replace(/=+$/, '')
    const isOpenEnd = (before + text.length) % 3 !== 0
    return encoded.slice(before === 0 ? 0 : before + 1, isOpenEnd ? -1 : undefined)
  })

/** Shorter patterns would match ordinary words. */
const MIN_BASE64 = 8

const base64Pattern = (encoded: string): string =>
  Array.from(encoded, (character) => (character === '+' ? '[+-]' : character === '/' ? '[/_]' : character)).join('')

/** Removes an API key in any case, escaped for JSON, URLs or HTML, or in base64. Linear in the text's length. */
export const createKeyRedactor = (apiKey: string): ((text: string) => string) => {
  const encoded = inBase64(apiKey).filter(({ length }) => length >= MIN_BASE64)
  const key = new RegExp([Array.from(apiKey, matchAnyEncoding).join(''), ...encoded.map(base64Pattern)].join('|'), 'gi')
  return (text) => text.replace(key, '…')
}
