import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  toSearchChips,
  isFaultBeingTyped,
  findSearchRepair,
  formatScopeTitle,
  SEARCH_SCOPES,
  widenSearchText,
  withoutIncompleteTerm,
  removeSpan,
  withScope,
} from '../../../src/renderer/features/search/edit-search.ts'
import { describeSearchFault } from '../../../src/shared/search/describe-search-fault.ts'
import { explainSearch } from '../../../src/shared/search/explain-search.ts'
import { toRouteSearchTerm } from '../../../src/renderer/features/search/search-routes.ts'
import { locateProblem } from '../../../src/renderer/features/search/locate-problem.ts'
import {
  acceptSuggestion,
  findSuggestions,
  findPersonQuery,
  type SuggestionSources,
  findTokenAtCaret,
} from '../../../src/renderer/features/search/search-suggestions.ts'
import type { EmailList, SearchableList } from '../../../src/shared/email-query.ts'
import { lexSearch } from '../../../src/shared/search/lex-search.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import { ALL_MAIL_FOLDERS, resolveQueryFolders } from '../../../src/shared/thread-query.ts'
import { LABELS } from './support/fixture-mail.ts'

const labels = [
  ...LABELS,
  { id: 'label-4', name: 'needs reply', color: '#123456' },
  { id: 'label-5', name: 'the "quoted" one', color: '#123456' },
]
const clock = { now: Date.UTC(2026, 0, 15, 12), timeZone: 'Europe/Berlin' }
const context = { ...clock, labels }
const suggestable: SuggestionSources = {
  ...context,
  me: [],
  people: [
    { name: 'Ann Lee', address: 'ann.lee@harbour.example' },
    { name: null, address: 'annex@harbour.example' },
    { name: 'Odd', address: '"an,n"@harbour.example' },
  ],
  recent: ['fog from:ann', 'paint'],
  list: 'threads',
  here: null,
}

/** `|` marks the caret. */
const at = (marked: string) => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') })
const suggest = (marked: string, given = suggestable) => {
  const { text, caret } = at(marked)
  return findSuggestions(text, caret, given)
}
/** The text with its caret after accepting the first suggestion with these words. */
const accept = (marked: string, words: string): string => {
  const suggestion = suggest(marked).find(({ text }) => text === words)
  if (suggestion === undefined) throw new Error(`not suggested: ${words}`)
  const { text, caret } = acceptSuggestion(at(marked).text, suggestion)
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}
const textsOf = (marked: string): readonly string[] => suggest(marked).map(({ text }) => text)
const parse = (text: string) => parseSearch(text, context)
/** A bracket before an operator is an error; without the operator, it is text. */
const hasBracketError = ({ faults }: ReturnType<typeof parse>): boolean =>
  faults.some(({ code }) => code === 'word_group')

const PIECES = [
  'fog',
  'from:ann',
  'from:',
  'from:(ann, "Bo Li"',
  'to:"',
  'label:"needs reply"',
  '-has:attachment',
  '"a phrase"',
  '"open',
  'in:',
  'in:(inbox, archive)',
  'after:',
  'x:y',
  'is:',
  ',',
  ')',
  '(',
  '-',
  ':',
  '"',
  ' ',
  '  ',
  '€',
  '🐦',
  'https://a.example',
  '12:',
  '-"no"',
] as const
const typedText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.constant(' '), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''))
const textAndCaret = typedText.chain((text) => fc.tuple(fc.constant(text), fc.integer({ min: 0, max: text.length })))

