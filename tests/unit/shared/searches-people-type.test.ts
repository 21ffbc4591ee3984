import { describe, expect, test } from 'vitest'
import { parseSearch, type SearchContext } from '../../../src/shared/search/parse-search.ts'
import { toSearchParameters } from '../../../src/shared/search/search-parameters.ts'
import { findPrefixTerm, withPrefixTerm } from '../../../src/shared/thread-query.ts'

const BILLING = '11111111-1111-4111-8111-111111111111'
const NEEDS_REPLY = '22222222-2222-4222-8222-222222222222'
const BUG = '33333333-3333-4333-8333-333333333333'
const context: SearchContext = {
  labels: [
    { id: BILLING, name: 'billing' },
    { id: NEEDS_REPLY, name: 'Needs reply' },
    { id: BUG, name: 'Bug/iOS' },
  ],
  // 19:00 in Berlin.
  now: Date.parse('2026-11-21T18:00:00Z'),
  timeZone: 'Europe/Berlin',
}

const parametersOf = (text: string): unknown => {
  const { filter, faults } = parseSearch(text, context)
  return faults.length > 0 ? faults : toSearchParameters(filter, context)
}

const SUMMER = '+02:00'
const WINTER = '+01:00'

/** Typical searches of Gmail, Mailspring and Apple Mail users, and the request sent; all mail without `in:`. */
const SENT: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['', {}],
  ['   ', {}],
  ['invoice', { query: 'invoice' }],
  ['(invoice may)', { query: '(invoice may)' }],
  ['{invoice} -(draft) {may', { query: '{invoice} -(draft) {may' }],
  ['from:"me"', { from: 'me' }],
  ['"{ann bob}"', { query: '"{ann bob}"' }],
  ['Invoice 2026-0417', { query: 'Invoice 2026-0417' }],
  ['  two   words ', { query: 'two words' }],
  ['"exact phrase"', { query: '"exact phrase"' }],
  ['“curly quotes”', { query: '“curly quotes”' }],
  ['"open phrase', { query: '"open phrase"' }],
  ['-draft', { query: '-draft' }],
  ['-"not this"', { query: '-"not this"' }],
  ['invoice -draft -"pro forma"', { query: 'invoice -draft -"pro forma"' }],
  ['order - shipped', { query: 'order shipped' }],
  ['e-mail', { query: 'e-mail' }],
  ["don't panic", { query: "don't panic" }],
  ['ann@larkspur.example', { query: 'ann@larkspur.example' }],
  ['"ann@larkspur.example"', { query: '"ann@larkspur.example"' }],
  ['#1042', { query: '#1042' }],
  ['C++', { query: 'C++' }],
  ['50%', { query: '50%' }],
  ['{first_name}', { query: '{first_name}' }],
  ['€', { query: '€' }],
  ['€ from:ann', { query: '€', from: 'ann' }],
  ['€ 250', { query: '250' }],
  ['!!! urgent', { query: 'urgent' }],
  ['12:30', { query: '12:30' }],
  ['https://status.example/incidents/7', { query: 'https://status.example/incidents/7' }],
  ['http://localhost:3000', { query: 'http://localhost:3000' }],
  ['report.pdf', { query: 'report.pdf' }],
  ['"Re: Invoice"', { query: '"Re: Invoice"' }],
  ['foo"bar baz"', { query: 'foo "bar baz"' }],
  ['or and not', { query: 'or and not' }],
  ['"OR"', { query: '"OR"' }],
  ['請求書', { query: '請求書' }],
  ['Rechnung für Müller', { query: 'Rechnung für Müller' }],
  ['👍', { query: '👍' }],
  ['from:ann', { from: 'ann' }],
  ['From:Ann', { from: 'Ann' }],
  ['FROM:ann', { from: 'ann' }],
  ['from:ann@larkspur.example', { from: 'ann@larkspur.example' }],
  ['from:@larkspur.example', { from: '@larkspur.example' }],
  ['from:*@larkspur.example', { from: '*@larkspur.example' }],
  ['from:"Ann Lee"', { from: 'Ann Lee' }],
  ['from:(ann, bob)', { from: 'ann,bob' }],
  ['from:(Ann Lee, bob)', { from: 'Ann Lee,bob' }],
  ['from:("Ann Lee", bob)', { from: 'Ann Lee,bob' }],
  ['from:ann,bob', { from: 'ann,bob' }],
  ['from:"Ann Lee",bob', { from: 'Ann Lee,bob' }],
  ['from:ann from:bob', { from: 'ann,bob' }],
  ['from:(ann, ann)', { from: 'ann' }],
  ['from:(ann', { from: 'ann' }],
  ['from:(ann OR bob)', { from: 'ann,bob' }],
  ['from:("Ann Lee" OR bob | eve)', { from: 'Ann Lee,bob,eve' }],
  ['from:(ann OR', { from: 'ann' }],
  ['from:("OR", ORbit)', { from: 'OR,ORbit' }],
  ['to:support', { to: 'support' }],
  ['cc:bob', { cc: 'bob' }],
  ['bcc:audit', { bcc: 'audit' }],
  ['from:ann to:bob cc:eve', { from: 'ann', to: 'bob', cc: 'eve' }],
  ['from:ann invoice', { from: 'ann', query: 'invoice' }],
  ['invoice from:ann -draft', { from: 'ann', query: 'invoice -draft' }],
  ['from:Müller', { from: 'Müller' }],
  ["from:o'brien", { from: "o'brien" }],
  ['has:attachment', { has_attachment: 'true' }],
  ['has:attachments', { has_attachment: 'true' }],
  ['HAS:Attachment', { has_attachment: 'true' }],
  ['-has:attachment', { has_attachment: 'false' }],
  ['has:attachment has:attachment', { has_attachment: 'true' }],
  ['has:attachment report.pdf', { has_attachment: 'true', query: 'report.pdf' }],
  ['is:unread', { read: 'false' }],
  ['is:read', { read: 'true' }],
  ['-is:read', { read: 'false' }],
  ['-is:unread', { read: 'true' }],
  ['is:unseen', { read: 'false' }],
  ['is:unread from:ann', { read: 'false', from: 'ann' }],
  ['in:inbox', { folders: 'inbox' }],
  ['in:Archive', { folders: 'archive' }],
  ['in:spam viagra', { folders: 'spam', query: 'viagra' }],
  ['in:trash', { folders: 'trash' }],
  ['in:sent', { folders: 'sent' }],
  ['in:(inbox, archive)', { folders: 'inbox,archive' }],
  ['in:archive,inbox', { folders: 'inbox,archive' }],
  ['in:inbox in:archive', { folders: 'inbox,archive' }],
  ['in:anywhere', { folders: 'inbox,archive,spam,sent,trash' }],
  ['in:all invoice', { folders: 'inbox,archive,spam,sent,trash', query: 'invoice' }],
  ['folder:archive', { folders: 'archive' }],
  ['label:billing', { labels: BILLING }],
  ['label:BILLING', { labels: BILLING }],
  ['label:"needs reply"', { labels: NEEDS_REPLY }],
  ['label:(billing, "Needs reply")', { labels: `${BILLING},${NEEDS_REPLY}` }],
  ['label:Bug/iOS', { labels: BUG }],
  [`label:${BUG}`, { labels: BUG }],
  ['tag:billing', { labels: BILLING }],
  ['label:billing in:inbox', { labels: BILLING, folders: 'inbox' }],
  ['label:billing is:unread invoice', { labels: BILLING, read: 'false', query: 'invoice' }],
  ['after:2026-05-01', { start_date: `2026-05-01T00:00:00.000${SUMMER}` }],
  ['after:2026/05/01', { start_date: `2026-05-01T00:00:00.000${SUMMER}` }],
  ['after:2026/5/1', { start_date: `2026-05-01T00:00:00.000${SUMMER}` }],
  ['after:2026-01-15', { start_date: `2026-01-15T00:00:00.000${WINTER}` }],
  ['since:2026-05-01', { start_date: `2026-05-01T00:00:00.000${SUMMER}` }],
  ['newer:2026-05-01', { start_date: `2026-05-01T00:00:00.000${SUMMER}` }],
  ['before:2026-05-01', { end_date: `2026-04-30T23:59:59.999${SUMMER}` }],
  ['older:2026/05/01', { end_date: `2026-04-30T23:59:59.999${SUMMER}` }],
  [
    'after:2026-05-01 before:2026-06-01',
    { start_date: `2026-05-01T00:00:00.000${SUMMER}`, end_date: `2026-05-31T23:59:59.999${SUMMER}` },
  ],
  ['on:2026-05-01', { start_date: `2026-05-01T00:00:00.000${SUMMER}`, end_date: `2026-05-01T23:59:59.999${SUMMER}` }],
  ['date:2026-05-01', { start_date: `2026-05-01T00:00:00.000${SUMMER}`, end_date: `2026-05-01T23:59:59.999${SUMMER}` }],
  ['on:2026-05', { start_date: `2026-05-01T00:00:00.000${SUMMER}`, end_date: `2026-05-31T23:59:59.999${SUMMER}` }],
  ['on:2025', { start_date: `2025-01-01T00:00:00.000${WINTER}`, end_date: `2025-12-31T23:59:59.999${WINTER}` }],
  ['after:2026', { start_date: `2026-01-01T00:00:00.000${WINTER}` }],
  ['on:today', { start_date: `2026-11-21T00:00:00.000${WINTER}`, end_date: `2026-11-21T23:59:59.999${WINTER}` }],
  ['on:yesterday', { start_date: `2026-11-20T00:00:00.000${WINTER}`, end_date: `2026-11-20T23:59:59.999${WINTER}` }],
  ['after:yesterday', { start_date: `2026-11-20T00:00:00.000${WINTER}` }],
  ['before:today', { end_date: `2026-11-20T23:59:59.999${WINTER}` }],
  ['after:7d', { start_date: `2026-11-14T19:00:00.000${WINTER}` }],
  ['newer_than:7d', { start_date: `2026-11-14T19:00:00.000${WINTER}` }],
  ['newer_than:2w', { start_date: `2026-11-07T19:00:00.000${WINTER}` }],
  ['newer_than:3mo', { start_date: `2026-08-21T19:00:00.000${SUMMER}` }],
  ['newer_than:3m', { start_date: `2026-08-21T19:00:00.000${SUMMER}` }],
  ['newer_than:1y', { start_date: `2025-11-21T19:00:00.000${WINTER}` }],
  ['newer_than:12h', { start_date: `2026-11-21T07:00:00.000${WINTER}` }],
  ['older_than:1y', { end_date: `2025-11-21T18:59:59.999${WINTER}` }],
  ['before:2w', { end_date: `2026-11-07T18:59:59.999${WINTER}` }],
  ['after:2026-05-01T10:00', { start_date: `2026-05-01T10:00:00.000${SUMMER}` }],
  ['after:2026-05-01T10:00Z', { start_date: `2026-05-01T12:00:00.000${SUMMER}` }],
  ['before:2026-05-01T10:00:00-05:00', { end_date: `2026-05-01T16:59:59.999${SUMMER}` }],
  [
    'older_than:1mo newer_than:1y',
    { start_date: `2025-11-21T19:00:00.000${WINTER}`, end_date: `2026-10-21T18:59:59.999${SUMMER}` },
  ],
  ['older_than:9999y', { end_date: '0001-01-01T00:00:00.000Z' }],
  ['before:9999-12-31', { end_date: `9999-12-30T23:59:59.999${WINTER}` }],
  ['after:9999-12-31T23:59:59-23:00', { start_date: '9999-12-31T23:59:59.999Z' }],
  // Typed on keyboards for other scripts.
  ['from：ann', { from: 'ann' }],
  ['ｆｒｏｍ:ann', { from: 'ann' }],
  ['in：ｉｎｂｏｘ', { folders: 'inbox' }],
  ['is:ＵＮＲＥＡＤ', { read: 'false' }],
  ['after：２０２６／０５／０１', { start_date: `2026-05-01T00:00:00.000${SUMMER}` }],
  ['newer_than:７ｄ', { start_date: `2026-11-14T19:00:00.000${WINTER}` }],
  ['主题：明天', { query: '主题：明天' }],
  ['\u200ffrom:אבי', { from: 'אבי' }],
  ['from\u200f:\u2067אבי\u2069', { from: 'אבי' }],
  ['from:(\u200fאבי\u200f, "\u200fדנה")', { from: 'אבי,דנה' }],
  ['\u202b-טיוטה \u200f"שתי מילים"', { query: '-טיוטה "שתי מילים"' }],
  // The platform can't search subjects, so it gets the words for any field (W6).
  ['subject:invoice', { query: 'invoice' }],
  ['Subject:Invoice fog', { query: 'Invoice fog' }],
  ['subject:"fresh paint"', { query: '"fresh paint"' }],
  ['subject:(fresh paint) from:ann', { query: 'fresh paint', from: 'ann' }],
  ['subject:fresh subject:paint', { query: 'fresh paint' }],
  ['subject:-draft', { query: '"-draft"' }],
  ['subject:€ fog', { query: 'fog' }],
  [
    'from:ann has:attachment after:2026-05-01 in:(inbox, archive) invoice -draft',
    {
      from: 'ann',
      has_attachment: 'true',
      start_date: `2026-05-01T00:00:00.000${SUMMER}`,
      folders: 'inbox,archive',
      query: 'invoice -draft',
    },
  ],
]

