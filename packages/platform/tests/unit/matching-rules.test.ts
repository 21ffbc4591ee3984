import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type SearchableEmail,
  type SearchableThread,
  emailIsInFolders,
  emailMatches,
  isOnOrAfter,
  isOnOrBefore,
  matchesAttachment,
  matchesPeople,
  matchesQuery,
  computeRelevance,
  threadIsInFolders,
} from '../../src/search/matching-rules.ts'
import { parseQuery } from '../../src/search/parse-query.ts'
import type { EmailFilters } from '../../src/search/search-parameters.ts'
import { type MatchedThread, keepNewestMatches } from '../../src/search/search-threads.ts'
import { buildIndexText } from '../../src/search/word-index.ts'
import { folders } from '../../src/storage/threads.ts'

/** Few words, so that random texts and queries overlap. */
const vocabulary = ['red', 'Car', 'ÜBER', 'a', 'b', '中', '文', 'straße', '7'] as const
const word = fc.constantFrom(...vocabulary)
const words = fc.array(word, { maxLength: 6 })
/** Written out by hand, so that the oracle shares no code. */
const folded: Readonly<Record<string, string>> = { Car: 'car', ÜBER: 'uber' }
const fold = (list: readonly string[]): readonly string[] => list.map((item) => folded[item] ?? item)

const email = fc
  .record({
    direction: fc.constantFrom('inbound' as const, 'outbound' as const),
    receivedAt: fc.integer({ min: 0, max: 20 }),
    hasAttachment: fc.boolean(),
    sender: fc.constantFrom('ann lee\nann@red.example', '\nbob@blue.example'),
    recipients: fc.constantFrom('', 'inbox\ninbox@x.example'),
    cc: fc.constantFrom('', 'carl\ncarl@c.example'),
    bcc: fc.constantFrom('', '\nhidden@h.example'),
    subject: words,
    body: words,
  })
  .map(({ subject, body, ...facts }): SearchableEmail & { readonly fields: readonly (readonly string[])[] } => ({
    ...facts,
    subjectWords: buildIndexText([subject.join(' ')]),
    words: buildIndexText([subject.join(' '), body.join(' ')]),
    fields: [fold(subject), fold(body)],
  }))

const thread = fc.record<SearchableThread>({
  seq: fc.integer({ min: 1, max: 5 }),
  folder: fc.constantFrom(...folders),
  unreadCount: fc.integer({ min: 0, max: 2 }),
  outboundCount: fc.integer({ min: 0, max: 2 }),
})
const someFolders = fc.uniqueArray(fc.constantFrom(...folders), { minLength: 1 })

const value = fc.constantFrom('ann', 'red', 'bob@', 'example', 'carl', 'zzz')
const values = fc.array(value, { minLength: 1, maxLength: 3 })
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(arbitrary, { freq: 2 })
const filters: fc.Arbitrary<EmailFilters> = fc.record({
  query: orNull(words.map((list) => parseQuery(list.join(' ')))),
  from: orNull(values),
  to: orNull(values),
  cc: orNull(values),
  bcc: orNull(values),
  hasAttachment: orNull(fc.boolean()),
  startDate: orNull(fc.integer({ min: 0, max: 20 })),
  endDate: orNull(fc.integer({ min: 0, max: 20 })),
})
const noFilter: EmailFilters = {
  query: null,
  from: null,
  to: null,
  cc: null,
  bcc: null,
  hasAttachment: null,
  startDate: null,
  endDate: null,
}

describe('query words (platform.md 9.1)', () => {
  test('matches any words like a word-by-word search', () => {
    fc.assert(
      fc.property(email, fc.array(fc.tuple(fc.boolean(), word), { minLength: 1, maxLength: 4 }), (facts, query) => {
        const typed = query.map(([isExcluded, item]) => (isExcluded ? `-${item}` : item)).join(' ')
        const appears = (item: string): boolean => facts.fields.some((field) => field.includes(folded[item] ?? item))
        expect(matchesQuery(facts, parseQuery(typed))).toBe(
          query.every(([isExcluded, item]) => appears(item) !== isExcluded),
        )
      }),
    )
  })

  test.each(['€', '!!! -€', '""', '-'])('finds nothing without a real word: %j', (typed) => {
    fc.assert(fc.property(email, (facts) => !matchesQuery(facts, parseQuery(typed))))
  })

  test('matches any phrase like a comparison of adjacent words in a field', () => {
    fc.assert(
      fc.property(email, fc.array(word, { minLength: 1, maxLength: 3 }), fc.boolean(), (facts, phrase, isExcluded) => {
        const wanted = fold(phrase)
        const found = facts.fields.some((field) =>
          field.some((_, start) => wanted.every((item, offset) => field[start + offset] === item)),
        )
        expect(matchesQuery(facts, parseQuery(`${isExcluded ? '-' : ''}"${phrase.join(' ')}"`))).toBe(
          found !== isExcluded,
        )
      }),
    )
  })
})

