import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery, countQueryWords } from '../../../packages/platform/src/search/parse-query.ts'
import { parseSearchRequest } from '../../../packages/platform/src/search/search-parameters.ts'
import { tokenizeWords as platformWordsOf } from '../../../packages/platform/src/search/word-index.ts'
import { toDashboardAssignee } from '../../../src/shared/assignees.ts'
import { EMAIL_LISTS, toEmailFilter, emailQuerySchema } from '../../../src/shared/email-query.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import { resolveDateBound } from '../../../src/shared/search/date-bounds.ts'
import { explainSearch } from '../../../src/shared/search/explain-search.ts'
import { formatSearch } from '../../../src/shared/search/format-search.ts'
import { isBareValue, lexSearch, trimName } from '../../../src/shared/search/lex-search.ts'
import { findOperator } from '../../../src/shared/search/operators.ts'
import { parseSearch, SEARCH_LIMITS, type SearchContext } from '../../../src/shared/search/parse-search.ts'
import { toSearchParameters } from '../../../src/shared/search/search-parameters.ts'
import { countCharacters, countTypedWords, tokenizeWords } from '../../../src/shared/search/word-tokenizer.ts'
import {
  EMAIL_KINDS,
  isLocalOnlyQuery,
  RECEIVED_EMAIL_KINDS,
  isInScope,
  toCachedList,
  NO_FILTER,
  threadQueryKey,
  threadQuerySchema,
  type DateBound,
  type TextTerm,
  type ThreadFilter,
} from '../../../src/shared/thread-query.ts'

const LABELS = [
  { id: '11111111-1111-4111-8111-111111111111', name: 'billing' },
  { id: '22222222-2222-4222-8222-222222222222', name: 'Needs reply' },
  { id: '33333333-3333-4333-8333-333333333333', name: 'a "quoted", one' },
  { id: '44444444-4444-4444-8444-444444444444', name: 'Billing' },
  { id: '55555555-5555-4555-8555-555555555555', name: '\u200fדחוף ' },
  { id: '66666666-6666-4666-8666-666666666666', name: 'OR' },
  { id: '77777777-7777-4777-8777-777777777777', name: '@mara' },
  { id: '88888888-8888-4888-8888-888888888888', name: '@Theo Lind' },
  { id: '99999999-9999-4999-8999-999999999999', name: '@MARA' },
  { id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', name: '@me' },
  { id: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', name: '@nobody' },
  { id: 'cccccccc-cccc-4ccc-8ccc-cccccccccccc', name: '@a "quoted" one' },
]
const PEOPLE = LABELS.slice(6).map(({ id }) => id)
const context: SearchContext = {
  labels: LABELS,
  me: ['Mara'],
  now: Date.parse('2026-11-21T18:00:00Z'),
  timeZone: 'Europe/Berlin',
}

/** Typed input: pieces of the language in any order, or any text. */
const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...[
            'from:',
            'to:',
            'cc:',
            'bcc:',
            'in:',
            'label:',
            'assigned:',
            'is:',
            'has:',
            'after:',
            'before:',
            'on:',
            'newer_than:',
          ],
          ...[
            'older_than:',
            'subject:',
            '-',
            '"',
            '(',
            ')',
            ',',
            ' ',
            '  ',
            '\t',
            'ann',
            'OR',
            '{',
            'https://x.example/',
          ],
          ...[
            'attachment',
            'unread',
            'inbox',
            'anywhere',
            'billing',
            'mara',
            '@mara',
            'me',
            'nobody',
            '2026-05-01',
            '7d',
            'yesterday',
            '€',
            '日本',
            '*',
            '：',
            '\u200f',
            ' OR ',
            '|',
            '9999',
            '9999-12-31',
            '9999y',
            '0001',
            'tomorrow',
            'T10:00',
          ],
        ),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 14 },
    )
    .map((pieces) => pieces.join('')),
)

const value = fc
  .oneof(
    fc.stringMatching(/^[^\s",()]+(?: [^\s",()]+)?$/u),
    fc.constantFrom('OR', '|', '||', 'AND', 'a OR b', 'a AND b'),
  )
  .filter((text) => trimName(text) === text && text !== '')
