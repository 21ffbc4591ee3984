// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { findCannedReplies } from '../../../src/renderer/features/writing/insert-canned-reply.ts'
import { parseTypedStart } from '../../../src/renderer/features/writing/typed-offers.ts'
import { createPlainCaretField } from '../../../src/renderer/features/writing/caret-field.ts'
import {
  unwrapSingleParagraph,
  sanitizeSnippet,
  fillSnippet,
  toMessageValues,
  toSenderValues,
} from '../../../src/renderer/features/writing/fill-snippet.ts'
import { toOutgoingHtml } from '../../../src/renderer/features/writing/outgoing-html.ts'
import {
  replaceHtmlSignature,
  replaceTextSignature,
  stripSignature,
} from '../../../src/renderer/features/writing/signature.ts'
import type { Contact } from '../../../src/shared/people.ts'

const SENDER = { name: 'Support', address: 'support@example.com' }
const ANN: Contact = {
  id: 'contact-1',
  email: 'ann@example.com',
  firstName: 'Ann',
  lastName: null,
  createdAt: null,
  unsubscribed: false,
  properties: { company: '<b>Acme</b> & Sons' },
}

describe('canned reply', () => {
  const valuesFor = (contact: Contact | null, name: string | null = 'Annabel Lee') =>
    toMessageValues(SENDER, { subject: 'Re: AW: Berth four', to: { name, address: 'ann@example.com' } }, contact)

  it('is filled from the contact, or else from the name in the e-mail', () => {
    const html = '<p>Dear <b>{first_name|customer}</b> {last_name|}, about “{subject}”</p>'
    expect(fillSnippet(html, valuesFor(ANN))).toBe('<p>Dear <b>Ann</b> , about “Berth four”</p>')
    expect(fillSnippet(html, valuesFor(null))).toBe('<p>Dear <b>Annabel</b> Lee, about “Berth four”</p>')
    expect(fillSnippet(html, valuesFor(null, null))).toContain('<b>customer</b>')
  })

  it('escapes markup in values', () => {
    expect(fillSnippet('<p>{property.company}</p>', valuesFor(ANN))).toBe('<p>&lt;b&gt;Acme&lt;/b&gt; &amp; Sons</p>')
  })

  it('is inserted inline if it is one paragraph', () => {
    expect(unwrapSingleParagraph('<p style="margin:0">One <b>two</b></p>')).toBe('One <b>two</b>')
    expect(unwrapSingleParagraph('<p>One</p><p>two</p>')).toBe('<p>One</p><p>two</p>')
    expect(unwrapSingleParagraph('<ul><li>One</li></ul>')).toBe('<ul><li>One</li></ul>')
  })

  it('is saved clean, without pictures or surrounding blank lines', () => {
    expect(
      sanitizeSnippet('<p></p><p>One<script>1</script></p><p></p><p>two<img src="cid:a@b" alt="x"></p><p></p><p></p>'),
    ).toBe(toOutgoingHtml('<p>One</p><p></p><p>two</p>'))
    expect(sanitizeSnippet('<p></p><p><br></p>')).toBe('')
  })

  it('is found after a semicolon by words of its name', () => {
    expect(parseTypedStart('Hello ;')).toEqual({ kind: 'reply', text: '' })
    expect(parseTypedStart(';thank y')).toEqual({ kind: 'reply', text: 'thank y' })
    expect(parseTypedStart('(;a')).toEqual({ kind: 'reply', text: 'a' })
    for (const before of ['', 'one; ', 'one;two', 'Hello ; ', 'a ;;', 'a ;b; c'])
      expect([before, parseTypedStart(before)]).toEqual([before, null])
    const replies = ['Refund', 'Thank you', 'No thanks', 'Über uns'].map((name) => ({ id: name, name, html: '' }))
    const found = (typed: string) => findCannedReplies(replies, typed).map(({ name }) => name)
    expect(found('')).toEqual(['Refund', 'Thank you', 'No thanks', 'Über uns'])
    expect(found('THAN')).toEqual(['Thank you', 'No thanks'])
    expect(found('you th')).toEqual(['Thank you'])
    expect(found('uber')).toEqual(['Über uns'])
    expect(found('x')).toEqual([])
  })

  it('replaces the typed name in plain text', () => {
    const field = document.createElement('textarea')
    document.body.append(field)
    field.value = 'One\nHi ;tha two'
    field.setSelectionRange(11, 11)
    const caret = createPlainCaretField(field)
    expect(caret.before()).toBe('Hi ;tha')
    caret.selectBefore(4)
    expect([field.selectionStart, field.selectionEnd]).toEqual([7, 11])
    expect(caret.before()).toBeNull()
  })
})

describe('signature', () => {
  const [one, two] = [sanitizeSnippet('<p>Ann, {sender_name|us}</p>'), sanitizeSnippet('<p>Ben</p><p>Sales</p>')]

  it('uses only sender values, so it is the same for every recipient', () => {
    const filled = fillSnippet('{sender_name}, {sender_email}, {first_name|all}', toSenderValues(SENDER))
    expect(filled).toBe('Support, support@example.com, all')
  })

  it('goes below an empty line, and is replaceable until edited', () => {
    const begun = replaceHtmlSignature('', '', one)
    expect(toOutgoingHtml(begun ?? '')).toBe(begun)
    expect(replaceHtmlSignature(begun ?? '', one, two)).toBe(begun?.replace(one, two))
    const words = toOutgoingHtml('<p>Hello</p>')
    expect(replaceHtmlSignature(`${words}${one}`, one, two)).toBe(`${words}${two}`)
    expect(replaceHtmlSignature(`${words}${one}`, one, '')).toBe(words)
    expect(replaceHtmlSignature(`${words}${one.replace('Ann', 'Anna')}`, one, two)).toBeNull()
    expect(replaceTextSignature('\n\nAnn, us', one.replace('{sender_name|us}', 'us'), two)).toBe('\n\nBen\n\nSales')
    expect(replaceTextSignature('Hello\n\nAnna', one, two)).toBeNull()
  })

  it('doesn’t count as written text', () => {
    expect(stripSignature('Ben\n\nSales', 'Ben\n\nSales')).toBe('')
    expect(stripSignature('Hi\n\nBen\n\nSales\n', 'Ben\n\nSales').trim()).toBe('Hi')
    expect(stripSignature('Hi', '')).toBe('Hi')
    expect(stripSignature('Ben', 'Ben\n\nSales')).toBe('Ben')
  })
})