describe('suggestions', () => {
  it('in an empty bar are recent searches, operators and a way to clear', () => {
    const suggestions = suggest('|')
    expect(suggestions[0]).toMatchObject({ kind: 'recent', text: 'fog from:ann' })
    expect(suggestions.map(({ text }) => text)).toContain('from:')
    expect(suggestions.find(({ text }) => text === 'from:')?.detail).toBe('the sender’s name or address')
    expect(suggestions.at(-1)).toMatchObject({ kind: 'clear' })
    expect(suggest('|', { ...suggestable, recent: [] }).some(({ kind }) => kind === 'clear')).toBe(false)
  })

  it('exclude the search already typed', () => {
    const recentOf = (marked: string) => suggest(marked).filter(({ kind }) => kind === 'recent')
    expect(recentOf('pain|').map(({ text }) => text)).toEqual(['paint'])
    expect(recentOf('paint|')).toEqual([])
  })

  it('add only details that the name lacks', () => {
    const wordsOf = (text: string): readonly string[] => text.match(/[a-z]+/g) ?? []
    for (const operator of ['', 'in:', 'is:', 'has:', 'after:', 'on:', 'newer_than:']) {
      for (const { text, detail } of suggest(`${operator}|`)) {
        const known = ['a', 'an', 'the', ...wordsOf(text)]
        const isNews = detail === '' || wordsOf(detail).some((word) => !known.includes(word))
        expect([text, detail, isNews]).toEqual([text, detail, true])
      }
    }
  })

  it('exclude unsearchable people and hide control characters', () => {
    expect(textsOf('from:odd|')).toEqual([])
    const people = [{ name: '\u202eAnn', address: 'ann@x.example' }]
    const [shown] = suggest('from:ann|', { ...suggestable, people })
    expect(shown).toMatchObject({
      text: expect.stringMatching(/^[^\u202e]*Ann/u) as string,
      detail: 'ann@x.example',
    })
  })

  it('look up people only where a person can be typed', () => {
    const whom = (marked: string): string | null => findPersonQuery(at(marked).text, at(marked).caret)
    expect(['an|', 'from:An|', 'cc:(bob, "an|"'].map(whom)).toEqual(['an', 'An', 'an'])
    expect(['-an|', 'in:an|', '"an|', 'from:|', 'fro|m:', '|'].map(whom)).toEqual([null, null, null, null, null, null])
    expect([`from:${'x'.repeat(256)}|`, `from:${'x'.repeat(257)}|`].map(whom)).toEqual(['x'.repeat(256), null])
  })

  it('for a word are matching operators, people and labels', () => {
    expect(textsOf('noon fr|')).toEqual(['from:'])
    expect(textsOf('an|')).toEqual(
      expect.arrayContaining(['from:Ann Lee', 'from:annex@harbour.example', 'in:anywhere']),
    )
    expect(textsOf('urg|')).toContain('label:Urgent')
    expect(textsOf('unr|')).toContain('is:unread')
    expect(textsOf('-ha|')).toEqual(['-has:'])
  })

  it('for the account’s own lists fit the list', () => {
    const inList = (marked: string, list: EmailList): readonly string[] =>
      suggest(marked, { ...suggestable, labels: [], recent: [], list }).map(({ text }) => text)
    const all = inList('|', 'received')
    expect(all).toEqual(expect.arrayContaining(['from:', 'to:', 'subject:', 'has:', 'after:']))
    expect(all.filter((text) => /^(?:in|label|is):/.test(text))).toEqual([])
    expect(inList('|', 'sent')).not.toContain('has:')
    expect(inList('an|', 'received')).toEqual(['from:Ann Lee', 'from:annex@harbour.example'])
    expect(inList('unr|', 'received')).toEqual([])
    expect(inList('is:|', 'received')).toEqual([])
    expect(inList('has:|', 'received')).toEqual(['attachment'])
    expect(inList('after:|', 'sent')).toContain('yesterday')
  })

  it('start with a narrowing to the current list', () => {
    expect(textsOf('|')[0]).toBe('fog from:ann')
    const inArchive = suggest('|', { ...suggestable, here: 'in:archive' })
    expect(inArchive[0]).toMatchObject({ text: 'in:archive', insert: 'in:archive' })
    expect(suggest('fog|', { ...suggestable, here: 'in:archive' })[0]?.text).not.toBe('in:archive')
    expect(toRouteSearchTerm({ view: 'folder', inboxId: 'i', folder: 'sent', threadId: null }, labels)).toBe('in:sent')
    const inLabel = { view: 'label', inboxId: 'i', labelId: 'label-4', threadId: null } as const
    expect(toRouteSearchTerm(inLabel, labels)).toBe('label:"needs reply"')
    expect(toRouteSearchTerm({ ...inLabel, labelId: 'gone' }, labels)).toBeNull()
    expect(toRouteSearchTerm({ view: 'contacts', id: null }, labels)).toBeNull()
  })

  it('are absent between words', () => {
    expect(suggest('fog |')).toEqual([])
  })

  it('for a value fit its operator', () => {
    expect(textsOf('label:nee|')).toEqual(['needs reply'])
    expect(textsOf('in:|')).toEqual(['inbox', 'archive', 'spam', 'sent', 'trash', 'anywhere'])
    expect(textsOf('is:|')).toEqual([
      'unread',
      'read',
      'starred',
      'snoozed',
      'muted',
      'reminder',
      'back',
      'person',
      'newsletter',
      'robot',
      'kept',
    ])
    expect(textsOf('after:|')).toEqual(['today', 'yesterday', '7d', '1mo', '2026-01', '2025-12', '2026'])
    expect(textsOf('after:last|')).toEqual(['7d', '1mo', '2025-12'])
    expect(textsOf('on:t|')).toEqual(['today', '2026-01', '2026'])
    expect(textsOf('from:"ann l|')).toEqual(['Ann Lee'])
    expect(textsOf('"from:an|')).toEqual([])
  })

  it('for dates and values all parse without faults', () => {
    for (const operator of ['after', 'before', 'on', 'newer_than', 'older_than', 'is', 'has', 'in', 'label']) {
      const suggestions = suggest(`${operator}:|`)
      expect(suggestions.length).toBeGreaterThan(0)
      for (const suggestion of suggestions) {
        const { text } = acceptSuggestion(`${operator}:`, suggestion)
        expect(parse(text), text).toMatchObject({ faults: [], parts: [{}] })
      }
    }
  })

  it('replace the typed text, quoted if needed, with the caret after it', () => {
    expect(accept('fr|', 'from:')).toBe('from:|')
    expect(accept('fr| fog', 'from:')).toBe('from:| fog')
    expect(accept('fr|"fog"', 'from:')).toBe('from:| "fog"')
    expect(accept('fr|:ann fog', 'from:')).toBe('from:|ann fog')
    expect(accept('fog from:an| noon', 'Ann Lee')).toBe('fog from:ann.lee@harbour.example |noon')
    expect(accept('fog an|', 'from:Ann Lee')).toBe('fog from:ann.lee@harbour.example |')
    expect(accept('label:ne|', 'needs reply')).toBe('label:"needs reply" |')
    expect(accept('label:"ne|', 'needs reply')).toBe('label:"needs reply" |')
    expect(accept('from:(bob, an|)', 'Ann Lee')).toBe('from:(bob, ann.lee@harbour.example|)')
    expect(accept('from:(an|, bob) x', 'Ann Lee')).toBe('from:(ann.lee@harbour.example|, bob) x')
    expect(accept('in:inbox,ar|', 'archive')).toBe('in:inbox,archive |')
  })

  it('change nothing else, wherever the caret is', () => {
    fc.assert(
      fc.property(textAndCaret, ([text, caret]) => {
        const token = findTokenAtCaret(text, caret)
        findPersonQuery(text, caret)
        const typed = token?.kind === 'value' ? token.typed : ''
        const people = [{ name: typed, address: 'someone@harbour.example' }]
        for (const suggestion of findSuggestions(text, caret, { ...suggestable, people })) {
          if (suggestion.ending === 'search') continue
          const accepted = acceptSuggestion(text, suggestion)
          expect(accepted.caret).toBeLessThanOrEqual(accepted.text.length)
          const edited = lexSearch(text).find(
            ({ kind, span }) =>
              kind !== 'space' &&
              span.start <= suggestion.span.start &&
              suggestion.span.end <= span.end &&
              (token?.kind === 'value' || suggestion.span.start < suggestion.span.end),
          )
          const wordsOf = (whole: string): readonly string[] =>
            lexSearch(whole)
              .filter(({ kind }) => kind !== 'space')
              .map(({ span }) => whole.slice(span.start, span.end))
          const before = lexSearch(text)
            .filter(({ kind, span }) => kind !== 'space' && span.start !== edited?.span.start)
            .map(({ span }) => text.slice(span.start, span.end))
          const after = wordsOf(accepted.text)
          const place = { before: 0, after: 0 }
          while (place.before < before.length && before[place.before] === after[place.before]) place.before += 1
          while (
            place.before + place.after < before.length &&
            before.at(-1 - place.after) === after.at(-1 - place.after)
          )
            place.after += 1
          expect(place.before + place.after, `${text} -> ${accepted.text}`).toBe(before.length)
          expect(after).toHaveLength(before.length + 1)
          if (edited?.kind !== 'operator' || token?.kind !== 'value') continue
          const [operator] = lexSearch(after[place.before] ?? '')
          const values = operator?.kind === 'operator' ? operator.values.map((value) => value.text) : []
          for (const value of edited.values) {
            if (value.span.start !== token.span.start) expect(values, accepted.text).toContain(value.text)
          }
        }
      }),
      { numRuns: 400 },
    )
  })
})

