import { describe, expect, it } from 'vitest'
import { tameCss } from '../../../src/renderer/features/reader/tame-css.ts'

describe('styles of an e-mail', () => {
  it('refer to nothing outside of it, however that is written', () => {
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
      expect(tameCss(css).css, css).not.toMatch(/evil/)
      expect(tameCss(css).removed, css).toBeGreaterThan(0)
    }
  })

  it('keep images that the e-mail carries, and what is no reference', () => {
    for (const css of [
      'a { background: url(data:image/png;base64,AAAA) }',
      "a { background: url( 'data:image/gif;base64,AAAA' ) no-repeat }",
      '/* url(x) */ a[title="url(x)"] { width: calc(1px + 2em); color: rgb(1 2 3) }',
      '@media (max-width: 600px) { .a { float: none !important } }',
      '.position { color: red } a[class~="b"] + p > i { position: relative }',
    ]) {
      expect(tameCss(css)).toEqual({ css, removed: 0 })
    }
  })

  it('float above nothing, with escapes and comments as well', () => {
    expect(tameCss('position:/**/fixed;top:0').css).toBe('position:/**/static;top:0')
    expect(tameCss('p\\6fsition: fix\\65 d').css).toBe('p\\6fsition: static')
    expect(tameCss('position: -webkit-sticky').css).toBe('position: static')
  })

  it('do without what lays out or paints the same text many times', () => {
    expect(tameCss('columns: 2; -webkit-column-count : 3; text-shadow: 0 0 9px red').css).toBe(
      '--off: 2; --off : 3; --off: 0 0 9px red',
    )
    expect(tameCss('a:has(* * b) { color: red } p ~ i { color: red }').css).toBe(
      'a:none { color: red } p none i { color: red }',
    )
  })

  it('never become the end of the element that holds them', () => {
    expect(tameCss('</sty@import x;le><img src=x>').css).not.toMatch(/<\/style/i)
    expect(tameCss('</st\\79le>').css).not.toMatch(/<\/style/i)
  })
})