/** Searches that can't be sent: the fault and the text it marks. */
const NOT_SENT: readonly (readonly [string, string, string])[] = [
  ['subject:(invoice, bill)', 'one_value', 'subject:(invoice, bill)'],
  ['subject:(invoice OR bill)', 'one_value', 'subject:(invoice OR bill)'],
  ['subject:invoice,bill', 'one_value', 'subject:invoice,bill'],
  ['subject:(invoice AND bill)', 'unsupported_word', 'invoice AND bill'],
  ['subject: invoice', 'missing_value', 'subject:'],
  ['-subject:invoice', 'cannot_exclude', '-subject:invoice'],
  ['subjct:invoice', 'unknown_operator', 'subjct'],
  ['body:invoice', 'unknown_operator', 'body'],
  ['form:ann', 'unknown_operator', 'form'],
  ['larger:5M', 'unknown_operator', 'larger'],
  ['filename:pdf', 'unknown_operator', 'filename'],
  ['mailto:ann@larkspur.example', 'unknown_operator', 'mailto'],
  ['Re: Invoice', 'unknown_operator', 'Re'],
  ['ann OR bob', 'unsupported_word', 'OR'],
  ['ann AND bob', 'unsupported_word', 'AND'],
  ['NOT draft', 'unsupported_word', 'NOT'],
  ['{ann bob}', 'word_group', '{ann'],
  ['invoice -(pro forma) may', 'word_group', '-(pro'],
  ['{ann "red car"}', 'word_group', '{ann'],
  ['{from:ann from:bob}', 'word_group', '{from:ann'],
  ['invoice -{pro forma}', 'word_group', '-{pro'],
  ['(from:ann invoice)', 'word_group', '(from:ann'],
  ['invoice (from:ann)', 'word_group', '(from:ann)'],
  ['(invoice from:ann)', 'word_group', '(invoice'],
  ['((from:ann invoice)', 'word_group', '((from:ann'],
  ['-(to:ann)', 'word_group', '-(to:ann)'],
  ['{is:unread}', 'word_group', '{is:unread}'],
  ['from:me', 'unknown_me', 'me'],
  ['to:(ann, Me)', 'unknown_me', 'Me'],
  ['cc:me invoice', 'unknown_me', 'me'],
  ['from:', 'missing_value', 'from:'],
  ['from: ann', 'missing_value', 'from:'],
  ['from:""', 'missing_value', 'from:""'],
  ['-from:ann', 'cannot_exclude', '-from:ann'],
  ['-label:billing', 'cannot_exclude', '-label:billing'],
  ['-in:spam', 'cannot_exclude', '-in:spam'],
  ['from:"Lee, Ann"', 'comma_in_value', '"Lee, Ann"'],
  ['from:(ann AND bob)', 'unsupported_word', 'ann AND bob'],
  ['-\u200ffrom:ann', 'cannot_exclude', '-\u200ffrom:ann'],
  ['from:\u200f', 'missing_value', 'from:\u200f'],
  ['on:9999-12-31', 'not_a_date', '9999-12-31'],
  ['in:drafts', 'unknown_value', 'drafts'],
  ['in:inbx', 'unknown_value', 'inbx'],
  ['is:important', 'unknown_value', 'important'],
  ['has:drive', 'unknown_value', 'drive'],
  ['label:biling', 'unknown_label', 'biling'],
  ['after:05/01/2026', 'not_a_date', '05/01/2026'],
  ['after:2026-02-30', 'not_a_date', '2026-02-30'],
  ['after:soon', 'not_a_date', 'soon'],
  ['on:7d', 'not_a_date', '7d'],
  ['newer_than:2026-05-01', 'not_a_date', '2026-05-01'],
  ['newer_than:0d', 'not_a_date', '0d'],
  ['is:read is:unread', 'contradiction', 'is:unread'],
  ['has:attachment -has:attachment', 'contradiction', '-has:attachment'],
  ['after:2026-05-01 after:2026-06-01', 'contradiction', 'after:2026-06-01'],
  ['before:2026-05-01 after:2026-06-01', 'dates_reversed', 'before:2026-05-01 after:2026-06-01'],
]

