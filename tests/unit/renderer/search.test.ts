import { describe, expect, it } from 'vitest'
import { markSpans } from '../../../src/renderer/features/search/locate-problem.ts'
import { describeSearchFault } from '../../../src/shared/search/describe-search-fault.ts'
import { parseTypedSearch } from '../../../src/renderer/features/threads/thread-list-manager.svelte.ts'
import {
  describeNoResults,
  describeSearchCoverage,
  describeEmailSearchCoverage,
} from '../../../src/renderer/features/search/describe-results.ts'
import { FOLDERS, type SearchCoverage } from '../../../src/shared/model.ts'
import { NO_FILTER } from '../../../src/shared/thread-query.ts'
import { PROBLEM_CODES, type Problem } from '../../../src/shared/result.ts'
import { INBOX, LABELS } from './support/fixture-mail.ts'

const faultOf = (text: string) => {
  const read = parseTypedSearch(INBOX.id, text, { labels: LABELS })
  if (!('fault' in read)) return null
  const { start, end } = read.fault.span
  return { message: describeSearchFault(read.fault), before: text.slice(0, start), marked: text.slice(start, end) }
}

describe('typed search', () => {
  it('allows 256 characters and 32 words (platform.md 10.1 and 10.2)', () => {
    expect(faultOf('x'.repeat(256))).toBeNull()
    expect(faultOf('word '.repeat(32))).toBeNull()
  })

  it('counts an emoji as one character', () => {
    expect(faultOf('🐦'.repeat(256))).toBeNull()
    expect(faultOf('🐦'.repeat(257))?.message).toContain('257')
  })

  it('marks the words beyond the limit', () => {
    const fault = faultOf(Array.from({ length: 34 }, (_, index) => `w${index}`).join(' '))
    expect(fault?.message).toContain('34')
    expect(fault?.marked).toBe('w32 w33')
    expect(`${fault?.before ?? ''}${fault?.marked ?? ''}`).toMatch(/^w0 .* w33$/)
  })

  it('marks everything beyond the limit, so one press repairs it', () => {
    const fault = faultOf('word '.repeat(5_000))
    expect(fault?.message).toContain('can have at most 32 words; this one has 5,000')
    expect(fault?.marked).toHaveLength((5_000 - 32) * 5 - 1)
  })

  it('is shortened around the marked parts', () => {
    const shown = (text: string, ...spans: readonly (readonly [number, number])[]) =>
      markSpans(
        text,
        spans.map(([start, end]) => ({ start, end })),
      ).map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    expect(shown('fog from:ann paint', [0, 3], [13, 18])).toEqual(['[fog]', ' from:ann ', '[paint]'])
    expect(shown('fog paint', [4, 9])).toEqual(['fog ', '[paint]'])
    const far = 'x'.repeat(200)
    const [edge] = [far.slice(0, 48)]
    expect(shown(`${far}fog${far}paint${far}`, [200, 203], [403, 408])).toEqual([
      `…${edge}`,
      '[fog]',
      `${edge}…${edge}`,
      '[paint]',
      `${edge}…`,
    ])
    expect(shown(`fog ${'y'.repeat(10_000)}`, [4, 10_004])).toEqual(['fog ', `[${'y'.repeat(48)}…${'y'.repeat(48)}]`])
  })

  it('marks an unknown operator and suggests the likely one', () => {
    expect(faultOf('fog body:pier')).toMatchObject({ before: 'fog ', marked: 'body' })
    expect(faultOf('fog subject:pier')).toBeNull()
    expect(faultOf('form:ada')?.message).toContain('from:')
  })

  it('turns operators into conditions', () => {
    const read = parseTypedSearch(INBOX.id, `from:ada is:unread label:${LABELS[0]?.name ?? ''} fog`, { labels: LABELS })
    expect(read).toMatchObject({
      query: { inboxIds: [INBOX.id], from: ['ada'], read: false, labelIds: [LABELS[0]?.id], text: [{ text: 'fog' }] },
    })
  })
})