const bound = fc.oneof<fc.Arbitrary<DateBound>[]>(
  fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date): DateBound => ({ kind: 'day', day: date.toISOString().slice(0, 10) })),
  fc.constantFrom<DateBound>({ kind: 'relative-day', offset: 0 }, { kind: 'relative-day', offset: -1 }),
  fc.integer({ min: 0, max: 2e12 }).map((at): DateBound => ({ kind: 'instant', at })),
  fc.record({
    kind: fc.constant('ago' as const),
    amount: fc.integer({ min: 1, max: 9999 }),
    unit: fc.constantFrom('hour', 'day', 'week', 'month', 'year'),
  }),
  fc.constant<DateBound>({ kind: 'local-time', time: '2026-03-29T02:30:00' }),
)
const people = fc.uniqueArray(value, { maxLength: 4 })
const term = fc.oneof(
  fc.record({
    text: fc.stringMatching(/^[a-z0-9@._€]*[a-z0-9][a-z0-9@._-]*$/).filter((text) => !text.startsWith('-')),
    isPhrase: fc.constant(false),
    isExcluded: fc.boolean(),
  }),
  fc.record({
    text: fc.stringMatching(/^[^"]*[a-z][^"]*$/),
    isPhrase: fc.constant(true),
    isExcluded: fc.boolean(),
  }),
)
const subjectTerm = fc.oneof(
  value
    .filter((text) => isBareValue(text) && !text.startsWith('-') && !text.includes('"'))
    .map((text): TextTerm => ({ text, isPhrase: false, isExcluded: false, isInSubject: true })),
  fc
    .stringMatching(/^[^"]*[a-z][^"]*$/)
    .filter((text) => trimName(text) === text)
    .map((text): TextTerm => ({ text, isPhrase: true, isExcluded: false, isInSubject: true })),
)
const filter: fc.Arbitrary<ThreadFilter> = fc.record({
  text: fc
    .array(fc.oneof({ weight: 2, arbitrary: term }, { weight: 1, arbitrary: subjectTerm }), { maxLength: 5 })
    // A term without a word is dropped.
    .filter((terms) => terms.every(({ text }) => tokenizeWords(text).length > 0)),
  from: people,
  to: people,
  cc: people,
  bcc: people,
  hasAttachment: fc.constantFrom(true, false, null),
  // One incoming kind, or all but some.
  kinds: fc.oneof(
    fc.constant(null),
    fc.constantFrom(...RECEIVED_EMAIL_KINDS).map((kind) => [kind]),
    fc
      .subarray([...RECEIVED_EMAIL_KINDS], { minLength: 1 })
      .map((without) => EMAIL_KINDS.filter((kind) => kind === 'sent' || !without.includes(kind))),
  ),
  since: fc.option(bound),
  until: fc.option(bound),
  folders: fc.option(fc.subarray([...FOLDERS], { minLength: 1 })),
  labelIds: fc.subarray(LABELS.map(({ id }) => id)),
  assignedTo: fc.option(fc.subarray(PEOPLE)),
  notAssignedTo: fc.subarray(PEOPLE),
  read: fc.constantFrom(true, false, null),
  dropped: fc.constantFrom(true, false, null),
})

