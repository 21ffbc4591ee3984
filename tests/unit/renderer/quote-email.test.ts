// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { sanitizeHtml } from '../../../src/renderer/features/bodies/sanitize-html.ts'
import { quoteEmail, type QuotedEmail } from '../../../src/renderer/features/writing/quote-email.ts'
import { createReplyContent, wholeTextFile } from '../../../src/renderer/features/writing/reply-content.ts'
import { checkOutgoingHtml } from './support/check-outgoing-html.ts'
import { hostileCorpus } from '../../support/hostile-corpus.ts'

const email = (html: string | null, text: string | null = null): QuotedEmail => ({
  html,
  text,
  from: '"Lee, Ann" <ann@a.example>',
  to: ['Bo <bo@b.example>'],
  cc: [],
  subject: 'A <b>subject</b>',
  date: Date.UTC(2026, 4, 1, 9, 30),
})

it('quotes a reply with its author, in HTML and text', async () => {
  const quote = await quoteEmail('reply', email('<p>Hello</p><p>World</p>'))
  expect(quote.html).toMatch(
    /On Fri,? 1 May 2026,? .*"Lee, Ann" &lt;ann@a\.example&gt; wrote:<\/p><blockquote type="cite"/,
  )
  expect(quote.text).toMatch(/wrote:\n> Hello\n>\n> World$/)
  expect(checkOutgoingHtml(quote.html)).toEqual([])
})

it('quotes an e-mail without HTML by its text', async () => {
  const { html, text } = await quoteEmail('replyAll', email(null, 'One\n\n> two <b>'))
  expect(html).toContain('two &lt;b&gt;')
  expect(text).toMatch(/wrote:\n> One\n>\n>> two <b>$/)
})

it('puts a forwarded e-mail below a banner with escaped headers', async () => {
  const { html, text } = await quoteEmail('forward', email('<p>Hello</p>'))
  expect(text).toMatch(
    /^-{10} Forwarded message -{10}\nFrom: "Lee, Ann" <ann@a\.example>\nDate: .*\nSubject: A <b>subject<\/b>\nTo: Bo <bo@b\.example>\n\nHello$/,
  )
  expect(html).toContain('A &lt;b&gt;subject&lt;/b&gt;')
  expect(checkOutgoingHtml(html)).toEqual([])
})

describe('quoted text limited to what the reader shows', () => {
  /** Visible letters and digits only, because quoting may lose the separators between words. */
  const lettersOf = (html: string, within = 'body'): string => {
    const page = new DOMParser().parseFromString(html, 'text/html')
    for (const unseen of page.querySelectorAll('style, .linnet-quote > summary')) unseen.remove()
    return (page.querySelector(within)?.textContent ?? '').replace(/[^\p{L}\p{N}]/gu, '')
  }

  const isWithin = (letters: string, all: string): boolean => {
    let at = 0
    for (const letter of letters) {
      at = all.indexOf(letter, at) + 1
      if (at === 0) return false
    }
    return true
  }

  it.each(hostileCorpus('evil.example'))('matches the reader for $name', async ({ html }) => {
    const quote = await quoteEmail('reply', email(`${html}<p>kept</p>`))
    expect(checkOutgoingHtml(quote.html)).toEqual([])
    expect(quote.html).not.toMatch(/<(?:img|script|form|iframe|style)/i)
    const letters = lettersOf(quote.html, 'blockquote')
    const shown = lettersOf(sanitizeHtml(`${html}<p>kept</p>`).markup)
    // Some samples swallow what follows.
    expect(letters.includes('kept')).toBe(shown.includes('kept'))
    expect(isWithin(letters, shown), `${letters} in ${shown}`).toBe(true)
  })

  it.each([
    '<div style="display:none">SECRET</div>',
    '<div style="font-size:0">SECRET</div>',
    '<div style="opacity:0">SECRET</div>',
    '<div style="visibility:hidden"><b>SECRET</b></div>',
    '<style>.pre { display: none !important }</style><span class="pre">SECRET</span>',
    '<style>p.pre, b { font-size: 0 }</style><p class="pre">SECRET</p>',
    '<style>/* } */ p[title="}"] { color: red } .pre { visibility: hidden }</style><p class="pre">SECRET</p>',
    '<img src="https://evil.example/pixel?SECRET" width="1" height="1" alt="SECRET">',
  ])('leaves out hidden text: %s', async (html) => {
    const { html: sent, text } = await quoteEmail('reply', email(`${html}<p>kept</p>`))
    expect(sent).toContain('kept')
    expect(sent + text).not.toContain('SECRET')
  })

  it.each([
    '<td style="font-size:0"><div style="font-size:13px">WORDS</div></td>',
    '<div style="visibility:hidden"><p style="visibility:visible">WORDS</p></div>',
    '<div style="background:#000"><p style="color:#fff">WORDS</p></div>',
    '<style>.dark { background-color: navy } .dark p { color: white }</style><div class="dark"><p>WORDS</p></div>',
    '<style>@keyframes a { from { opacity: 0 } } .a:hover { display: none }</style><p class="a">WORDS</p>',
  ])('keeps visible text: %s', async (html) => {
    expect((await quoteEmail('reply', email(`<p>kept</p>${html}`))).text).toContain('WORDS')
  })

  it('names remote pictures and includes folded earlier e-mails', async () => {
    const { html, text } = await quoteEmail(
      'reply',
      email(
        '<p>Hi</p><img src="https://a.example/p.png" alt="A graph" width="200"><div class="gmail_quote">On Monday Bo wrote:<blockquote class="gmail_quote"><p>Before</p></blockquote></div>',
      ),
    )
    expect(html).not.toContain('a.example/p.png')
    expect(text).toContain('[A graph]')
    expect(text).toContain('Before')
    expect(text).not.toContain('Show earlier')
  })
})