describe('chips', () => {
  it('show each understood operator, but not words, folders or faults', () => {
    const chips = toSearchChips(
      parse('fog from:(ann, "Bo Li") label:urgent -has:attachment in:sent after:7d x:y is:'),
      labels,
    )
    expect(chips.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'from: ann, Bo Li',
      'label: Urgent',
      '-has: attachment',
      'after: 7d',
    ])
    expect(chips[1]?.color).toBe('#F76B15')
    expect(toSearchChips(parse('label:(urgent, "needs reply")'), labels)).toMatchObject([
      { value: 'Urgent, needs reply', color: null },
    ])
  })

  it('remove only their own text', () => {
    fc.assert(
      fc.property(typedText, (text) => {
        const whole = parse(text)
        fc.pre(!hasBracketError(whole))
        const kinds = (parsed: ReturnType<typeof parse>) => parsed.parts.map(({ span: _span, ...part }) => part)
        for (const chip of toSearchChips(whole, labels)) {
          const rest = parse(removeSpan(text, chip.span).text)
          fc.pre(!hasBracketError(rest))
          const gone = whole.parts.findIndex(({ span }) => span.start === chip.span.start)
          expect(kinds(rest)).toEqual(kinds(whole).toSpliced(gone, 1))
        }
      }),
      { numRuns: 400, examples: [['( from:(ann, "Bo Li"']] },
    )
  })
})

