/**
 * More marks on one letter than any language has. Putting them in order costs the square of their number, so the rest of
 * such a run is left out (the thirty are those of Unicode's Stream-Safe Text Format, UAX #15, 13).
 */
const longRun = /(\p{M}{30})\p{M}+/gu

/**
 * Words are compared without case and without the accents of Latin, Greek and Cyrillic letters, and in one form where
 * Unicode has several (full-width letters, ligatures, decomposed letters). The contract says "every word must match"
 * and leaves the comparison open; people type `resume` for `Résumé`.
 */
function fold(text: string): string {
  return text
    .replace(longRun, '$1')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|\u00ad|\u200d|\ufe0e|\ufe0f/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}

/**
 * A word is a run of letters, marks and digits. In scripts that write without spaces (or, as Korean, join particles to
 * words) each character stands alone, and so does each pictograph: a query's word of three Han characters then is a
 * phrase of three words, which finds it inside a sentence.
 */
const word =
  /[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]]|\p{Extended_Pictographic}|[[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]]+/gv

/** The folded words of a text in their order. */
export function wordsOf(text: string): readonly string[] {
  return fold(text).match(word) ?? []
}

/**
 * The words of several fields as one text to look in: single spaces around every word, a line for each field, so that
 * ` red car ` is found exactly where these words follow each other within one field.
 */
export function indexText(fields: readonly string[]): string {
  return fields.map((field) => ` ${wordsOf(field).join(' ')} `).join('\n')
}

/** Whether the words follow each other in one of the fields of an {@link indexText}. */
export function hasWords(index: string, words: readonly string[]): boolean {
  return index.includes(` ${words.join(' ')} `)
}

/** How often they do. */
export function countWords(index: string, words: readonly string[]): number {
  // Two occurrences may share the space between them, so the search goes on at that space.
  const needle = ` ${words.join(' ')} `
  let count = 0
  for (let at = index.indexOf(needle); at >= 0; at = index.indexOf(needle, at + needle.length - 1)) count++
  return count
}
