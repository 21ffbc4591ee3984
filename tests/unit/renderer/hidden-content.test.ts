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

/** Styles that hide an element's text on a white page. */
const HIDING = [
  'display:none',
  'display:no\\6e e',
  // This escape yields a different character.
  'display:no\\6ee',
  'visibility:\\68 idden',
  'd\\69 splay:none',
  'display:/**/none',
  'display:none;display:nothing-known',
  'DISPLAY:NONE!important;display:block',
  '--hide:none;display:var(--hide)',
  'display:var(--missing, none)',
  'content-visibility:hidden',
  'visibility:hidden',
  'opacity:0',
  'opacity:calc(1 - 1)',
  'opacity:.5%',
  'transform:scale(0)',
  'transform:rotate(3deg) scaleX(.001)',
  'transform:scale3d(0,1,1)',
  'transform:matrix(0,0,0,0,0,0)',
  'transform:matrix(1,1,1,1,0,0)',
  'transform:rotateX(90deg)',
  'transform:rotate3d(0,1,0,.25turn)',
  'transform:rotateY(180deg);backface-visibility:hidden',
  'transform:translate(-9999px)',
  'transform:translateY(calc(-100vh - 1em))',
  '-webkit-transform:scale(0)',
  'scale:0',
  'translate:-9999px',
  'rotate:y 90deg',
  'zoom:.01',
  'clip-path:circle(0)',
  'clip-path:ellipse(0 50%)',
  'clip-path:inset(50%)',
  'clip-path:inset(0 100% 0 0)',
  'clip-path:polygon(0 0,0 0,0 0)',
  'clip-path:path("M0 0")',
  'clip-path:rect(0 0 0 0)',
  'clip-path:xywh(0 0 0 0)',
  '-webkit-clip-path:circle(0 at 0 0)',
  'position:absolute;clip:rect(0,0,0,0)',
  'position:absolute;left:-9999px',
  'position:absolute;left:calc(-9999px)',
  'position:absolute;left:calc(0px - 100 * 10em)',
  'position:absolute;left:min(-9999px, 0px)',
  'position:absolute;inset:-999em auto auto 0',
  'position:absolute;inset-inline-start:-9999px',
  'position:absolute;left:9999px',
  'position:absolute;right:9999px',
  'position:absolute;top:99999px',
  'position:fixed;top:110vh',
  'text-indent:9999px',
  'margin:0 0 0 -9999px',
  'margin-block-start:-999px',
  'text-indent:-999em',
  'overflow:hidden;white-space:nowrap;text-indent:100%',
  'overflow:hidden;height:0',
  'overflow:hidden;block-size:calc(2px - 2px)',
  'overflow:clip;width:1px',
  'overflow:hidden;line-height:0',
  'contain:strict;height:0',
  'max-height:0',
  'filter:opacity(0)',
  'filter:blur(0) opacity(1%)',
  'filter:blur(30px)',
  'filter:invert(1)',
  '-webkit-filter:opacity(0)',
  'mix-blend-mode:screen',
  'mask:linear-gradient(transparent,transparent)',
  'mask-image:linear-gradient(#0000,rgb(0 0 0 / 0))',
  '-webkit-mask-image:url(https://a.example/none.png)',
  'mask:linear-gradient(#000,#000) luminance',
  'mask-image:linear-gradient(#000,#000);mask-size:0 0',
  '-webkit-mask-box-image:linear-gradient(transparent,transparent)',
  'color:transparent',
  'color:#fff',
  'color:#0000',
  'color:rgba(0,0,0,0.01)',
  'color:hsl(0 0% 100%)',
  'color:white',
  'color:#fefefe;background:#fff',
  'color:navy;background:linear-gradient(navy,#000080)',
  'color:color-mix(in srgb, transparent, transparent)',
  'color:Canvas',
  '-webkit-text-fill-color:transparent',
  '-webkit-text-fill-color:#fff',
  'font-size:0',
  'font-size:calc(1px * 0.5)',
  'font-size:1pt',
  'font-size:5%',
  'font:0/0 a',
  'font:700 1px/1 Arial',
  'font-size-adjust:0',
  'letter-spacing:-1em',
  '-webkit-text-security:disc',
  'content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)',
  'mso-hide:all',
]

/** Styles that the reader strips, so the text is visible and quoted. */
const isTamed = (style: string): boolean => /(?:^|;)(?:-webkit-)?(?:filter|mask|mix-blend|position:fixed)/.test(style)

