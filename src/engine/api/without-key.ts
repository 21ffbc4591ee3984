/** Letters of a regular expression that mean themselves only behind a backslash. */
const literal = (character: string): string => character.replace(/[$()*+.?[\\\]^{|}/-]/, '\\$&')

/** A character as it is, in JSON's and percent escapes (also escaped twice), or as an entity of HTML. */
const anyWriting = (character: string): string => {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  const code = character.charCodeAt(0)
  return `(?:${literal(character)}|\\\\{1,8}u00${hex}|%(?:25){0,4}${hex}|&#0{0,6}${code};|&#x0{0,6}${hex};)`
}

/** What stays the same of a text in base64 whatever stands before and after it: for each of three places to begin. */
const inBase64 = (text: string): readonly string[] =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from(' '.repeat(before) + text)
      .toString('base64')
      .replace(/=+$/, '')
    const isOpenEnd = (before + text.length) % 3 !== 0
    return encoded.slice(before === 0 ? 0 : before + 1, isOpenEnd ? -1 : undefined)
  })

/** Fewer letters would be found in any word. */
const MIN_BASE64 = 8

const base64Pattern = (encoded: string): string =>
  Array.from(encoded, (character) => (character === '+' ? '[+-]' : character === '/' ? '[/_]' : character)).join('')

/**
 * What takes an API key out of a text of the platform: an error may repeat what was sent, in any case of letters,
 * escaped for JSON, an address or HTML, or in base64, as a header or alone.
 * @returns a function that is linear in the length of its text
 */
export const keyRemover = (apiKey: string): ((text: string) => string) => {
  const encoded = inBase64(apiKey).filter(({ length }) => length >= MIN_BASE64)
  const key = new RegExp([Array.from(apiKey, anyWriting).join(''), ...encoded.map(base64Pattern)].join('|'), 'gi')
  return (text) => text.replace(key, '…')
}
