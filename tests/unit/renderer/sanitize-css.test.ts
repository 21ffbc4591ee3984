import { describe, expect, it } from 'vitest'
import { sanitizeCss } from '../../../src/renderer/features/bodies/sanitize-css.ts'

describe('styles of an e-mail', () => {
  it('load nothing from outside, in any notation', () => {
    for (const css of [
      'a { background: url(https://evil.example/a) }',
      'a { background: URL( "https://evil.example/a" ) }',
      'a { background: u\\72l(https://evil.example/a) }',
      'a { background: \\75\\72\\6c ("x"); background: \\75 rl("https://evil.example/a") }',
      'a { background: image-set("https://evil.example/a" 1x) }',
      'a { background: -webkit-cross-fade(url(data:image/png,x), url(https://evil.example/a)) }',
      'a { background: src("https://evil.example/a") }',
      '@import "https://evil.example/a";',
      '@\\69mport url(https://evil.example/a) screen;',
      'a { background: url(https://evil.example/a',
      'a { background: url("https://evil.example/a',
      'a { background: url(data:image/svg+xml,<svg>evil</svg>) }',
      'a { background: url("data:text/html,evil") }',
    ]) {
      expect(sanitizeCss(css).css, css).not.toMatch(/evil/)
      expect(sanitizeCss(css).removed, css).toBeGreaterThan(0)
    }
  })

  it('keep embedded images and harmless text', () => {
    for (const css of [
      'a { background: url(data:image/png;base64,AAAA) }',
      "a { background: url( 'data:image/gif;base64,AAAA' ) no-repeat }",
      '/* url(x) */ a[title="url(x)"] { width: calc(1px + 2em); color: rgb(1 2 3) }',
      '@media (max-width: 600px) { .a { float: none !important } }',
      '.position { color: red } a[class~="b"] + p > i { position: relative }',
    ]) {
      expect(sanitizeCss(css)).toEqual({ css, removed: 0 })
    }
  })

  it('can’t float, even with escapes and comments', () => {
    expect(sanitizeCss('position:/**/fixed;top:0').css).toBe('position:/**/static;top:0')
    expect(sanitizeCss('p\\6fsition: fix\\65 d').css).toBe('p\\6fsition: static')
    expect(sanitizeCss('position: -webkit-sticky').css).toBe('position: static')
  })

  it('lose properties that repeat layout or painting', () => {
    expect(sanitizeCss('columns: 2; -webkit-column-count : 3; text-shadow: 0 0 9px red').css).toBe(
      '--off: 2; --off : 3; --off: 0 0 9px red',
    )
    expect(sanitizeCss('a:has(* * b) { color: red } p ~ i { color: red }').css).toBe(
      'a:none { color: red } p none i { color: red }',
    )
  })

  it('lose nested rules and selectors, in any brackets', () => {
    expect(sanitizeCss('div { color: red; & & { color: blue; & & { top: 0 } } left: 0 }').css).toBe(
      'div { color: red; & & ; left: 0 }',
    )
    for (const css of [
      'div { @media all { & { deep: 0 } } }',
      'div { x: (}) ; & { deep: 0 } }',
      'div { x: [}] ; & { deep: 0 } }',
      '@media all { @supports (a: b) { div { & { deep: 0 } } } }',
      `${'@media all { '.repeat(30)} p { deep: 0 }`,
      ':not(:not(deep *) *) { color: red }',
      ':is(a, :where(deep)) { color: red }',
      ':\\69s(:\\6eot(deep)) { color: red }',
    ]) {
      expect(sanitizeCss(css).css, css).not.toContain('deep')
    }
    expect(
      sanitizeCss('@scope (div) { p { color: red } } @container (width > 0) { p { color: red } }').css,
    ).not.toMatch(/@(?:scope|container)/)
  })

  it('add bounded text and layers', () => {
    const long = 'x'.repeat(300)
    const layers = 'linear-gradient(red, blue), '.repeat(20)
    for (const css of [
      `p::before { content: "${long}" }`,
      `p::before { c\\6fntent: "x" ${'"yy"'.repeat(100)} }`,
      'p { content: attr(title) attr(title) attr(title) }',
      'p { content: counters(a, "x") }',
      'p { quotes: var(--q) }',
      `p { --q: "${long}" }`,
      'p { --b: var(--a) var(--a) }',
      `p { background: ${layers} red }`,
      `p { box-shadow: ${'0 0 9px red, '.repeat(20)} 0 0 red }`,
    ]) {
      expect(sanitizeCss(css).css, css).toContain('--off:')
    }
    expect(
      sanitizeCss('p { anchor-name: --a; position-try-fallbacks: flip-block; overscroll-behavior: none }').css,
    ).toBe('p { --off: --a; --off: flip-block; --off: none }')
    expect(sanitizeCss('position: var(--p); top: 0').css).toBe('position: static; top: 0')
  })

  it('stay unchanged if common in mail', () => {
    for (const css of [
      '<!-- @media print { a:hover, a:focus { color: red } p { margin: 0 } } --> p:not(.a):nth-child(2n+1) { top: 0 }',
      'p { font-family: a, b, c, d, e, f, g, h, i, j, k, "Segoe UI", sans-serif; content: "\\201c" attr(title) }',
      'p { background: linear-gradient(red, blue), url(data:image/png;base64,AAAA); --a: 1px; width: var(--a) }',
      '@-ms-viewport { width: device-width } @media screen { @media (width > 1px) { p { top: 0 } } }',
      'a { color: red } } b { color: blue }',
    ]) {
      expect(sanitizeCss(css)).toEqual({ css, removed: 0 })
    }
    expect(sanitizeCss('@import "https://a.example/b"; p { color: red }').css).toBe('/**/ p { color: red }')
  })

  it('can’t bring fonts, which could draw different letters', () => {
    expect(sanitizeCss('@Font-Face { font-family: "A"; src: url("data:image/png;base64,AAAA") }').css).not.toMatch(
      /font-face/i,
    )
  })

  it('can’t close their own element', () => {
    expect(sanitizeCss('</sty@import x;le><img src=x>').css).not.toMatch(/<\/style/i)
    expect(sanitizeCss('</st\\79le>').css).not.toMatch(/<\/style/i)
  })
})