describe.each(WAYS)('hidden text left out of %s HTML', (way, clean) => {
  it.each(HIDING.filter((style) => way === 'pasted' || !isTamed(style)))('by %s', async (style) => {
    const inner = `<span style='${style}'>SECRET</span>`
    expect(await clean(`<p>kept ${inner}</p>`)).toContain('kept')
    expect(await clean(`<p>kept ${inner}</p>`)).not.toContain('SECRET')
    expect(await clean(`<div style='${style}'><b>SECRET</b></div><p>kept</p>`)).not.toContain('SECRET')
  })

  it.each([
    '<style>span { display: none }</style><p>kept <span>SECRET</span></p>',
    '<html><head><style>body p > .x { display: no\\6ee }</style></head><body><p>kept <span class="x">SECRET</span></p></body></html>',
    '<style>#x { display: none } .x { display: inline }</style><p>kept <span class="x" id="x">SECRET</span></p>',
    '<style>.x { display: none !important }</style><p>kept <span class="x" style="display:inline">SECRET</span></p>',
    '<style>@supports (display: grid) { .x { visibility: hidden } }</style><p>kept <span class="x">SECRET</span></p>',
    '<style>.x { color: white; } </style><p>kept <span class="x"><b>SECRET</b></span></p>',
    '<style>p { --away: -9999px } .x { position: absolute; left: var(--away) }</style><p>kept <span class="x">SECRET</span></p>',
    '<div style="opacity:.2"><div style="opacity:.2">SECRET</div></div><p>kept</p>',
    '<div style="font-size:30%"><div style="font-size:30%">SECRET</div></div><p>kept</p>',
    '<p>kept <font color="ffffff">SECRET</font></p>',
    '<table bgcolor="navy"><tr><td><span style="color:rgb(0 0 128 / 90%)">SECRET</span></td></tr></table><p>kept</p>',
  ])('by its surroundings: %s', async (html) => {
    expect(await clean(html)).toContain('kept')
    expect(await clean(html)).not.toContain('SECRET')
  })

  it.each([
    ...['transform:scale(.8) rotate(90deg)', 'transform:translate(-50%,-50%)', 'clip-path:circle(50%)', 'opacity:.6'],
    ...[
      'filter:grayscale(1) blur(0)',
      'filter:invert(1);background:#fff',
      'mask-image:linear-gradient(#000,transparent)',
    ],
    ...['mask:none', 'position:relative;left:calc(10px - 1em)', 'overflow:hidden;height:calc(1em + 4px)', 'zoom:1'],
    ...[
      'overflow:hidden;height:0;min-height:2em',
      'color:var(--missing)',
      'color:var(--missing, #333)',
      'color:initial',
    ],
    ...['background:#000;color:#fff', 'background:linear-gradient(#fff,#000);color:#fff', 'font:700 12px/1.4 Arial'],
    ...['background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=);color:#fff', 'font:bold 90% serif', 'font:menu'],
    'background:linear-gradient(90deg,red,blue);-webkit-background-clip:text;-webkit-text-fill-color:transparent',
    ...['display:none;display:inline-flex', 'margin:-10px auto', 'letter-spacing:-.02em', '-webkit-text-security:none'],
    ...['color:color-mix(in srgb, red, blue)', 'scale:1 1', 'rotate:45deg', 'text-indent:-18pt', 'font-size:smaller'],
    ...[
      'inset:0;position:absolute',
      'position:absolute;top:2400px;left:600px',
      'position:relative;right:20px',
      'clip:auto',
      'clip-path:inset(0 round 4px)',
      'line-height:1;overflow:hidden',
    ],
  ])('keeps visible text: %s', async (style) => {
    expect(await clean(`<p>kept <span style='${style}'>WORDS</span></p>`)).toContain('WORDS')
  })
})

describe('styles that try to hang the window', () => {
  const words = '<p class="x">kept</p>'

  it.each([
    [
      'variables of variables',
      `<style>${Array.from({ length: 40 }, (_, n) => `*{--v${n}:var(--v${n + 1}) var(--v${n + 1})}`).join('')}*{--v40:;color:var(--v0)}</style>`,
    ],
    ['variables in a circle', '<style>*{--a:var(--b);--b:var(--a);color:var(--a)}</style>'],
    ['brackets in brackets', `<p style="width:${'('.repeat(100_000)}">a</p>`],
    ['a property again and again', `<p style="${'color:red;'.repeat(20_000)}">a</p>`],
    ['a long value', `<p style="clip-path:polygon(${'1px 1px,'.repeat(50_000)}0 0)">a</p>`],
  ])('are processed completely: %s', (_, html) => {
    expect(sanitizePaste(`${html}${words}`)).toContain('kept')
  })

  it('take the text with them if too large', () => {
    const much = `<style>*{${'color:red;'.repeat(3_000)}}</style>${'<b>a</b>'.repeat(1_000)}`
    expect(sanitizePaste(`${much}${words}`)).toBe('')
    expect(() => sanitizePaste(`<style>${'a{'.repeat(20_000)}</style>${words}`)).not.toThrow()
  })

  it('with deeply nested sums are computed', () => {
    const away = `position:absolute;left:calc(${'('.repeat(40)}-9999px${')'.repeat(40)})`
    expect(sanitizePaste(`<p>kept <span style="${away}">SECRET</span></p>`)).not.toContain('SECRET')
  })
})

it('drops collapsed details from pasted HTML, but keeps open ones', () => {
  const fold = (open: string): string => sanitizePaste(`<details${open}><summary>More</summary><p>WORDS</p>x</details>`)
  expect(fold('')).toMatch(/More/)
  expect(fold('')).not.toMatch(/WORDS|x</)
  expect(fold(' open')).toMatch(/More.*WORDS/)
})

it('drops fallback text of embedded elements from pasted HTML', () => {
  const unseen = ['video', 'audio', 'canvas', 'meter', 'progress', 'datalist', 'object', 'iframe', 'noframes']
  expect(sanitizePaste(`<p>kept ${unseen.map((tag) => `<${tag}>SECRET</${tag}>`).join('')}</p>`)).toBe(
    sanitizePaste('<p>kept </p>'),
  )
})