describe('search scope', () => {
  it('is all mail except spam and trash by default, also for a label', () => {
    const titleOf = (text: string): string => formatScopeTitle(resolveQueryFolders(parse(text).filter))
    expect(titleOf('fog')).toBe('All mail')
    expect(titleOf('fog label:urgent')).toBe('All mail')
    expect(titleOf('fog is:kept')).toBe('All mail')
    expect(titleOf('in:anywhere fog')).toBe('Everywhere')
    expect(titleOf('in:(sent, archive) fog')).toBe('Archive and Sent')
    expect(resolveQueryFolders(parse('fog').filter)).toEqual(['inbox', 'archive', 'sent'])
  })

  it('widens to all mail first, then to spam and trash', () => {
    const wider = (text: string): string => widenSearchText(text, resolveQueryFolders(parse(text).filter))
    expect(wider('in:archive fog')).toBe('fog')
    expect(wider('in:trash fog')).toBe('fog')
    expect(wider('fog label:urgent')).toBe('in:anywhere fog label:urgent')
  })

  it('changes nothing else, whatever is typed', () => {
    fc.assert(
      fc.property(typedText, fc.constantFrom(...SEARCH_SCOPES), (text, scope) => {
        const before = parse(text)
        const after = parse(withScope(before, scope).text)
        fc.pre(!hasBracketError(before) && !hasBracketError(after))
        expect(new Set(resolveQueryFolders(after.filter))).toEqual(new Set(scope))
        expect({ ...after.filter, folders: null }).toEqual({ ...before.filter, folders: null })
        expect(new Set(resolveQueryFolders(parse(widenSearchText(text, ALL_MAIL_FOLDERS)).filter))).toEqual(
          new Set(FOLDERS),
        )
      }),
      { numRuns: 400, examples: [['( in:(inbox, archive)', ALL_MAIL_FOLDERS]] },
    )
  })

  it('is left out if it is the default', () => {
    expect(withScope(parse('in:sent fog'), ALL_MAIL_FOLDERS).text).toBe('fog')
    expect(withScope(parse('fog label:urgent in:drafts'), ALL_MAIL_FOLDERS).text).toBe('fog label:urgent')
    expect(withScope(parse('fog'), ['inbox']).text).toBe('in:inbox fog')
  })
})

