/**
 * Sorting combining marks takes quadratic time, so marks beyond thirty in a row are dropped (Stream-Safe Text Format,
 * UAX #15, 13).
 */
const longRun = /(\p{M}{30})\p{M}+/gu

/**
 * Folds case, accents of Latin, Greek and Cyrillic letters, and compatibility forms (full-width, ligatures,
 * decomposed). The contract doesn't say so (platform.md 11.5), but people type `resume` for `Résumé`.
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
 * A word is a run of letters, marks and digits. In scripts without spaces, and in Korean, which joins particles to
 * words, each character is a word, as is each pictograph or flag. So three Han characters in a query act as a phrase, and are
 * found inside a sentence.
 */
const word =
  /[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]]|\p{Extended_Pictographic}|\p{RI}{2}|[[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]]+/gv

export function tokenizeWords(text: string): readonly string[] {
  return fold(text).match(word) ?? []
}

/** One line per field, with a space around every word, so ` red car ` matches only consecutive words of one field. */
export function buildIndexText(fields: readonly string[]): string {
  return fields.map((field) => ` ${tokenizeWords(field).join(' ')} `).join('\n')
}

/** True if the words are consecutive in a field of an {@link buildIndexText}. */
export function containsPhrase(index: string, words: readonly string[]): boolean {
  return index.includes(` ${words.join(' ')} `)
}

export function countPhraseMatches(index: string, words: readonly string[]): number {
  // Adjacent occurrences share a space, so continue at that space.
  const needle = ` ${words.join(' ')} `
  let count = 0
  for (let at = index.indexOf(needle); at >= 0; at = index.indexOf(needle, at + needle.length - 1)) count++
  return count
}