it('keeps the direction of each paragraph of a text', async () => {
  const { html } = await quoteEmail('reply', email(null, 'שלום\n\nHi, (שלום)\n\n12. مرحبا'))
  const page = new DOMParser().parseFromString(html, 'text/html')
  expect([...page.querySelectorAll('blockquote p')].map((each) => each.getAttribute('dir'))).toEqual([
    'rtl',
    null,
    'rtl',
  ])
  expect(checkOutgoingHtml(html)).toEqual([])
})

it('quotes a text of 150,000 lines', async () => {
  const { text } = await quoteEmail('reply', email(null, 'line\n'.repeat(150_000)))
  expect(text.split('\n').filter((line) => line === '> line')).toHaveLength(150_000)
})

it('says that the rest of a heavy message is not quoted', async () => {
  const text = 'line\n'.repeat(100_000)
  const about = { ...email(null), direction: 'inbound', replyTo: [], from: 'ann@a.example' } as const
  const { quote } = await createReplyContent('reply', about, { html: null, text, apart: null }, [])
  expect(quote?.text.match(/^> line$/gm)).toHaveLength(2_000)
  expect(quote?.text).toMatch(/> \[The rest of this message is too large to quote\.\]$/)
  expect(checkOutgoingHtml(quote?.html ?? '')).toEqual([])
})

it('quotes a plain message with empty HTML as it is', async () => {
  const about = { ...email(null), direction: 'inbound', replyTo: [], from: 'ann@a.example' } as const
  const { quote } = await createReplyContent('reply', about, { html: ' ', text: 'A line.', apart: null }, [])
  expect(quote?.text).toMatch(/wrote:\n> A line\.$/)
})

it('attaches the whole text of a heavy message that is forwarded', async () => {
  const text = 'line\n'.repeat(100_000)
  const about = { ...email(null), direction: 'inbound', replyTo: [], from: 'ann@a.example' } as const
  const fileOf = async (kind: 'reply' | 'forward', body: string) => {
    const bodies = { html: null, text: body, apart: null }
    return wholeTextFile(bodies, (await createReplyContent(kind, about, bodies, [])).quote)
  }
  expect(await fileOf('forward', text)).toMatchObject({ name: 'Whole message.txt', size: text.length })
  expect(await fileOf('forward', 'A line.')).toBeNull()
  expect(await fileOf('reply', text)).toBeNull()
})