describe('empty search result', () => {
  const nothing = {
    query: NO_FILTER,
    isFullyQueried: false,
    hasMore: false,
    computer: { emails: 9, of: 9 },
    putAway: 0,
  }
  const said = (other: Partial<Parameters<typeof describeNoResults>[0]>) => describeNoResults({ ...nothing, ...other })
  const foundNothing = (text: string) => {
    const read = parseTypedSearch(INBOX.id, text, { labels: LABELS })
    return 'query' in read ? said({ query: read.query, isFullyQueried: true }).detail : ''
  }

  it.each([
    ['sauna', 'Check the spelling, or type only the beginning of a word. Spam and Trash were not searched.'],
    ['in:inbox sauna', 'Check the spelling, or type only the beginning of a word. Other folders were not searched.'],
    ['in:anywhere from:sauna', 'Check the spelling, or type only the beginning of a word.'],
    ['in:anywhere "hot sauna"', 'All words must be in the same message. Try fewer words.'],
    ['in:anywhere from:ann hot sauna', 'All words must be in the same message. Try fewer words.'],
    ['in:anywhere €', 'Symbols can’t be searched. Type a word.'],
    ['in:anywhere 🇳🇱', 'Check the spelling, or type only the beginning of a word.'],
    ['in:anywhere from:(ann bob)', '“ann bob” is searched as one name. Separate two names with a comma.'],
    ['in:anywhere has:attachment is:unread', 'Try fewer conditions.'],
  ])('gives a hint for %j: %s', (text, detail) => {
    expect(foundNothing(text)).toBe(detail)
  })

  it('claims no local match only after a full search, and says where to look next', () => {
    expect(said({})).toMatchObject({ title: 'Nothing on this computer matches', next: 'platform' })
    expect(said({ computer: { emails: 9, of: 5_000 } })).toMatchObject({ title: 'Nothing found yet', next: 'platform' })
    expect(said({ query: { ...NO_FILTER, folders: ['archive'] } })).toMatchObject({
      title: 'Nothing matches in Archive on this computer',
      next: 'all mail',
    })
    expect(said({ putAway: 3 })).toMatchObject({
      title: 'Nothing on this computer matches, except in Spam and Trash',
      detail: '3 threads in Spam and Trash match.',
      next: 'spam and trash',
    })
    expect(said({ isFullyQueried: true })).toMatchObject({ title: 'No mail matches', next: 'spam and trash' })
    expect(said({ isFullyQueried: true, query: { ...NO_FILTER, folders: ['sent'] } })).toMatchObject({
      title: 'Nothing matches in Sent',
      next: 'all mail',
    })
    expect(said({ isFullyQueried: true, query: { ...NO_FILTER, folders: FOLDERS } })).toMatchObject({
      title: 'Nothing matches in any folder',
      next: 'received',
    })
    expect(said({ isFullyQueried: true, hasMore: true })).toMatchObject({ title: 'Nothing found so far', next: null })
  })
})

