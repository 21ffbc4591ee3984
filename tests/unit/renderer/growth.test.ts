import { describe, expect, it } from 'vitest'
import { parseBaseUrl } from '../../../src/engine/api/base-url.ts'
import { parsePlatformTime } from '../../../src/engine/api/platform-time.ts'
import { rawFilename } from '../../../src/engine/raw-filename.ts'
import { snippetOf } from '../../../src/engine/store/snippet.ts'
import { contactName, propertyLabel } from '../../../src/renderer/features/contacts/contact-name.ts'
import { labelColor } from '../../../src/renderer/features/labels/label-color.ts'
import { calmText, weighLetters } from '../../../src/renderer/features/reader/calm-text.ts'
import { cutHtml } from '../../../src/renderer/features/reader/cut-html.ts'
import { isEmbeddedImage } from '../../../src/renderer/features/reader/embedded-image.ts'
import { htmlToText } from '../../../src/renderer/features/reader/html-to-text.ts'
import { linkify, pageableText, readPage, TEXT_START } from '../../../src/renderer/features/reader/parse-plain-text.ts'
import { fragmentOf, promisedHost, safeLinkTarget } from '../../../src/renderer/features/reader/safe-link.ts'
import { tameCss } from '../../../src/renderer/features/reader/tame-css.ts'
import { directionOf, hasLetter } from '../../../src/renderer/features/reader/text-direction.ts'
import { isHeavyHtml } from '../../../src/renderer/features/reader/weigh-html.ts'
import { checkQuery } from '../../../src/renderer/features/search/check-query.ts'
import { subjectOf } from '../../../src/renderer/features/threads/correspondent.ts'
import { displayName, initials, parseAddress, summariseAddresses } from '../../../src/renderer/ui/address.ts'
import { visibleText } from '../../../src/renderer/ui/visible-text.ts'

/** Node's own; the window's code, which is read with it, knows nothing of Node. */
declare const process: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly threadCpuUsage: () => { readonly user: number; readonly system: number }
}

/** What is repeated to the length that is asked for, and what stands around it. */
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
  'per cent signs': { of: '%', before: '#' },
  controls: { of: '\u0000' },
}

const readAllPages = (text: string): void => {
  const whole = pageableText(text)
  for (let at: typeof TEXT_START | null = TEXT_START; at !== null;) at = readPage(whole, at).next
}

/** Swallows what a function throws by its contract: how long it takes to say no is measured as well. */
const orProblem = (run: () => unknown): void => {
  try {
    run()
  } catch {
    // Refused.
  }
}

/** Every pure function through which a stranger's text goes, and how the text comes to it. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  isHeavyHtml,
  cutHtml,
  htmlToText,
  tameCss,
  calmText,
  weighLetters: (text) => weighLetters(text, Infinity),
  linkify: (text) => linkify(text, Infinity),
  'pageableText and readPage': readAllPages,
  safeLinkTarget,
  'safeLinkTarget of a web page': (text) => safeLinkTarget(`https://a.example/${text}`),
  'promisedHost, of words': (text) => promisedHost(text, 'https://a.example/'),
  'promisedHost, of a target': (text) => promisedHost('bank.example', text),
  fragmentOf: (text) => fragmentOf(`#${text}`),
  isEmbeddedImage: (text) => isEmbeddedImage(`data:image/${text}`),
  directionOf,
  hasLetter,
  parseAddress,
  'parseAddress of a quoted name': (text) => parseAddress(`"${text}" <a@b.example>`),
  'parseAddress of an address': (text) => parseAddress(`Ada <${text}>`),
  displayName,
  initials,
  summariseAddresses: (text) => summariseAddresses(text.split(' ')),
  visibleText,
  subjectOf,
  'contactName, by name': (text) =>
    contactName({ id: '', email: '', firstName: text, lastName: text, unsubscribed: false, properties: {} } as never),
  propertyLabel,
  labelColor,
  checkQuery,
  'snippetOf a text': (text) => snippetOf({ text, html: null }),
  'snippetOf HTML': (html) => snippetOf({ text: null, html }),
  rawFilename,
  parseBaseUrl: (text) => orProblem(() => parseBaseUrl(text)),
  'parseBaseUrl of a path': (text) => orProblem(() => parseBaseUrl(`https://a.example/${text}`)),
  parsePlatformTime,
}

const fill = ({ of, before = '', after = '' }: Shape, length: number): string =>
  before + of.repeat(Math.ceil(length / of.length)) + after

/** Milliseconds that this thread has worked: what other programs take of the machine is not in it. */
const workedFor = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const timeOf = (read: (text: string) => unknown, text: string): number => {
  const start = workedFor()
  read(text)
  return workedFor() - start
}

/** The longest text, in characters: LINNET_TEST_GROWTH=1000000 takes a minute. */
const LONGEST = Number(process.env.LINNET_TEST_GROWTH ?? 125_000)
/** Shorter ones first, so that what grows with the square is found before it takes an hour. */
const LENGTHS = [LONGEST / 32, LONGEST / 8, LONGEST / 2, LONGEST] as const
/** Milliseconds. What takes less is done before anybody sees it, and too short to be measured. */
const FLOOR = 20
/** What twice the input may take. */
const GROWTH = 2.5
/** A machine that does other work makes a measurement longer, never shorter: the best of several counts. */
const ROUNDS = 7

/**
 * Compares texts with their halves, the shorter ones first.
 * @returns the first that took more than `GROWTH` times its half, in words; null where none did
 */
const findExcess = (read: (text: string) => unknown, shape: Shape): string | null => {
  for (const length of LENGTHS) {
    const [half, text] = [fill(shape, length / 2), fill(shape, length)]
    const times = { half: Infinity, whole: timeOf(read, text) }
    const isTooMuch = (): boolean => times.whole > GROWTH * Math.max(times.half, FLOOR / GROWTH)
    // A lull may end between the two, so each is measured again, in turns, as long as the answer is not a good one.
    for (let round = 0; round < ROUNDS && times.whole > FLOOR && (round === 0 || isTooMuch()); round += 1) {
      times.half = Math.min(times.half, timeOf(read, half))
      times.whole = Math.min(times.whole, timeOf(read, text))
    }
    if (times.whole > FLOOR && isTooMuch()) {
      return `${length / 2} → ${length} characters: ${times.half.toFixed(0)} → ${times.whole.toFixed(0)} ms`
    }
  }
  return null
}

describe('the time to read what a stranger writes grows with its length, not faster', () => {
  it.each(Object.entries(READERS))(
    '%s',
    (_, read) => {
      const excesses = Object.entries(SHAPES).flatMap(([name, shape]) => {
        const excess = findExcess(read, shape)
        return excess === null ? [] : [`${name}: ${excess}`]
      })
      expect(excesses).toEqual([])
    },
    120_000,
  )
})