describe('common searches', () => {
  test.each(SENT)('%j is sent correctly', (text, parameters) => {
    expect(parametersOf(text)).toEqual({ folders: 'inbox,archive,sent', ...parameters })
  })

  test.each(NOT_SENT)('%j is rejected: %s', (text, code, marked) => {
    const { faults } = parseSearch(text, context)
    expect(faults.map((fault) => [fault.code, text.slice(fault.span.start, fault.span.end)])).toEqual([[code, marked]])
  })

  test.each([
    ['form:ann', 'from'],
    ['label:biling', 'billing'],
    ['label:need', 'Needs reply'],
    ['zebra:x', null],
  ])('%j suggests %s', (text, nearest) => {
    expect(parseSearch(text, context).faults).toMatchObject([{ nearest }])
  })

  test.each([
    ['invo', 'invo'],
    ['from:ann red invo', 'invo'],
    ['invo ', 'invo'],
    ['invo in:inbox is:unread', 'invo'],
    ['invo -draft', 'invo'],
    ['invo €', 'invo'],
    ['fresh subject:pai', 'pai'],
    ['subject:(fresh pai)', 'pai'],
    ['"invo', undefined],
    ['fresh "red car"', undefined],
    ['subject:"pai"', undefined],
    ['-invo', undefined],
    ['from:ann', undefined],
    ['', undefined],
  ])('%j also finds words that begin with %s', (text, open) => {
    const { filter } = parseSearch(text, context)
    expect(findPrefixTerm(filter.text)?.text).toBe(open)
    expect(withPrefixTerm(filter).lastWordIsPrefix).toBe(open === undefined ? undefined : true)
  })

  test.each([
    ['€ 250', 'no_word', '€'],
    ['invoi*', 'star', 'invoi*'],
    ['from:*@larkspur.example', 'star', 'from:*@larkspur.example'],
  ])('%j gets a remark: %s', (text, code, marked) => {
    const { remarks } = parseSearch(text, context)
    expect(remarks.map((remark) => [remark.code, text.slice(remark.span.start, remark.span.end)])).toEqual([
      [code, marked],
    ])
  })
})