describe('summary of what was searched', () => {
  const NOW = Date.UTC(2026, 5, 1)
  const present = { connection: 'online', now: NOW, style: { locale: 'en-GB', timeZone: 'UTC' } } as const
  const of = (searched: Partial<SearchCoverage>): SearchCoverage => ({
    computer: { emails: 10, of: 10 },
    platform: { state: 'answered', at: NOW },
    isCapped: false,
    mayLag: false,
    ...searched,
  })

  it('is a short phrase', () => {
    expect(describeSearchCoverage(of({}), present)).toBe('This computer and the platform')
    expect(describeSearchCoverage(of({ computer: null }), present)).toBe('The platform')
    const spelled = { emails: 10, of: 10, spellings: ['straße', 'a', 'b', 'c'] }
    expect(describeSearchCoverage(of({ computer: spelled }), present)).toBe(
      'This computer (“straße”, “a”, “b” too) and the platform',
    )
    expect(describeSearchCoverage(of({ platform: { state: 'not asked' } }), present)).toBe('This computer')
    expect(describeSearchCoverage(of({ platform: { state: 'waiting', at: null } }), present)).toBe(
      'This computer; searching the platform…',
    )
    expect(describeSearchCoverage(of({ computer: { emails: 1_240, of: 5_000 }, isCapped: true }), present)).toBe(
      '1,240 of 5,000 messages on this computer and the newest 10,000 on the platform',
    )
  })

  it('of the account’s own list names only this computer and its share of the list', () => {
    const said = (emails: number, of: number, isWhole = true) => describeEmailSearchCoverage({ emails, of, isWhole })
    const platform = 'the platform cannot search this list'
    expect(said(12_430, 12_430)).toBe(`This computer: 12,430 messages stored; ${platform}`)
    expect(said(3_000, 12_430)).toBe(`This computer: 3,000 of 12,430 messages stored; ${platform}`)
    expect(said(1, 1, false)).toBe(`This computer: 1 message stored so far; ${platform}`)
  })

  it('shows the age of results as soon as the platform is unreachable', () => {
    const searched = of({ computer: null, platform: { state: 'answered', at: NOW - 20_000 } })
    expect(describeSearchCoverage(searched, present)).toBe('The platform')
    expect(describeSearchCoverage(searched, { ...present, connection: 'offline' })).toMatch(/^The platform, /)
    const waiting = of({ platform: { state: 'waiting', at: null } })
    expect(describeSearchCoverage(waiting, { ...present, connection: 'offline' })).toBe(
      'This computer; the platform cannot be reached',
    )
  })

  it('shows the age of results after a minute', () => {
    const searched = of({ computer: null, platform: { state: 'answered', at: NOW } })
    expect(describeSearchCoverage(searched, { ...present, now: NOW + 60_000 })).toBe('The platform')
    expect(describeSearchCoverage(searched, { ...present, now: NOW + 61_000 })).toMatch(/^The platform, /)
  })

  it('mentions possibly missing mail only without a worse problem', () => {
    expect(describeSearchCoverage(of({ mayLag: true }), present)).toBe(
      'This computer and the platform; new mail can take a minute to appear',
    )
    const problem = { code: 'platform_failed', message: 'No.' } as const
    expect(describeSearchCoverage(of({ mayLag: true, platform: { state: 'failed', at: NOW, problem } }), present)).toBe(
      'This computer; the platform’s response is not valid',
    )
  })

  it('names the platform’s error, and says it did not answer only after silence', () => {
    const said = (problem: Omit<Problem, 'message'>) =>
      describeSearchCoverage(
        of({ platform: { state: 'failed', at: null, problem: { ...problem, message: '' } } }),
        present,
      )
    const answers: readonly (readonly [Omit<Problem, 'message'>, string])[] = [
      [{ code: 'not_found', details: { missing: 'inbox', name: 'Support' } }, 'the platform has no inbox Support'],
      [
        { code: 'not_found', details: { missing: 'label', name: 'Bills' } },
        'the platform no longer has the label “Bills”',
      ],
      [{ code: 'platform_failed', details: { missing: 'cursor' } }, 'the platform’s results changed while loading'],
      [{ code: 'key_rejected', details: { status: 401 } }, 'the platform does not accept the API key'],
      [{ code: 'platform_failed', details: { status: 500 } }, 'the platform reported an error'],
      [{ code: 'unreachable' }, 'the platform cannot be reached'],
      [{ code: 'unreachable', details: { isSilent: true } }, 'the platform did not answer'],
    ]
    for (const [problem, words] of answers) expect(said(problem)).toBe(`This computer; ${words}`)
    for (const code of PROBLEM_CODES) {
      if (code !== 'unreachable') expect(said({ code })).not.toMatch(/did not answer|reached/)
    }
  })

  it('doesn’t call the platform unreachable after it rejected the key', () => {
    const waiting = of({ platform: { state: 'waiting', at: null } })
    expect(describeSearchCoverage(waiting, { ...present, connection: 'refused' })).toBe(
      'This computer; searching the platform…',
    )
  })
})