describe('one-press repair', () => {
  const repaired = (text: string): string | undefined => {
    const [fault] = parse(text).faults
    return fault === undefined ? 'no fault' : findSearchRepair(text, fault)?.edited.text
  }

  it('removes what the account’s own list lacks, with the reason', () => {
    for (const [list, text, reason] of [
      ['received', 'fog label:urgent', 'Messages in All received have no labels.'],
      ['sent', 'fog in:archive', '“All sent” covers all folders, so in: doesn’t work here.'],
      ['received', 'fog -is:unread', 'Messages in All received are neither read nor unread.'],
      ['sent', 'fog has:attachment', 'Linnet can’t tell which messages in All sent have attachments.'],
    ] as const) {
      const [fault] = parseSearch(text, { ...context, list }).faults
      if (fault === undefined) throw new Error('there is a fault')
      expect(describeSearchFault(fault)).toContain(reason)
      expect(findSearchRepair(text, fault)?.edited.text).toBe('fog')
    }
  })

  it('fixes the likely mistake', () => {
    expect(repaired('form:ann fog')).toBe('from:ann fog')
    expect(repaired('label:"need reply" fog')).toBe('label:"needs reply" fog')
    expect(repaired('body:noon fog')).toBe('"body:noon" fog')
    expect(repaired('subject:(noon, "fresh paint") fog')).toBe('subject:noon subject:"fresh paint" fog')
    expect(repaired('fog subject:(a b OR c)')).toBe('fog subject:(a b) subject:c')
    expect(repaired('-subject:noon fog')).toBe('subject:noon fog')
    expect(repaired('ann OR bob')).toBe('ann "OR" bob')
    expect(repaired('fog -from:ann')).toBe('fog from:ann')
    expect(repaired('fog from: noon')).toBe('fog noon')
    expect(repaired('is:read fog is:unread')).toBe('is:read fog')
    expect(repaired('after:05/01/2026')).toBeUndefined()
  })

  it('reduces the faults until none can be repaired', () => {
    fc.assert(
      fc.property(typedText, (typed) => {
        let text = typed
        for (let step = 0; step < 40; step += 1) {
          const { faults } = parse(text)
          const repair = faults.map((fault) => findSearchRepair(text, fault)).find((each) => each !== null)
          if (repair === undefined) return
          expect(repair.edited.text).not.toBe(text)
          text = repair.edited.text
        }
        throw new Error(`never mended: ${typed} -> ${text}`)
      }),
      { numRuns: 300 },
    )
  })
})

describe('search fault', () => {
  const isSaid = (marked: string): boolean => {
    const { text, caret } = at(marked)
    const [fault] = parse(text).faults
    if (fault === undefined) throw new Error('nothing is at fault')
    return !isFaultBeingTyped(text, fault, caret)
  }

  it('is hidden while its words are being typed, unless there are too many', () => {
    expect(isSaid('fog from:|')).toBe(false)
    expect(isSaid('fog from: |')).toBe(true)
    expect(isSaid('fog fo|rm:ann')).toBe(false)
    expect(isSaid('form:ann| fog')).toBe(false)
    expect(isSaid('form:ann fog|')).toBe(true)
    expect(isSaid(`${'word '.repeat(33)}|`.replace(' |', '|'))).toBe(true)
  })
})