describe('commas and several parameters (platform.md 9.2)', () => {
  test('matches within one name or address', () => {
    expect(matchesPeople('ann lee\nann@red.example', ['lee\nann'.replace('\n', ' <')])).toBe(false)
    expect(matchesPeople('ann lee\nann@red.example', ['n lee'])).toBe(true)
  })
})

describe('conditions on one e-mail (platform.md 9.4)', () => {
  test('matches an e-mail exactly if it matches each filter alone', () => {
    fc.assert(
      fc.property(email, filters, (facts, wanted) => {
        const each = (Object.keys(wanted) as (keyof EmailFilters)[]).every((name) =>
          emailMatches(facts, { ...noFilter, [name]: wanted[name] }),
        )
        expect(emailMatches(facts, wanted)).toBe(each)
      }),
    )
  })

  test('treats dates as inclusive and attachments as a plain flag', () => {
    fc.assert(
      fc.property(email, fc.integer({ min: 0, max: 20 }), (facts, time) => {
        expect(isOnOrAfter(facts, time) && isOnOrBefore(facts, time)).toBe(facts.receivedAt === time)
        expect(isOnOrAfter(facts, time) || isOnOrBefore(facts, time)).toBe(true)
        expect(matchesAttachment(facts, true)).toBe(facts.hasAttachment)
        expect(matchesAttachment(facts, false)).toBe(!facts.hasAttachment)
      }),
    )
  })
})

describe('the folder of the matching e-mail (platform.md 9.5)', () => {
  test('puts an e-mail in its thread’s folder, and outgoing ones in sent too unless in spam or trash', () => {
    fc.assert(
      fc.property(thread, email, fc.constantFrom(...folders), (facts, mail, folder) => {
        const expected =
          folder === 'sent'
            ? mail.direction === 'outbound' && !['spam', 'trash'].includes(facts.folder)
            : folder === facts.folder
        expect(emailIsInFolders(facts, mail, [folder])).toBe(expected)
      }),
    )
  })

  test('includes spam and trash only when named', () => {
    fc.assert(
      fc.property(thread, email, someFolders, (facts, mail, list) => {
        fc.pre((facts.folder === 'spam' || facts.folder === 'trash') && !list.includes(facts.folder))
        expect(threadIsInFolders(facts, list)).toBe(false)
        expect(emailIsInFolders(facts, mail, list)).toBe(false)
      }),
    )
  })
})

describe('the cap (platform.md 9.6)', () => {
  const matches = fc.array(fc.integer({ min: 0, max: 9 })).map((times) =>
    times.map((newestMatch, index): MatchedThread => ({
      seq: index,
      id: `t${index}`,
      activity: 0,
      latestEmail: 0,
      matchedEmailId: '',
      newestMatch,
    })),
  )

  test('keeps the newest threads up to the cap, in their order', () => {
    fc.assert(
      fc.property(matches, fc.integer({ min: 1, max: 8 }), (list, cap) => {
        const covered = keepNewestMatches(list, cap)
        expect(covered).toHaveLength(Math.min(cap, list.length))
        const left = list.filter((match) => !covered.includes(match))
        for (const out of left)
          for (const kept of covered) expect(kept.newestMatch).toBeGreaterThanOrEqual(out.newestMatch)
        expect(covered.map(({ seq }) => seq)).toEqual(covered.map(({ seq }) => seq).toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('relevance', () => {
  const facts = (subject: string, body: string): SearchableEmail => ({
    direction: 'inbound',
    receivedAt: 0,
    hasAttachment: false,
    sender: '',
    recipients: '',
    cc: '',
    bcc: '',
    subjectWords: buildIndexText([subject]),
    words: buildIndexText([subject, body]),
  })

  test('ranks subject above body and more matches above fewer, ignoring excluded words', () => {
    const terms = parseQuery('apple -pear')
    const ranked = [facts('apple', ''), facts('x', 'apple apple apple'), facts('x', 'apple'), facts('pear', 'x')]
    const scores = ranked.map((one) => computeRelevance(one, terms))
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(scores).size).toBe(4)
    expect(scores[3]).toBe(0)
  })
})
