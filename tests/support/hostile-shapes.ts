/** Untrusted text that takes a reader with more than one pass unreasonably long. */
import { filled, findExcessiveGrowth } from './growth.ts'

/** The string to repeat up to the requested length, and the text around it. */
interface Shape {
  readonly of: string
  readonly before?: string
  readonly after?: string
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'one letter': { of: 'a' },
  words: { of: 'word ' },
  spaces: { of: ' ', after: 'x' },
  'no-break spaces': { of: '\u00a0', after: 'x' },
  tabs: { of: '\t', before: 'x', after: 'x' },
  'line ends': { of: '\n', before: 'x', after: 'x' },
  'carriage returns': { of: '\r', before: 'x', after: 'x' },
  'open tags': { of: '<b>' },
  'open divisions': { of: '<div class="a">' },
  'closing tags': { of: '</b>' },
  'less than': { of: '<' },
  'greater than': { of: '>' },
  'quoted lines': { of: '> a\n' },
  'introductions of quotes': { of: 'On Friday Ada wrote:\n\n' },
  'nested quotes': { of: '<blockquote type="cite">x' },
  'open attributes': { of: '<a href="' },
  'tags without an end': { of: '<a b=c ' },
  comments: { of: '<!--' },
  'style sheets': { of: '<style>' },
  'unclosed url(': { of: 'url(' },
  'unclosed url( with a space': { of: 'url( ' },
  'unclosed quoted url(': { of: 'url("' },
  imports: { of: '@import ' },
  rules: { of: 'a{b:c}' },
  'open braces': { of: '{' },
  'CSS comments': { of: '/*' },
  escapes: { of: '\\' },
  'CSS escapes': { of: '\\75 ' },
  entities: { of: '&amp;' },
  'open entities': { of: '&' },
  'open numeric entities': { of: '&#' },
  colons: { of: ':' },
  'position, unsaid': { of: 'position ' },
  'round brackets': { of: '(' },
  'square brackets': { of: '[' },
  'closing brackets': { of: ')', before: 'https://a.example/(' },
  quotes: { of: '"' },
  apostrophes: { of: "'" },
  'domains without an end': { of: 'a.' },
  'dots at the end': { of: '.', before: 'https://a.example/', after: 'x' },
  'names of addresses': { of: 'a@' },
  addresses: { of: 'a@b.example ' },
  'links on a line': { of: 'https://a.example/b ' },
  'links without a space': { of: 'https://' },
  'links in links': { of: 'http://a(' },
  mailto: { of: 'mailto:' },
  slashes: { of: '/', before: 'https:', after: 'x' },
  dashes: { of: '-', before: '-', after: 'x' },
  'angle addresses': { of: '<a@b.example>' },
  'underlines at the end': { of: '_', before: 'https://a.example/' },
  accents: { of: '\u0301', before: 'a' },
  'joined letters': { of: '\u0645' },
  'both directions': { of: 'a\u0645' },
  overrides: { of: '\u202e' },
  'zero-width joiners': { of: '\u200d' },
  emoji: { of: '\u{1f600}' },
  'halves of emoji': { of: '\ud83d' },
  digits: { of: '1', before: '2026-01-01T00:00:00.' },
  'embedded images': { of: '<img src="data:image/png;base64,AAAA">' },
  commas: { of: ',' },
  'per cent signs': { of: '%', before: '#' },
  controls: { of: '\u0000' },
}

/** Maximum length of a cached text, in characters. Longer texts are few, and too large to keep. */
const MAX_KEPT = 2 ** 18
const kept = new Map<string, string>()

/** Text of a shape, about this many characters long; shared by every function of a file. */
const fill = (name: string, { of, before = '', after = '' }: Shape, length: number): string => {
  const key = `${name} ${length}`
  const text = kept.get(key) ?? before + filled(of, length) + after
  if (length <= MAX_KEPT) kept.set(key, text)
  return text
}

/** Measures functions on every shape. @returns descriptions of steps that grew more than linearly */
export const findExcesses = async (read: (text: string) => unknown): Promise<readonly string[]> => {
  const excesses: string[] = []
  for (const [name, shape] of Object.entries(SHAPES)) {
    const excess = await findExcessiveGrowth((length) => {
      const text = fill(name, shape, length)
      return () => read(text)
    })
    if (excess !== null) excesses.push(`${name}: ${excess}`)
  }
  return excesses
}

/** Swallows errors that the function is documented to throw: rejecting input is timed too. */
export const orProblem = (run: () => unknown): void => {
  try {
    run()
  } catch {
    // The input was rejected.
  }
}
