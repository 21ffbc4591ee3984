// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { sanitizePaste } from '../../../src/renderer/features/writing/sanitize-paste.ts'
import { quoteEmail } from '../../../src/renderer/features/writing/quote-email.ts'

const quoted = async (html: string): Promise<string> => {
  const email = { html, text: null, from: 'a@a.example', to: [], cc: [], subject: null, date: 0 }
  return (await quoteEmail('reply', email)).html
}

const WAYS = [
  ['pasted', (html: string) => Promise.resolve(sanitizePaste(html))],
  ['quoted', quoted],
] as const

/** Styles that surely hide an element's text, as the browser computes them. */
const HIDING = ['display:none', 'DISPLAY:NONE!important;display:block', 'visibility:hidden', 'opacity:0', 'font-size:0']

/** Styles that may hide text, so it goes through and is visible in the composer. */
const UNSURE = [
  'color:#fff',
  'color:transparent',
  'font-size:1px',
  'max-height:0;overflow:hidden',
  'position:absolute;left:-9999px',
  'text-indent:-9999px',
  'clip-path:circle(0)',
  'transform:scale(0)',
  'opacity:.01',
  'letter-spacing:-1em',
]

describe.each(WAYS)('%s HTML', (_, clean) => {
  it.each(HIDING)('leaves out text that is surely hidden: %s', async (style) => {
    expect(await clean(`<p>kept <span style='${style}'>SECRET</span></p>`)).not.toContain('SECRET')
    const sent = await clean(`<div style='${style}'><b>SECRET</b></div><p>kept</p>`)
    expect(sent).toContain('kept')
    expect(sent).not.toContain('SECRET')
  })

  it.each([
    '<style>span { display: none }</style><p>kept <span>SECRET</span></p>',
    '<style>#x { display: none } .x { display: inline }</style><p>kept <span class="x" id="x">SECRET</span></p>',
    '<style>.x { display: none !important }</style><p>kept <span class="x" style="display:inline">SECRET</span></p>',
  ])('leaves out text that a style sheet hides: %s', async (html) => {
    expect(await clean(html)).toContain('kept')
    expect(await clean(html)).not.toContain('SECRET')
  })

  it.each([
    '<style>@media print { .x { display: none } }</style><p class="x">WORDS</p>',
    '<style>.x { display: none } p.x { display: block }</style><p class="x">WORDS</p>',
    '<style>.x:hover { display: none }</style><p class="x">WORDS</p>',
    '<div style="visibility:hidden"><p style="visibility:visible">WORDS</p></div>',
    '<div style="font-size:0"><p style="font-size:13px">WORDS</p></div>',
  ])('keeps visible text: %s', async (html) => {
    expect(await clean(html)).toContain('WORDS')
  })

  it.each(UNSURE)('shows the writer what may be hidden: %s', async (style) => {
    expect(await clean(`<p>kept <span style='${style}'>WORDS</span></p>`)).toContain('WORDS')
  })
})

it('keeps pictures in a layout without letters', async () => {
  const html = '<div style="font-size:0"><img src="https://a.example/a.png" alt="A pier" width="90" height="20"></div>'
  expect(await quoted(html)).toContain('[A pier]')
})

it('drops collapsed details from pasted HTML, but keeps open ones', () => {
  const fold = (open: string): string => sanitizePaste(`<details${open}><summary>More</summary><p>WORDS</p>x</details>`)
  expect(fold('')).toMatch(/More/)
  expect(fold('')).not.toMatch(/WORDS|x</)
  expect(fold(' open')).toMatch(/More.*WORDS/)
})

it('drops fallback text of embedded elements from pasted HTML', () => {
  const unseen = ['video', 'audio', 'canvas', 'object', 'iframe', 'noframes']
  expect(sanitizePaste(`<p>kept ${unseen.map((tag) => `<${tag}>SECRET</${tag}>`).join('')}</p>`)).not.toContain(
    'SECRET',
  )
})
