import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  detectMailAuthor,
  detectMailKind,
  type MailAuthor,
  type MailHeaders,
} from '../../../../../src/engine/store/search-index/mail-kind.ts'
import { RECEIVED_EMAIL_KINDS } from '../../../../../src/shared/thread-query.ts'

const ANN = 'Ann Lee <ann@example.com>'

test.each<[string, MailHeaders]>([
  ['List-Id', { 'list-id': '<weekly.example.com>' }],
  ['List-Id in any case', { 'LIST-ID': '<weekly.example.com>' }],
  ['List-Unsubscribe', { 'list-unsubscribe': '<mailto:out@example.com>' }],
  ['Precedence: bulk', { precedence: 'Bulk' }],
  ['Precedence: list', { precedence: ' list ' }],
  ['several of Precedence', { precedence: 'first-class, list' }],
  ['a program that sends for a list', { 'list-id': '<weekly.example.com>', 'auto-submitted': 'auto-generated' }],
])('treats %s as a newsletter', (_name, headers) => {
  expect(detectMailKind(ANN, headers)).toBe('newsletter')
  expect(detectMailKind('no-reply@shop.example', headers)).toBe('newsletter')
})

test.each<[string, MailHeaders]>([
  ['Auto-Submitted', { 'auto-submitted': 'auto-generated' }],
  ['Auto-Submitted with a parameter', { 'auto-submitted': 'auto-replied; owner-email="a@example.com"' }],
  ['Auto-Submitted with a comment', { 'auto-submitted': 'auto-notified (by cron)' }],
  ['X-Auto-Response-Suppress', { 'x-auto-response-suppress': 'All' }],
  ['Precedence: junk', { precedence: 'junk' }],
  ['an empty Return-Path', { 'return-path': '<>' }],
  ['no Return-Path behind its name', { 'return-path': '' }],
  ['a report of delivery', { 'content-type': 'multipart/report; report-type=delivery-status; boundary=x' }],
  ['X-Failed-Recipients', { 'x-failed-recipients': 'bob@example.com' }],
  ['an automatic reply over a list', { 'list-id': '<weekly.example.com>', 'auto-submitted': 'auto-replied' }],
])('treats %s as a robot', (_name, headers) => {
  expect(detectMailKind(ANN, headers)).toBe('robot')
})

test.each<[string, MailHeaders | null]>([
  ['nothing known', null],
  ['no header', {}],
  ['Auto-Submitted: no', { 'auto-submitted': 'No' }],
  ['Auto-Submitted: no with a comment', { 'auto-submitted': 'no (a person)' }],
  ['a Return-Path', { 'return-path': '<ann@example.com>' }],
  ['Precedence: first-class', { precedence: 'first-class' }],
  ['names of objects', { __proto__: 'x', constructor: 'list', tostring: 'bulk' }],
  ['a list in the text of another header', { subject: 'List-Id: <weekly.example.com>' }],
])('treats %s as a person', (_name, headers) => {
  expect(detectMailKind(ANN, headers)).toBe('person')
})

test.each<[MailAuthor, MailHeaders]>([
  ['autoReply', { 'auto-submitted': 'auto-generated', 'in-reply-to': '<1@example.com>' }],
  [
    'autoReply',
    { 'Auto-Submitted': 'Auto-Generated', 'In-Reply-To': '<1@a.example>', 'X-Auto-Response-Suppress': 'All' },
  ],
  ['program', { 'auto-submitted': 'auto-generated' }],
  ['program', { 'auto-submitted': 'auto-notified', 'in-reply-to': '<1@example.com>' }],
  [
    'newsletter',
    { 'auto-submitted': 'auto-generated', 'in-reply-to': '<1@example.com>', 'list-id': '<a.example.com>' },
  ],
  ['person', { 'in-reply-to': '<1@example.com>' }],
])('names %s as the author for %j', (author, headers) => {
  expect(detectMailAuthor({ from: ANN, subject: '[Request received] Offer', headers })).toBe(author)
})

test.each([
  'no-reply@example.com',
  'Shop <NoReply@example.com>',
  'no_reply+tag@example.com',
  'do-not-reply@example.com',
  'orders-noreply@example.com',
  'MAILER-DAEMON@example.com',
  'Mail Delivery System <mailer-daemon>',
  'postmaster@example.com',
  'notifications@example.com',
  'bounce-123-456@example.com',
  'bounces+ann=example.com@lists.example',
])('treats %s without headers as a robot', (from) => {
  expect(detectMailKind(from, null)).toBe('robot')
  expect(detectMailKind(from, {})).toBe('robot')
})

test.each(['newsletter@example.com', 'News <news@example.com>', 'weekly digest <digest@example.com>'])(
  'treats %s without headers as a newsletter',
  (from) => {
    expect(detectMailKind(from, null)).toBe('newsletter')
  },
)

test.each([
  'noreen@example.com',
  'Newsletter <ann@example.com>',
  'no-reply <ann@example.com>',
  'bouncer@example.com',
  'newsome@example.com',
  'replyno@example.com',
  '',
  '@',
  'ann',
])('treats %j without headers as a person', (from) => {
  expect(detectMailKind(from, null)).toBe('person')
})

test('classifies any sender and headers quickly', () => {
  const headers = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('list-id', 'Auto-Submitted', 'precedence', 'return-path', 'content-type')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(headers), (from, each) => {
      expect(RECEIVED_EMAIL_KINDS).toContain(detectMailKind(from, each))
    }),
  )
  const long = { precedence: ','.repeat(5_000_000), 'auto-submitted': '('.repeat(5_000_000) }
  expect(detectMailKind('<'.repeat(5_000_000), long)).toBe('person')
})