describe('picture drawn by styles', () => {
  const place = (address: string): string | null => (address.startsWith('https:') ? 'var(--there, none)' : null)

  it.each([
    [
      'a { background: red url( "https://a.example/b" ) no-repeat }',
      'a { background: red var(--there, none) no-repeat }',
    ],
    ['a { BACKGROUND-image: URL(https://a.example/b) }', 'a { BACKGROUND-image: var(--there, none) }'],
    ['list-style: url(https://a.example/b)', 'list-style: var(--there, none)'],
    ['a { border-image: url(https://a.example/b) 30 }', 'a { border-image: var(--there, none) 30 }'],
    ['a::before { content: url(https://a.example/b) }', 'a::before { content: var(--there, none) }'],
    ['background: image-set("https://a.example/b" 1x, url(https://a.example/c) 2x)', 'background: var(--there, none)'],
    [':root { --hero: url(https://a.example/b) }', ':root { --hero: var(--there, none) }'],
    [
      '@media print { a { background: url(https://a.example/b) } }',
      '@media print { a { background: var(--there, none) } }',
    ],
  ])('gets a placeholder: %s', (css, tamed) => {
    expect(sanitizeCss(css, place)).toEqual({ css: tamed, removed: 0 })
  })

  it.each([
    'a { cursor: url(https://a.example/b), auto }',
    '@font-face { src: url(https://a.example/b) }',
    'a { behavior: url(https://a.example/b) }',
    'a { background: url(data:image/svg+xml,x) }',
    'a { width: url(https://a.example/b) }',
    'a:hover url(https://a.example/b) { color: red }',
  ])('is removed if nothing would draw it: %s', (css) => {
    expect(sanitizeCss(css, place)).toMatchObject({ removed: 1 })
    expect(sanitizeCss(css, place).css).not.toMatch(/there|example/)
  })

  it('can’t be faked by the e-mail', () => {
    expect(sanitizeCss(':root { --linnet-picture-0: red; --LINNET-picture-1: red }', place).css).toBe(
      ':root { --off: red; --off: red }',
    )
  })
})