describe('reading a search', () => {
  test('splits any text into tokens that rebuild it', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const tokens = lexSearch(text)
        expect(tokens.map(({ span }) => text.slice(span.start, span.end)).join('')).toBe(text)
        expect(tokens.every(({ span }) => span.end > span.start)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('parses any text, with all faults and remarks inside it', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const { faults, remarks, parts } = parseSearch(text, context)
        for (const { span } of [...faults, ...remarks, ...parts]) {
          expect(span.start).toBeGreaterThanOrEqual(0)
          expect(span.end).toBeLessThanOrEqual(text.length)
          expect(span.start).toBeLessThanOrEqual(span.end)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('yields a valid request for any faultless text, even with extreme values', () => {
    const far = fc.oneof(
      fc
        .tuple(fc.constantFrom('from', 'to', 'cc', 'bcc'), fc.integer({ min: 1, max: 3000 }))
        .map(([name, length]) => `${name}:${'a'.repeat(length)}`),
      fc
        .tuple(fc.constantFrom('newer_than', 'older_than', 'after'), fc.nat(), fc.constantFrom('h', 'd', 'mo', 'y'))
        .map(([name, amount, unit]) => `${name}:${amount}${unit}`),
    )
    fc.assert(
      fc.property(fc.oneof(typed, far), (text) => {
        const { faults, filter: query } = parseSearch(text, context)
        fc.pre(faults.length === 0)
        threadQuerySchema.parse({ ...query, inboxIds: ['inbox'] })
      }),
      { numRuns: 2000 },
    )
  })

  test('uses every part of a text or reports it as a fault', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const { parts, faults } = parseSearch(text, context)
        for (const token of lexSearch(text)) {
          if (token.kind === 'space') continue
          const inside = ({ span }: { span: { start: number; end: number } }): boolean =>
            span.start >= token.span.start && span.end <= token.span.end
          expect(parts.some(inside) || faults.some(inside)).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('uses or reports every part for an e-mail list, including thread-only operators', () => {
    fc.assert(
      fc.property(typed, fc.constantFrom(...EMAIL_LISTS), (text, list) => {
        const { parts, faults, filter } = parseSearch(text, { ...context, list })
        const lacks = list === 'sent' ? ['in', 'label', 'is', 'has'] : ['in', 'label', 'is']
        for (const token of lexSearch(text)) {
          if (token.kind === 'space') continue
          const inside = ({ span }: { span: { start: number; end: number } }): boolean =>
            span.start >= token.span.start && span.end <= token.span.end
          expect(parts.some(inside) || faults.some(inside)).toBe(true)
          if (token.kind !== 'operator' || !lacks.includes(findOperator(token.name) ?? '')) continue
          expect(faults.filter(inside)).toEqual([{ code: 'not_in_list', name: token.name, list, span: token.span }])
        }
        // Only fields that such a list supports.
        expect({ ...NO_FILTER, ...toEmailFilter(filter) }).toEqual(filter)
        if (faults.length === 0) expect(emailQuerySchema.safeParse(toEmailFilter(filter)).success).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('gives e-mail lists and inboxes the same meaning where both apply', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const inList = parseSearch(text, { ...context, list: 'received' })
        fc.pre(inList.faults.length === 0)
        expect(inList).toEqual(parseSearch(text, context))
      }),
      { numRuns: 2000 },
    )
  })

  test('suggests no operator that an e-mail list lacks', () => {
    expect(parseSearch('lable:x', { ...context, list: 'received' }).faults).toMatchObject([
      { code: 'unknown_operator', nearest: null },
    ])
    expect(parseSearch('lable:x', context).faults).toMatchObject([{ nearest: 'label' }])
    expect(parseSearch('fog has:attachment', { ...context, list: 'sent' }).faults).toMatchObject([
      { code: 'not_in_list', name: 'has', span: { start: 4, end: 18 } },
    ])
    expect(parseSearch('fog has:attachment', { ...context, list: 'received' }).faults).toEqual([])
  })

  test('keeps its meaning when reformatted', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const first = parseSearch(text, context).filter
        expect(parseSearch(formatSearch(first, LABELS), context).filter).toEqual(first)
      }),
      { numRuns: 2000 },
    )
  })

  test('round-trips a query', () => {
    fc.assert(
      fc.property(filter, (query) => {
        const again = parseSearch(formatSearch(query, LABELS), context)
        // People come back sorted by name.
        const inOrder = (ids: readonly string[]): readonly string[] => PEOPLE.filter((id) => ids.includes(id))
        const { assignedTo, notAssignedTo } = again.filter
        expect({
          ...again.filter,
          assignedTo: assignedTo && inOrder(assignedTo),
          notAssignedTo: inOrder(notAssignedTo),
        }).toEqual(query)
        expect(again.faults.filter(({ code }) => code !== 'dates_reversed' && code !== 'too_many')).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('quotes a value that looks like part of a URL', () => {
    const query = { ...NO_FILTER, cc: ['//host'] }
    expect(formatSearch(query, LABELS)).toBe('cc:"//host"')
    expect(parseSearch('cc:"//host"', context).filter).toEqual(query)
  })

  test('quotes somebody called Me, since the bare word is rejected', () => {
    const query = { ...NO_FILTER, from: ['Me'] }
    expect(formatSearch(query, LABELS)).toBe('from:"Me"')
    expect(parseSearch('from:"Me"', context)).toMatchObject({ filter: query, faults: [] })
  })

  test('yields a request that the platform reads the same way', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const parsed = parseSearch(text, context)
        fc.pre(parsed.faults.length === 0)
        const parameters = toSearchParameters(parsed.filter, context)
        const request = parseSearchRequest(new URLSearchParams(parameters))
        const meant = parsed.filter.text.map((each) => ({ words: tokenizeWords(each.text), excluded: each.isExcluded }))
        expect(request.emailFilters.query ?? []).toEqual(meant.filter(({ words }) => words.length > 0))
        // A search without words finds nothing, instead of listing the folder.
        expect(request.emailFilters.query !== null).toBe(meant.length > 0)
        expect(request.emailFilters.from ?? []).toEqual(parsed.filter.from.map((name) => name.toLowerCase()))
        // Always sent: the platform defaults to the inbox alone (W6).
        expect(request.filters.folders).toEqual(parsed.filter.folders ?? ['inbox', 'archive', 'sent'])
      }),
      { numRuns: 3000 },
    )
  })
})

describe('kinds of mail', () => {
  const kindsOf = (text: string) => parseSearch(text, context).filter.kinds
  test.each([
    ['is:person', ['person']],
    ['IS:Newsletters', ['newsletter']],
    ['-is:robot', ['sent', 'person', 'newsletter']],
    ['-is:robot -is:newsletter', ['sent', 'person']],
    ['is:person -is:robot', ['person']],
    ['is:people is:person', ['person']],
    ['-is:person -is:newsletter -is:robot', ['sent']],
    ['is:unread', null],
  ])('%s', (text, kinds) => {
    expect(parseSearch(text, context).faults).toEqual([])
    expect(kindsOf(text)).toEqual(kinds)
  })

  test.each([
    ['is:person is:robot', 10],
    ['is:newsletter -is:newsletter', 14],
  ])('%s leaves none, which is reported', (text, start) => {
    expect(parseSearch(text, context).faults).toMatchObject([
      { code: 'contradiction', span: { start, end: text.length } },
    ])
  })

  test('exist only in inboxes and change the query key', () => {
    expect(parseSearch('is:robot', { ...context, list: 'received' }).faults).toMatchObject([{ code: 'not_in_list' }])
    const keyOf = (text: string) => threadQueryKey({ ...parseSearch(text, context).filter, inboxIds: ['inbox'] })
    expect(new Set(['', 'is:robot', '-is:robot', 'is:person'].map(keyOf)).size).toBe(4)
    expect(keyOf('-is:robot -is:person')).toBe(keyOf('-is:person -is:robot'))
  })

  test('are searched on this computer only', () => {
    expect(isLocalOnlyQuery(parseSearch('fog is:robot', context).filter)).toBe(true)
    expect(isLocalOnlyQuery(parseSearch('fog', context).filter)).toBe(false)
  })
})

describe('words', () => {
  test('match the platform’s words in any script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokenizeWords(text)).toEqual(platformWordsOf(text))
      }),
      { numRuns: 5000 },
    )
    for (const text of [
      'Résumé ﬁle ＡＢＣ',
      '我abc文。カー',
      '회의가 がか',
      'हिन्दी में',
      '👍🏽ok 👩‍🚀 🇩🇪',
      'ab🇩🇪🇫🇷🇳',
      'İstanbul ΟΔΟΣ',
      'שָׁלוֹם',
    ]) {
      expect(tokenizeWords(text)).toEqual(platformWordsOf(text))
    }
  })

  test('include each flag and pictograph', () => {
    expect(tokenizeWords('Oslo🇳🇴🇩🇪, ❤️ 👍🏽 🇳')).toEqual(['oslo', '🇳🇴', '🇩🇪', '❤', '👍🏽'.slice(0, 2)])
  })

  test('are counted as on the platform', () => {
    fc.assert(
      fc.property(typed, (text) => {
        expect(countTypedWords(text)).toBe(countQueryWords(text))
      }),
    )
    expect(countCharacters('a👍🏽')).toBe(3)
  })

  test('form the same terms as on the platform', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        // Brackets are Linnet's own syntax for word groups.
        fc.pre(
          !text.includes(':') && !/[(){}]/.test(text) && !/(?:^|\s)-?(?:OR|AND|NOT|\|{1,2}|&&)(?=\s|"|$)/u.test(text),
        )
        const terms = parseSearch(text, context).parts.flatMap((part) => (part.kind === 'text' ? [part.term] : []))
        expect(
          terms
            .map((each) => ({ words: tokenizeWords(each.text), excluded: each.isExcluded }))
            .filter(({ words }) => words.length > 0),
        ).toEqual(parseQuery(text))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('limits', () => {
  const faultsOf = (text: string) => parseSearch(text, context).faults

  test('allow 256 characters, not UTF-16 units', () => {
    expect(faultsOf('👍'.repeat(SEARCH_LIMITS.characters))).toEqual([])
    expect(faultsOf(`${'a'.repeat(250)} ${'b'.repeat(6)}`)).toEqual([
      { code: 'too_many', what: 'characters', most: 256, received: 257, span: { start: 251, end: 257 } },
    ])
  })

  test('allow 32 words, including those in quotes', () => {
    const words = Array.from({ length: 31 }, (_none, index) => `w${index}`).join(' ')
    expect(faultsOf(`${words} x`)).toEqual([])
    expect(faultsOf(`${words} "x y"`)).toEqual([
      {
        code: 'too_many',
        what: 'words',
        most: 32,
        received: 33,
        span: { start: words.length + 1, end: words.length + 6 },
      },
    ])
  })

  test('exclude operators', () => {
    expect(faultsOf(`from:${'a'.repeat(300)} word`)).toEqual([])
  })

  test('exclude unsent terms and repeated people', () => {
    const words = Array.from({ length: 32 }, (_none, index) => `w${index}`).join(' ')
    expect(faultsOf(`${words} € !!! "…"`)).toEqual([])
    expect(faultsOf(`from:(${Array.from({ length: 21 }, () => 'ann').join(', ')})`)).toEqual([])
    expect(faultsOf(Array.from({ length: 33 }, () => '€').join(' '))).toMatchObject([{ what: 'words', received: 33 }])
  })

  test('allow 20 people and 50 labels', () => {
    const names = Array.from({ length: 21 }, (_none, index) => `p${index}`)
    expect(faultsOf(`from:(${names.slice(1).join(', ')})`)).toEqual([])
    expect(faultsOf(`from:(${names.slice(1).join(', ')}) from:p0`)).toMatchObject([{ what: 'from', received: 21 }])
  })
})

describe('dates', () => {
  const sent = (text: string, timeZone: string): Readonly<Record<string, string>> => {
    const clock = { ...context, timeZone }
    const { folders: _folders, ...dates } = toSearchParameters(parseSearch(text, clock).filter, clock)
    return dates
  }

  test('span a whole local day', () => {
    expect(sent('on:2026-05-01', 'Europe/Berlin')).toEqual({
      start_date: '2026-05-01T00:00:00.000+02:00',
      end_date: '2026-05-01T23:59:59.999+02:00',
    })
    expect(sent('on:2026-05-01', 'America/New_York')).toEqual({
      start_date: '2026-05-01T00:00:00.000-04:00',
      end_date: '2026-05-01T23:59:59.999-04:00',
    })
  })

  test('span 23 or 25 hours on clock change days', () => {
    expect(sent('on:2026-03-29', 'Europe/Berlin')).toEqual({
      start_date: '2026-03-29T00:00:00.000+01:00',
      end_date: '2026-03-29T23:59:59.999+02:00',
    })
    expect(sent('on:2026-10-25', 'Europe/Berlin')).toEqual({
      start_date: '2026-10-25T00:00:00.000+02:00',
      end_date: '2026-10-25T23:59:59.999+01:00',
    })
  })

  test('start an hour later if midnight is skipped', () => {
    expect(sent('after:2018-11-04', 'America/Sao_Paulo')).toEqual({ start_date: '2018-11-04T01:00:00.000-02:00' })
  })

  test('exclude the day of “before” and include that of “after”', () => {
    expect(sent('after:2026-05-01 before:2026-05-03', 'UTC')).toEqual({
      start_date: '2026-05-01T00:00:00.000+00:00',
      end_date: '2026-05-02T23:59:59.999+00:00',
    })
  })

  test('resolve today and yesterday by the local clock', () => {
    const clock = { ...context, now: Date.parse('2026-11-21T23:30:00Z'), timeZone: 'Asia/Tokyo' }
    expect(toSearchParameters(parseSearch('on:today', clock).filter, clock)).toMatchObject({
      start_date: '2026-11-22T00:00:00.000+09:00',
      end_date: '2026-11-22T23:59:59.999+09:00',
    })
  })

  test('count days ago by the calendar across a clock change', () => {
    const clock = { ...context, now: Date.parse('2026-03-30T10:00:00Z'), timeZone: 'Europe/Berlin' }
    expect(toSearchParameters(parseSearch('newer_than:2d', clock).filter, clock)).toMatchObject({
      start_date: '2026-03-28T12:00:00.000+01:00',
    })
  })

  test('stay valid for the platform, however far, in any time zone', () => {
    const far = fc.oneof(
      fc.integer({ min: 1, max: 9999 }).map((amount) => `${amount}y`),
      fc
        .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
        .map((parts) => parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-')),
      fc.constantFrom('0001', '9999', '0001-01-01T00:00+14:00', '9999-12-31T23:59:59.999-12:00'),
    )
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'Australia/Lord_Howe', 'America/New_York')
    fc.assert(
      fc.property(fc.constantFrom('after', 'before', 'on'), far, zone, (name, date, timeZone) => {
        const clock = { ...context, timeZone }
        const { filter: query, faults } = parseSearch(`${name}:${date}`, clock)
        fc.pre(faults.length === 0)
        const parameters = toSearchParameters(query, clock)
        const { startDate, endDate } = parseSearchRequest(new URLSearchParams(parameters)).emailFilters
        // Times beyond the platform's range are clamped.
        const told = (moment: number): number =>
          Math.min(Math.max(moment, Date.parse('0001-01-01T00:00:00Z')), Date.parse('9999-12-31T23:59:59.999Z'))
        expect(startDate).toBe(query.since === null ? null : told(resolveDateBound(query.since, clock)))
        expect(endDate).toBe(query.until === null ? null : told(resolveDateBound(query.until, clock) - 1))
      }),
      { numRuns: 1000 },
    )
  })

  test('report an end before its start at both dates', () => {
    expect(parseSearch('after:2026-05-02 word before:2026-05-01', context).faults).toEqual([
      { code: 'dates_reversed', span: { start: 0, end: 39 } },
    ])
  })
})

describe('local-only mail', () => {
  const filterOf = (text: string) => parseSearch(text, context).filter

  test('is searched with is:kept and never requested from the platform', () => {
    expect(filterOf('is:kept')).toEqual({ ...NO_FILTER, dropped: true })
    expect(filterOf('-is:KEPT fog')).toMatchObject({ dropped: false })
    expect(parseSearch('is:kept is:unread', context).faults).toEqual([])
    expect(parseSearch('is:kept -is:kept', context).faults).toMatchObject([{ code: 'contradiction', name: 'is:kept' }])
    expect(parseSearch('is:(kept, read)', context).faults).toMatchObject([{ code: 'contradiction' }])
  })

  test('has its own list without spam and trash, and can be excluded from others', () => {
    const of = (filter: Partial<ThreadFilter>) => toCachedList({ ...NO_FILTER, inboxIds: ['i'], ...filter })
    expect(of({ dropped: true })).toEqual({ isLocalOnly: true })
    expect(of({ dropped: true, read: false })).toBeNull()
    expect(of({ dropped: true, folders: ['trash'] })).toBeNull()
    expect(of({ dropped: false, folders: ['archive'] })).toEqual({ folder: 'archive', withoutDropped: true })
    expect(of({ dropped: false, labelIds: ['l'] })).toEqual({ labelId: 'l', withoutDropped: true })
    expect(of({ folders: ['archive'] })).toEqual({ folder: 'archive' })
    const thread = { folder: 'archive', read: true, labelIds: [], hasOutbound: false }
    const isIn = (dropped: boolean | null, onServer: boolean) =>
      isInScope({ ...NO_FILTER, dropped, folders: ['archive'] }, { ...thread, onServer })
    expect([isIn(null, true), isIn(null, false), isIn(true, true), isIn(true, false)]).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect([isIn(false, true), isIn(false, false)]).toEqual([true, false])
    expect(isInScope({ ...NO_FILTER, dropped: true }, { ...thread, onServer: false })).toBe(true)
    expect(isInScope({ ...NO_FILTER, dropped: true }, { ...thread, folder: 'trash', onServer: false })).toBe(false)
  })

  test('includes new platform folders in all mail only', () => {
    const thread = { folder: 'later', read: true, labelIds: [], hasOutbound: false, onServer: true }
    expect(isInScope(NO_FILTER, thread)).toBe(true)
    expect(isInScope({ ...NO_FILTER, folders: FOLDERS }, thread)).toBe(true)
    expect(isInScope({ ...NO_FILTER, folders: ['inbox', 'archive'] }, thread)).toBe(false)
    expect(isInScope(NO_FILTER, { ...thread, folder: 'spam' })).toBe(false)
  })
})

describe('query key', () => {
  test('ignores the order of parts and an explicit default scope', () => {
    const key = (text: string): string => threadQueryKey({ ...parseSearch(text, context).filter, inboxIds: ['i'] })
    expect(key('from:(ann, bob) red is:unread')).toBe(key('is:unread red from:Bob from:ann in:(inbox, archive, sent)'))
    expect(key('red')).not.toBe(key('"red"'))
    expect(new Set([key('red'), key('red is:kept'), key('red -is:kept')]).size).toBe(3)
    expect(key('red')).not.toBe(key('-red'))
    expect(key('red')).not.toBe(key('subject:red'))
    const open = { ...parseSearch('red ca', context).filter, inboxIds: ['i'], lastWordIsPrefix: true }
    expect(threadQueryKey(open)).not.toBe(key('red ca'))
    // The last word is still being typed, so the order of the words matters.
    expect(threadQueryKey({ ...open, text: open.text.toReversed() })).not.toBe(threadQueryKey(open))
    // The platform counts repeated words, so it may reject one query and accept the other.
    expect(key('red red')).not.toBe(key('red'))
    expect(threadQueryKey({ ...NO_FILTER, inboxIds: ['a', 'b'] })).toBe(
      threadQueryKey({ ...NO_FILTER, inboxIds: ['b', 'a'] }),
    )
  })
})

describe('search by assignee', () => {
  const [mara, theo, shouted, me, nobody] = PEOPLE
  const read = (text: string, known: Partial<SearchContext> = {}) => {
    const { filter: found, faults } = parseSearch(text, { ...context, ...known })
    const { labelIds, assignedTo, notAssignedTo } = found
    return { labelIds, assignedTo, notAssignedTo, faults: faults.map(({ code }) => code) }
  }

  test('accepts a name in any case, several names, and a leading @', () => {
    for (const text of ['assigned:mara', 'assigned:@Mara', 'assigned:\uff2d\uff41\uff52\uff41', 'assignee:MARA']) {
      expect(read(text)).toEqual({ labelIds: [], assignedTo: [shouted, mara], notAssignedTo: [], faults: [] })
    }
    expect(read('assigned:(mara, "theo lind")').assignedTo).toEqual([shouted, mara, theo])
    expect(read('label:billing assigned:"theo lind"')).toMatchObject({ labelIds: [LABELS[0]?.id], assignedTo: [theo] })
  })

  test('resolves “me” to the user, unless quoted', () => {
    expect(read('assigned:me').assignedTo).toEqual([shouted, mara])
    expect(read('assigned:"me"').assignedTo).toEqual([me])
    expect(read('assigned:"nobody"').assignedTo).toEqual([nobody])
    expect(read('assigned:me', { me: [] }).faults).toEqual(['who_is_me'])
    // Nothing is assigned to them yet: no fault and no results.
    expect(read('assigned:me', { me: ['Ada'] })).toMatchObject({ assignedTo: [], faults: [] })
  })

  test('finds threads assigned in the dashboard, which the platform is not asked for', () => {
    const dashboard = ['mara@acme.example', 'ada@acme.example'].map(toDashboardAssignee)
    const known = { labels: [...LABELS, ...dashboard] }
    const [maras, adas] = dashboard.map(({ id }) => id)
    expect(read('assigned:Ada@acme.example', known)).toMatchObject({ assignedTo: [adas], faults: [] })
    expect(read('assigned:me', known).assignedTo).toEqual([shouted, mara, maras])
    expect(read('assigned:nobody', known).notAssignedTo).toEqual(expect.arrayContaining([mara, maras, adas]))
    const parsed = parseSearch('assigned:me invoice', { ...context, ...known })
    expect(isLocalOnlyQuery(parsed.filter)).toBe(true)
    expect(toSearchParameters(parsed.filter, context)).not.toHaveProperty('labels')
    const { isSent, parameters } = explainSearch(parsed, { ...context, ...known })
    expect(isSent).toBe(false)
    expect(parameters.filter(({ typed }) => typed === 'assigned:me')).toMatchObject([{ label: 'Assigned to' }])
  })

  test('resolves “nobody” to no person and its negation to any', () => {
    expect(read('assigned:nobody')).toMatchObject({ assignedTo: null, faults: [] })
    expect(read('assigned:nobody').notAssignedTo.toSorted()).toEqual(PEOPLE)
    expect(read('-assigned:nobody').assignedTo?.toSorted()).toEqual(PEOPLE)
    expect(read('-assigned:mara')).toMatchObject({ assignedTo: null, notAssignedTo: [shouted, mara] })
    expect(read('assigned:nobody', { labels: [] })).toMatchObject({ assignedTo: null, notAssignedTo: [], faults: [] })
    expect(read('-assigned:nobody', { labels: [] })).toMatchObject({ assignedTo: [], faults: [] })
  })

  test('reports unknown names and names combined with nobody', () => {
    expect(parseSearch('assigned:marra', context).faults).toMatchObject([
      { code: 'unknown_person', value: 'marra', nearest: 'MARA', span: { start: 9, end: 14 } },
    ])
    expect(read('assigned:billing').faults).toEqual(['unknown_person'])
    expect(read('assigned:(mara, nobody)').faults).toEqual(['somebody_or_nobody'])
    expect(read('assigned:').faults).toEqual(['missing_value'])
    expect(parseSearch('assigned:mara', { ...context, list: 'received' }).faults[0]?.code).toBe('not_in_list')
  })

  test('intersects several operators', () => {
    expect(read('assigned:(mara, me) assigned:"theo lind"').assignedTo).toEqual([])
    expect(read('assigned:(mara, "theo lind") assigned:"theo lind"').assignedTo).toEqual([theo])
  })

  test('sends only people to the platform, and checks labels and exclusions locally', () => {
    const sent = (text: string) => toSearchParameters(parseSearch(text, context).filter, context).labels
    expect(sent('assigned:"theo lind"')).toBe(theo)
    expect(sent('label:billing assigned:"theo lind"')).toBe(LABELS[0]?.id)
    expect(sent('assigned:nobody')).toBeUndefined()
  })

  test('shares a list with the person’s label, and no other search does', () => {
    const listOf = (text: string) => toCachedList({ ...parseSearch(text, context).filter, inboxIds: ['inbox'] })
    expect(listOf('assigned:"theo lind"')).toEqual({ labelId: theo })
    expect(listOf('label:billing assigned:"theo lind"')).toBeNull()
    expect(listOf('in:inbox assigned:nobody')).toBeNull()
    expect(listOf('-assigned:nobody')).toBeNull()
  })

  test('decides which threads are in scope', () => {
    const thread = { folder: 'inbox', read: true, labelIds: [theo ?? ''], hasOutbound: false, onServer: true }
    const isFound = (text: string) => isInScope(parseSearch(text, context).filter, thread)
    expect(
      ['assigned:"theo lind"', '-assigned:nobody', '-assigned:mara', 'assigned:(mara, "theo lind")'].map(isFound),
    ).toEqual([true, true, true, true])
    expect(['assigned:mara', 'assigned:nobody', '-assigned:"theo lind"'].map(isFound)).toEqual([false, false, false])
  })
})