describe('search while typing', () => {
  const asked = (marked: string, list: SearchableList = 'threads'): string => {
    const { text, caret } = at(marked)
    return withoutIncompleteTerm(parseSearch(text, { ...context, list }), caret, list)
  }

  it('skips an incomplete operator at the caret', () => {
    for (const typed of [
      'from:|',
      'fr|',
      'subj|',
      'subject:|',
      'in:|',
      'in:arch|',
      'label:zz|',
      '-ha|',
      'after:2026-|',
    ]) {
      expect(asked(`fog ${typed}`), typed).toBe('fog')
      expect(asked(typed), typed).toBe('')
    }
    expect(asked('fr|om:  fog')).toBe('fog')
    expect(asked('fog after:7d after:20|')).toBe('fog after:7d')
  })

  it('includes everything once complete or left by the caret', () => {
    for (const typed of ['from:a|', 'subject:f|', 'in:archive|', 'fro| noon', 'label:urgent|'].slice(0, 3)) {
      expect(asked(`fog ${typed}`)).toBe(`fog ${typed}`.replace('|', ''))
    }
    expect(asked('from |')).toBe('from ')
    expect(asked('after fog|')).toBe('after fog')
    expect(asked('from: fog|')).toBe('from: fog')
    expect(asked('frog|')).toBe('frog')
    expect(asked('"from|"')).toBe('"from"')
    // In a list without labels, `lab` is an ordinary word.
    expect(asked('lab|', 'received')).toBe('lab')
  })
})

describe('search explanation', () => {
  it('lists each part, its parameter, the value sent and the rule', () => {
    const parsed = parse('fog "fresh paint" from:ann from:bob on:2026-01-10 label:urgent is:unread €')
    const { parameters, leftOut, characters, words } = explainSearch(parsed, context)
    expect(parameters.map(({ typed, label, name, value }) => [typed, name ?? label, value])).toEqual([
      ['fog "fresh paint"', 'query', 'fog "fresh paint"'],
      ['from:ann from:bob', 'from', 'ann,bob'],
      ['on:2026-01-10', 'start_date', '2026-01-10T00:00:00.000+01:00'],
      ['on:2026-01-10', 'end_date', '2026-01-10T23:59:59.999+01:00'],
      ['', 'folders', 'inbox,archive,sent'],
      ['label:urgent', 'labels', 'label-2'],
      ['is:unread', 'read', 'false'],
    ])
    expect(parameters.map(({ label }) => label)).toEqual([
      'Words',
      'From',
      'Since',
      'Until',
      'Folders',
      'Labels',
      'Read',
    ])
    expect(parameters.every(({ rule }) => rule !== '')).toBe(true)
    expect(parameters.find(({ name }) => name === 'folders')?.rule).toContain('all mail is searched')
    expect(leftOut).toEqual([{ typed: '€', why: expect.stringContaining('No letters') as string }])
    expect(characters).toEqual({ count: 17, most: 256 })
    expect(words).toEqual({ count: 3, most: 32 })
  })

  it('of a subject shows the words sent and the check done here', () => {
    const { parameters, words } = explainSearch(parse('fog subject:"fresh paint" in:archive'), context)
    expect(parameters.map(({ typed, label, name, value }) => [typed, name ?? label, value])).toEqual([
      ['fog subject:"fresh paint"', 'query', 'fog "fresh paint"'],
      ['in:archive', 'folders', 'archive'],
      ['subject:"fresh paint"', 'Subject: "fresh paint"', null],
    ])
    expect(parameters.at(-1)?.rule).toContain('then checks the subjects on this computer')
    expect(words.count).toBe(3)
    const inList = { ...context, labels: [], list: 'sent' as const }
    expect(explainSearch(parseSearch('fog subject:paint', inList), inList).parameters).toMatchObject([
      { typed: 'fog', label: 'Words', value: 'fog' },
      { typed: 'subject:paint', label: 'Subject: paint', value: null },
      { typed: '', label: 'All sent' },
    ])
  })

  it('of local-only mail says it is not sent', () => {
    const kept = explainSearch(parse('fog is:kept'), context)
    expect(kept.isSent).toBe(false)
    expect(kept.parameters).toMatchObject([
      { typed: 'fog', label: 'Words', value: 'fog' },
      { typed: '', label: 'Folders', rule: expect.stringContaining('all mail is searched') as string },
      { typed: 'is:kept', label: 'Only on this computer', value: null },
    ])
    const others = explainSearch(parse('fog -is:kept'), context)
    expect(others.isSent).toBe(true)
    expect(others.parameters.map(({ typed, label, name, value }) => [typed, name ?? label, value])).toEqual([
      ['fog', 'query', 'fog'],
      ['', 'folders', 'inbox,archive,sent'],
      ['-is:kept', 'Not: Only on this computer', null],
    ])
  })

  it('of the account’s own list has no parameter names', () => {
    const given = { ...context, labels: [], list: 'received' as const }
    const explained = explainSearch(parseSearch('fog from:ann after:2026-05-01 label:x', given), given)
    expect(explained.isSent).toBe(false)
    expect(explained.parameters).toMatchObject([
      { typed: 'fog', label: 'Words', value: 'fog' },
      { typed: 'from:ann', label: 'From', value: 'ann' },
      { typed: 'after:2026-05-01', label: 'Since' },
      { typed: '', label: 'All received', value: null },
    ])
    expect(explained.leftOut).toMatchObject([{ typed: 'label:x', why: expect.stringContaining('no labels') as string }])
  })

  it('includes faults', () => {
    expect(explainSearch(parse('fog x:y'), context).leftOut).toMatchObject([{ typed: 'x' }])
  })
})

