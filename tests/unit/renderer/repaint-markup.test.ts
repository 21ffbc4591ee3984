import { converter, wcagContrast } from 'culori'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { darkenColor } from '../../../src/renderer/features/bodies/darken-color.ts'
import { parseLegacyColor } from '../../../src/shared/css/rgba-color.ts'
import { repaintCss, repaintMediaQuery } from '../../../src/renderer/features/bodies/repaint-css.ts'
import { hasDarkStyles, repaintMarkup } from '../../../src/renderer/features/bodies/repaint-markup.ts'

const PAPER = '#1e1a18'

/** Any opaque colour. */
const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((color) => `#${color.toString(16).padStart(6, '0')}`)

const dark = (css: string): string => repaintCss(css, 'dark')
const ink = (css: string): string => darkenColor(css, 'ink') ?? ''
const ground = (css: string): string => darkenColor(css, 'ground') ?? ''

describe('colour on dark paper', () => {
  it('is readable as text on any background (WCAG 2.2, AA)', () => {
    fc.assert(
      fc.property(anyColor, anyColor, (letters, behind) => {
        expect(wcagContrast(ink(letters), ground(behind))).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps the frame’s links and muted text readable', () => {
    fc.assert(
      fc.property(anyColor, (behind) => {
        for (const own of ['#ede7e1', '#f4899a']) {
          expect(wcagContrast(own, ground(behind))).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })

  it('maps white to the dark theme’s paper and black to its ink', () => {
    expect(ground('#fff')).toBe(PAPER)
    expect(ground('white')).toBe(PAPER)
    expect(wcagContrast(ink('#000'), PAPER)).toBeGreaterThan(12)
  })

  it.each([
    ['#b3263e', [340, 40]],
    ['#1a73e8', [240, 280]],
    ['#0b8043', [130, 175]],
    ['#ffcc00', [70, 110]],
  ])('keeps the hue of %s', (color, [from, to]) => {
    const hueOf = (css: string): number => converter('oklch')(css)?.h ?? Number.NaN
    const isNear = (hue: number): boolean => (hue - (from ?? 0) + 360) % 360 <= ((to ?? 0) - (from ?? 0) + 360) % 360
    for (const css of [color, ink(color), ground(color)]) expect(isNear(hueOf(css)), css).toBe(true)
  })

  it('is unchanged if already dark enough, and stable', () => {
    for (const css of ['#fff', '#ffd54f', '#c8e6c9']) expect(ink(css)).toBe(css)
    for (const css of ['#000', '#121212', '#1f2937', '#3b0764']) expect(ground(css)).toBe(css)
    fc.assert(
      fc.property(anyColor, (color) => {
        expect(ground(ground(color))).toBe(ground(color))
        expect(ink(ink(color))).toBe(ink(color))
      }),
    )
  })

  it('keeps near-white bands distinguishable', () => {
    expect(wcagContrast(ground('#f0f0f0'), ground('#ffffff'))).toBeGreaterThan(1.05)
  })

  it('keeps transparency, except in text, which becomes as light as it looks', () => {
    expect(ground('rgba(255, 255, 255, .9)')).toBe('rgba(30, 26, 24, 0.9)')
    expect(ink('rgba(0, 0, 0, .54)')).toMatch(/^#/)
    expect(wcagContrast(ink('rgba(255, 255, 255, .5)'), ground('#777'))).toBeGreaterThanOrEqual(4.5)
    expect(ink('rgba(0, 0, 0, 0)')).toBe('rgba(0, 0, 0, 0)')
    expect(ink('transparent')).toBe('transparent')
  })

  it.each([
    ['ffffff', '#ffffff'],
    ['#FFF', '#fff'],
    ['White', 'white'],
    ['chucknorris', '#c00000'],
    ['#f', '#0f0000'],
    ['transparent', null],
    ['', null],
  ])('parses the attribute “%s” as browsers do', (written, color) => {
    expect(parseLegacyColor(written)).toBe(color)
  })
})

describe('styles of an e-mail on dark paper', () => {
  it.each([
    ['color: #000', '#ede7e1'],
    ['color:black!important', '#ede7e1!important'],
    ['c\\6flor: \\62 lack', '#ede7e1'],
    ['COLOR: RGB(0,0,0)', '#ede7e1'],
    ['color: rgb(0 0 0 / 100%)', '#ede7e1'],
    ['color: hsl(0, 0%, 0%)', '#ede7e1'],
    ['color: hsl(0deg 0% 0%)', '#ede7e1'],
    ['color: hwb(0 0% 100%)', '#ede7e1'],
    ['color: lab(0 0 0)', '#ede7e1'],
    ['color: oklch(0 0 0)', '#ede7e1'],
    ['color: color(srgb 0 0 0)', '#ede7e1'],
    ['color: #000f', '#ede7e1'],
    ['color: windowtext', 'var(--linnet-ink)'],
    ['color: rgb(from red r g b)', 'var(--linnet-ink)'],
    ['color: rgb(var(--r), 0, 0)', 'var(--linnet-ink)'],
    ['color: attr(title color)', 'var(--linnet-ink)'],
    ['-webkit-text-fill-color: #000', '#ede7e1'],
    ['text-decoration: underline #000', 'underline #ede7e1'],
    ['background: #fff', PAPER],
    ['background: White none repeat scroll 0 0', `${PAPER} none repeat scroll 0 0`],
    ['background-color: hsl(0 0% 100%) !important', `${PAPER} !important`],
    ['background: linear-gradient(to right, #fff, white 50%)', `linear-gradient(to right, ${PAPER}, ${PAPER} 50%)`],
    ['background: color-mix(in srgb, #fff 40%, white)', `color-mix(in srgb, ${PAPER} 40%, ${PAPER})`],
    ['background: light-dark(#fff, white)', `light-dark(${PAPER}, ${PAPER})`],
    ['background: canvas', 'var(--linnet-paper)'],
    ['background: currentColor', 'color-mix(in srgb, currentcolor 20%, #000)'],
    ['box-shadow: 0 1px 2px #fff', `0 1px 2px ${PAPER}`],
    ['border: 1px solid window', '1px solid var(--linnet-line)'],
    ['color: inherit', 'inherit'],
    ['background: none', 'none'],
    ['width: 100px', '100px'],
    ['font-family: "Black", white', '"Black", white'],
    ['mso-highlight: white', 'white'],
  ])('%s', (declaration, value) => {
    for (const css of [
      declaration,
      `.a { ${declaration} }`,
      `@media (width > 1px) { .a, .b:hover { x: y; ${declaration}; z: 0 } }`,
    ]) {
      expect(dark(css).replace(/\s+/g, ' '), css).toContain(value)
    }
  })

  it('leave selectors, strings, comments and URLs unchanged', () => {
    for (const css of [
      '#fff { x: y }',
      '.white, red:hover, a[title="color: #000"] { left: 0 }',
      '/* color: #000 */',
      '@media screen and (color) { .black { top: 0 } }',
      'content: "color: #000"',
      'list-style: url(data:image/png;base64,black)',
    ]) {
      expect(dark(css)).toBe(css)
    }
  })

  it('draw gradient-clipped text in ink', () => {
    const css = dark('background: linear-gradient(#000, #111); -webkit-background-clip: text; color: transparent')
    expect(css).toContain('linear-gradient(#ede7e1')
    expect(css).toContain('color: transparent')
  })

  it('darken a button’s border together with its background', () => {
    const [, band, edge] =
      /background:(#\w+);border:12px solid (#\w+)/.exec(dark('background:#1a73e8;border:12px solid #1a73e8')) ?? []
    expect(edge).toBe(band)
    expect(dark('border: 1px solid #1a73e8')).toBe('border: 1px solid #1a73e8')
  })

  it('darken background pictures without fetching more', () => {
    for (const css of [
      'background: #fff url(data:image/png;base64,AAAA) no-repeat',
      'background-image: var(--linnet-picture-0, none)',
    ]) {
      const drawn = dark(css)
      expect(drawn).toContain('box-shadow:inset 0 0 0 100vmax')
      expect(drawn.match(/url\(|--linnet-picture/g)).toEqual(css.match(/url\(|--linnet-picture/g))
    }
  })

  it('convert custom properties by their use', () => {
    const css = dark(':root { --brand: #000 } a { color: var(--brand, #111) } td { background: var(--brand, #fff) }')
    expect(css).toContain('--linnet-ink--brand: #ede7e1')
    expect(css).toContain('--linnet-ground--brand: #000')
    expect(css).toMatch(/color: var\(--linnet-ink--brand, #e\w+\)/)
    expect(css).toContain(`background: var(--linnet-ground--brand, ${PAPER})`)
  })

  it('disable the e-mail’s own color-scheme', () => {
    expect(dark(':root { color-scheme: light only }')).toBe(':root { --off: light only }')
  })

  it('answer prefers-color-scheme by the paper, not the desktop', () => {
    const asked =
      '@media screen and (prefers-color-scheme:  dark) { a { top: 0 } } @media not (Prefers-Color-Scheme: light) { }'
    expect(repaintCss(asked, 'dark')).toBe(
      '@media screen and (min-width:0px) { a { top: 0 } } @media not (max-width:-1px) { }',
    )
    expect(repaintCss(asked, 'light')).toBe(
      '@media screen and (max-width:-1px) { a { top: 0 } } @media not (min-width:0px) { }',
    )
    expect(repaintMediaQuery('(prefers-color-scheme: dark)', 'light')).toBe('(max-width:-1px)')
    expect(repaintCss('a { color: #000; background: white }', 'light')).toBe('a { color: #000; background: white }')
  })
})

describe('markup of an e-mail on dark paper', () => {
  it('changes colours in attributes and styles only', () => {
    const markup =
      '<style media="(prefers-color-scheme: dark)">a { color: #000 }</style>' +
      '<div id="linnet-mail" style="background-color:#fff;font-family:&quot;A&amp;B&quot;" title="color:#000">' +
      '<table bgcolor="ffffff"><tbody><tr><td><font color="black" size="2">style="color:#000" &lt;b&gt;</font></td></tr></tbody></table></div>'
    expect(repaintMarkup(markup, 'dark')).toBe(
      '<style media="(min-width:0px)">a { color: #ede7e1 }</style>' +
        `<div id="linnet-mail" style="background-color:${PAPER};font-family:&quot;A&amp;B&quot;" title="color:#000">` +
        `<table bgcolor="${PAPER}"><tbody><tr><td><font color="#ede7e1" size="2">style="color:#000" &lt;b&gt;</font></td></tr></tbody></table></div>`,
    )
    expect(repaintMarkup(markup, 'light')).toBe(markup.replace('prefers-color-scheme: dark', 'max-width:-1px'))
  })

  it('stays well-formed, whatever its values contain', () => {
    const parts = [
      '<',
      '>',
      '"',
      "'",
      '&quot;',
      '&lt;',
      '</style>',
      '<style>',
      'color:',
      '#000',
      ';',
      '}',
      '{',
      'url(',
      ')',
      'rgb(',
      'var(--a',
      '--a:',
      '\\',
      '/*',
      '@media',
      ' ',
      'x',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), (said) => {
        const css = said.join('').replace(/<\/style/gi, '')
        const value = said.join('').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
        const drawn = repaintMarkup(`<style>${css}</style><p style="${value}" bgcolor="${value}">x</p>`, 'dark')
        expect(drawn).toMatch(/^<style>[^]*<\/style><p style="[^"]*" bgcolor="[^"]*">x<\/p>$/)
        expect(drawn.split(/<\/style/i)).toHaveLength(2)
      }),
    )
  })

  it('has dark styles of its own only if they set a background', () => {
    const sheet = (css: string): string => `<style>${css}</style><div></div>`
    expect(hasDarkStyles(sheet('@media (prefers-color-scheme: dark) { .a { background: #000 } }'))).toBe(true)
    expect(hasDarkStyles(sheet('@media (prefers-color-scheme: dark) { .logo { display: none } }'))).toBe(false)
    expect(hasDarkStyles(sheet('@media (prefers-color-scheme: dark) { } @media print { p { background: red } }'))).toBe(
      false,
    )
    expect(hasDarkStyles(sheet('p { background: #000 }'))).toBe(false)
  })
})
