import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAppLink, findAppLink, parseAppLink, type AppLink } from '../../../src/shared/app-link.ts'
import { isAddress } from '../../../src/shared/recipients.ts'

const id = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text))
const query = id.map((text) => text.trim()).filter((text) => text !== '')
const link: fc.Arbitrary<Exclude<AppLink, { kind: 'compose' }>> = fc.oneof(
  fc.record({ kind: fc.constant('thread' as const), inboxId: id, threadId: id }),
  fc.record({ kind: fc.constant('search' as const), inboxId: fc.option(id), query }),
  fc.record({
    kind: fc.constant('contact' as const),
    address: fc.constantFrom('ada@quay.example', "o'brien+box@pier.example", 'jörg@hafen.example').filter(isAddress),
  }),
)

describe('link to Linnet', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(link, (each) => {
        expect(parseAppLink(formatAppLink(each))).toEqual(each)
      }),
    )
  })

  it('parses any input to a known kind or null', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.webUrl().map((url) => url.replace(/^https?:/, 'linnet:')),
      fc
        .tuple(fc.constantFrom('thread', 'search', 'contact', 'compose', 'app', 'x'), fc.string({ maxLength: 60 }))
        .map(([place, rest]) => `linnet://${place}${rest}`),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const read = parseAppLink(text)
        if (read !== null && read.kind !== 'compose') expect(parseAppLink(formatAppLink(read))).toEqual(read)
      }),
      { numRuns: 2_000 },
    )
  })

  it('accepts capitals and a trailing slash', () => {
    expect(parseAppLink('LINNET://Thread/desk/one/')).toEqual({ kind: 'thread', inboxId: 'desk', threadId: 'one' })
    expect(parseAppLink('linnet://search/?query=fog')).toEqual({ kind: 'search', inboxId: null, query: 'fog' })
  })

  it('starts a message like a mailto: link', () => {
    const compose = { kind: 'compose', mailto: 'mailto:?to=a%40b.example&subject=Hi' }
    expect(parseAppLink('linnet://compose?to=a%40b.example&subject=Hi')).toEqual(compose)
    expect(parseAppLink('mailto:a@b.example')).toEqual({ kind: 'compose', mailto: 'mailto:a@b.example' })
    expect(parseAppLink('MAILTO:a@b.example?attach=/etc/passwd')).toMatchObject({ kind: 'compose' })
  })

  it.each([
    'linnet://app/index.html',
    'linnet://app/index.html#/settings',
    'linnet://settings',
    'linnet://thread/desk',
    'linnet://thread/desk/one/two',
    'linnet://thread//one',
    'linnet://thread/desk/%00',
    'linnet://thread/desk/%E0%A4%A',
    'linnet://thread/desk/one?folder=trash',
    'linnet://thread/desk/one#archive',
    'linnet://user:word@thread/desk/one',
    'linnet://thread:80/desk/one',
    'linnet://thread.evil.example/desk/one',
    `linnet://thread/desk/${'a'.repeat(600)}`,
    'linnet://search',
    'linnet://search?query=',
    'linnet://search?query=%20',
    'linnet://search?query=a&query=b',
    'linnet://search?query=a&run=1',
    `linnet://search?query=${'a'.repeat(257)}`,
    'linnet://search/desk?query=a',
    'linnet://contact/nobody',
    'linnet://contact/ada@quay.example/delete',
    'linnet://compose/ada?attach=/etc/passwd',
    'linnet:thread/desk/one',
    'linnet:///thread/desk/one',
    'linnet://thread/desk/one two',
    'linnet://thread/desk/one\n--inspect',
    ' linnet://thread/desk/one',
    'mailto://evil.example/a@b.example',
    'mailto:a@b.example\r\nBcc: c@d.example',
    `mailto:${'a'.repeat(40_000)}@b.example`,
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://linnet.example/',
    '--inspect=linnet://thread/desk/one',
    '',
  ])('excludes %j', (text) => {
    expect(parseAppLink(text)).toBeNull()
  })

  it('is found among the start arguments, wherever Chromium puts it', () => {
    const thread = { kind: 'thread', inboxId: 'desk', threadId: 'one' }
    expect(findAppLink(['/usr/bin/linnet', 'linnet://thread/desk/one'])).toEqual(thread)
    expect(findAppLink(['linnet', '--data-dir=x', 'linnet://thread/desk/one', '--enable-crashpad'])).toEqual(thread)
    expect(findAppLink(['linnet', 'mailto:a@b.example', 'linnet://thread/desk/one'])).toEqual(thread)
    expect(findAppLink(['linnet', '--data-dir=linnet://thread/desk/one', '.'])).toBeNull()
    expect(findAppLink([])).toBeNull()
  })
})
