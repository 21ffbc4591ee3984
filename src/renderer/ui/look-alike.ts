/** Cyrillic, Greek, Armenian and Latin look-alikes of a to z (UTS 39, confusables), as used by phishing sites. */
const LETTERS = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'Ьвβƅ',
    c: 'сςᴄ',
    d: 'ԁɗ',
    e: 'еєҽε',
    g: 'ɡց',
    h: 'һнհ',
    i: 'іιıӏɩ',
    j: 'јϳ',
    k: 'кκĸ',
    l: 'ⅼӏ',
    m: 'мм',
    n: 'пηո',
    o: 'оοσօө',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսʋ',
    v: 'ѵν',
    w: 'ԝωѡա',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢ',
  }).flatMap(([letter, doubles]) => Array.from(doubles, (double) => [double.toLowerCase(), letter] as const)),
)
/** Capitals whose lower-case letters don't look alike: В looks like B, в doesn't look like b. */
const CAPITALS = new Map(
  Object.entries({ b: 'ВΒ', h: 'НΗ', m: 'МΜ', n: 'Ν', p: 'РΡ', t: 'ТΤ', z: 'Ζ', v: 'Ѵ', y: 'ΥҮ', x: 'ХΧ' }).flatMap(
    ([letter, doubles]) => Array.from(doubles, (double) => [double, letter] as const),
  ),
)

/** Folds look-alikes, accents and strokes to a–z, the way a reader in a hurry would. */
export const foldLookAlikes = (text: string): string =>
  Array.from(
    text.normalize('NFD').replace(/\p{M}/gu, ''),
    (letter) => CAPITALS.get(letter) ?? LETTERS.get(letter.toLowerCase()) ?? letter.toLowerCase(),
  ).join('')

/** Letter pairs that pass for another letter, and digits that pass for letters. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/5/g, 's'],
  [/-/g, ''],
]

const skeletonOf = (host: string): string =>
  PAIRS.reduce((text, [pair, letter]) => text.replace(pair, letter), foldLookAlikes(host))

/** True if one letter is added, dropped or changed, or two are swapped. */
const differByOne = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const isRest = (fromShort: number, fromLong: number): boolean => short.slice(fromShort) === long.slice(fromLong)
  if (short.length < long.length) return isRest(start, start + 1)
  const areSwapped = short[start] === long[start + 1] && short[start + 1] === long[start]
  return isRest(start + 1, start + 1) || (areSwapped && isRest(start + 2, start + 2))
}

/** Minimum length of names that may count as one letter apart. Shorter names often differ by one letter by chance. */
const MIN_LENGTH = 7

/**
 * True for `exarnple.com` and `example.com`, and for long names one letter apart, unless only digits differ.
 * @param one an owner's domain, in readable form @param minLength minimum length of names for the one-letter rule
 */
export const looksLike = (one: string, other: string, minLength = MIN_LENGTH): boolean => {
  if (one === other) return false
  const [first = '', second = ''] = [one, other].map((host) => host.slice(0, host.indexOf('.')))
  if (first === second || first.length < 4 || one.slice(first.length) !== other.slice(second.length)) return false
  if (skeletonOf(first) === skeletonOf(second)) return true
  const isLong = Math.min(first.length, second.length) >= minLength
  return isLong && differByOne(first, second) && first.replace(/\d/g, '') !== second.replace(/\d/g, '')
}
