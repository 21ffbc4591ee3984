// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { parseMailto } from '../../../src/renderer/features/writing/external-content.ts'

const addresses = (people: readonly { readonly address: string }[]) => people.map(({ address }) => address)

it.each([
  ['mailto:ada@quill.example', ['ada@quill.example'], '', ''],
  ['mailto:ada+tag@quill.example?subject=1+1', ['ada+tag@quill.example'], '1+1', ''],
  ['mailto:ada@quill.example,bo@quill.example?to=cy@quill.example', 3, '', ''],
  ['MAILTO:ada%40quill.example?Subject=A%20%26%20B&body=One%0D%0ATwo', ['ada@quill.example'], 'A & B', 'One\nTwo'],
  ['mailto:?subject=Ber%C3%9Fth', [], 'Berßth', ''],
  ['mailto:ada@quill.example?subject=100%', ['ada@quill.example'], '100%', ''],
  [
    'mailto:ada@quill.example?subject=A%0D%0ABcc:%20eve@evil.example',
    ['ada@quill.example'],
    'A Bcc: eve@evil.example',
    '',
  ],
  ['mailto:%22Lee,%20Ann%22%20%3Cann@quill.example%3E', ['ann@quill.example'], '', ''],
  ['mailto:nobody', ['nobody'], '', ''],
])('starts a message from %s', (target, to, subject, text) => {
  const begun = parseMailto(new URL(target).href)
  if (typeof to === 'number') expect(begun.to).toHaveLength(to)
  else expect(addresses(begun.to)).toEqual(to)
  expect([begun.subject, begun.text]).toEqual([subject, text])
})

it('lists each recipient once and shows the copies', () => {
  const { to, cc, bcc } = parseMailto('mailto:a@q.example?cc=A@q.example,b@q.example&bcc=b@q.example;c@q.example')
  expect([addresses(to), addresses(cc), addresses(bcc)]).toEqual([['a@q.example'], ['b@q.example'], ['c@q.example']])
})

it('ignores markup, attachments and other headers in the link', () => {
  const begun = parseMailto(
    'mailto:a@q.example?body=%3Cimg%20src=x%20onerror=alert(1)%3E&attach=/etc/passwd&attachment=C:%5Ckeys&in-reply-to=%3Cx%3E',
  )
  expect(begun.html).not.toContain('<img')
  expect(begun.text).toBe('<img src=x onerror=alert(1)>')
  expect(Object.keys(begun).sort()).toEqual(['bcc', 'cc', 'html', 'subject', 'text', 'to'])
})

it('limits the length of subject and text', () => {
  const { subject, text } = parseMailto(`mailto:a@q.example?subject=${'s'.repeat(9_000)}&body=${'b'.repeat(90_000)}`)
  expect(subject.length).toBeLessThan(9_000)
  expect(text).toHaveLength(20_000)
})