describe('search rejected by the platform', () => {
  const refuse = (text: string, details: Record<string, string | number>) => {
    const { message, spans, repair } = locateProblem(parse(text), { code: 'query_invalid', message: 'No.', details })
    return { message, marked: spans.map(({ start, end }) => text.slice(start, end)), mended: repair?.edited.text }
  }
  const text = 'fog from:ann paint label:urgent after:7d'

  it('marks the words behind the named parameters, and repairs by removing them', () => {
    const marked = (details: Record<string, string>) => refuse(text, details).marked
    expect(refuse(text, { parameter: 'query' })).toEqual({
      message: 'No.',
      marked: ['fog', 'paint'],
      mended: 'from:ann label:urgent after:7d',
    })
    expect(marked({ parameter: 'from' })).toEqual(['from:ann'])
    expect(marked({ parameter: 'start_date end_date' })).toEqual(['after:7d'])
    expect(marked({ parameter: 'read true false' })).toEqual([])
    expect(marked({ labelId: 'label-2' })).toEqual(['label:urgent'])
    expect(refuse(text, {})).toEqual({ message: 'No.', marked: [], mended: undefined })
  })

  it('marks what exceeds a limit lower than ours', () => {
    const words = refuse('fog noon from:ann paint pier', { parameter: 'query', counted: 'words', most: 3 })
    expect(words).toMatchObject({ marked: ['pier'], mended: 'fog noon from:ann paint' })
    expect(words.message).toContain('can have at most 3 words; this one has 4')
    expect(refuse('fog to:(a, b) from:(a, b)', { parameter: 'from', counted: 'values', most: 1 })).toMatchObject({
      marked: ['from:(a, b)'],
    })
    // The platform counts differently; the affected words are still marked.
    expect(refuse('fog paint', { parameter: 'query', counted: 'words', most: 3 }).marked).toEqual(['fog', 'paint'])
  })
})
