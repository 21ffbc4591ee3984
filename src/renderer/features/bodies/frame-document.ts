import { PICTURE_ATTRIBUTE } from './block-images.ts'
import { CURRENT_FIND_HIGHLIGHT, FIND_HIGHLIGHT, SEARCH_HIGHLIGHT } from './highlights.ts'
import type { Preferences } from '../../../shared/preferences.ts'
import { luminance } from '../../../shared/css/rgba-color.ts'

const LOGO_BACKDROP_CLASS = 'linnet-plate'

/** Side of the sample in pixels, enough to tell letters from their surroundings. */
const SAMPLE_SIDE = 24
/** Pixels per picture. Logos are smaller; larger pictures are photographs with a background of their own. */
const MAX_PIXELS = 1_500_000
/** Pictures examined per mail. */
const MAX_PICTURES = 100
/** Minimum share of transparent pixels, and maximum luminance (WCAG 2.2) of the others. */
const MIN_CLEAR_SHARE = 0.1
const MAX_DARK_LUMINANCE = 0.15

const checkedImages = new WeakSet<HTMLImageElement>()

/** True if everything drawn in a picture is dark and its background is transparent. */
const isDarkOnTransparent = (pixels: Uint8ClampedArray): boolean => {
  let [clear, drawn, light] = [0, 0, 0]
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    if (alpha < 32) clear += 1
    const weight = alpha / 255
    drawn += weight
    light += weight * luminance({ red: red / 255, green: green / 255, blue: blue / 255 })
  }
  return clear * 4 > pixels.length * MIN_CLEAR_SHARE && drawn > 0 && light / drawn < MAX_DARK_LUMINANCE
}

/** Puts a light plate behind pictures that are invisible on dark paper, such as dark logos made for white. */
export const addLogoBackdrops = (mail: HTMLElement): void => {
  const images = [...mail.querySelectorAll('img')].slice(0, MAX_PICTURES)
  const waiting = images.filter(
    (image) =>
      !checkedImages.has(image) &&
      image.complete &&
      image.naturalWidth > 0 &&
      image.naturalWidth * image.naturalHeight <= MAX_PIXELS,
  )
  if (waiting.length === 0) return
  const pen = new OffscreenCanvas(SAMPLE_SIDE, SAMPLE_SIDE).getContext('2d', { willReadFrequently: true })
  if (pen === null) return
  for (const image of waiting) {
    checkedImages.add(image)
    pen.clearRect(0, 0, SAMPLE_SIDE, SAMPLE_SIDE)
    pen.drawImage(image, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE)
    if (isDarkOnTransparent(pen.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE).data))
      image.classList.add(LOGO_BACKDROP_CLASS)
  }
}

/**
 * Content security policy of the e-mail frame: no scripts, connections, frames, forms or fonts. Images are embedded or
 * `blob:` URLs, which the window makes and mail can't, as it runs no code. A font supplied by the mail could draw other
 * letters than the text contains. The policy stops whatever the sanitiser misses.
 */
export const MAIL_POLICY = [
  "default-src 'none'",
  'img-src data: blob:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The window's font in mail frames. Another family name, so the window keeps its page's faces, which load first. */
const MAIL_FONT = 'Linnet Mail'

/** Background of an e-mail: light if the e-mail has its own colours, since senders choose colours for white. */
export type MailPaper = 'light' | 'dark'

/** Values of the design tokens in app/tokens.css. Frames don't inherit them. */
const COLORS: Readonly<Record<MailPaper, string>> = {
  light:
    '--linnet-paper: #fff; --linnet-ink: #1f1b18; --linnet-muted: #6b625b; --linnet-line: #e7e2dc; --linnet-link: #2a5578; --linnet-ring: #46688a; --linnet-scroll-bar: #bdb5ac; --linnet-box: #f7f5f2; --linnet-found: #ffe694',
  dark: '--linnet-paper: #1e1a18; --linnet-ink: #ede7e1; --linnet-muted: #a89f97; --linnet-line: #312b27; --linnet-link: #9cc3e4; --linnet-ring: #86aed2; --linnet-scroll-bar: #5a514b; --linnet-box: #272220; --linnet-found: #57430a',
}

const STYLE = `
  ROOT { background: var(--linnet-paper); color: var(--linnet-ink); font: var(--linnet-text)/1.55 '${MAIL_FONT}', system-ui, sans-serif }
  body { margin: 0 }
  #linnet-mail { position: relative; box-sizing: border-box; padding: 16px; overflow: auto; overflow-wrap: anywhere; contain: layout paint }
  #linnet-mail > :first-child, #linnet-mail > :first-child > :first-child { margin-top: 0 }
  #linnet-mail > :last-child, #linnet-mail > :last-child > :last-child { margin-bottom: 0 }
  #linnet-mail.linnet-letter { padding: 4px 16px 4px 0; max-width: calc(66ch + 16px) }
  ::-webkit-scrollbar { width: 10px; height: 10px }
  ::-webkit-scrollbar-thumb { border: 2px solid transparent; border-radius: 999px; background: var(--linnet-scroll-bar) content-box }
  table { overflow-wrap: normal }
  :where(body, #linnet-mail, #linnet-mail :not(img)) { min-height: fit-content }
  img { max-width: 100%; min-width: 0 !important; height: auto; min-height: 0 !important }
  img.${LOGO_BACKDROP_CLASS} { border-radius: 2px !important; background: #ede7e1 !important; box-shadow: 0 0 0 4px #ede7e1 !important }
  pre { white-space: pre-wrap }
  a { color: var(--linnet-link) }
  mark { background: var(--linnet-found); color: var(--linnet-ink) }
  blockquote { margin: 8px 0; padding-left: 12px; border-left: 2px solid var(--linnet-line) }
  a:focus-visible, summary:focus-visible, .linnet-wide:focus-visible { outline: 2px solid var(--linnet-ring); outline-offset: 2px; border-radius: 2px }
  .linnet-image { display: inline-flex; align-items: center; justify-content: center; box-sizing: border-box; max-width: 100%; padding: 4px 8px; border: 1px dashed var(--linnet-muted); border-radius: 4px; background: var(--linnet-box); color: var(--linnet-muted); font: 12px/1.4 '${MAIL_FONT}', system-ui, sans-serif; text-align: center }
  .linnet-image:empty { padding: 0; min-width: 24px; min-height: 24px }
  img[${PICTURE_ATTRIBUTE}]:not([src]) { display: none !important }
  .linnet-wide { overflow-x: auto; max-width: calc(100vw - 32px) }
  .linnet-wide > table { margin: 0 }
  .linnet-quote { margin-top: 12px }
  .linnet-quote[open] > summary > .linnet-closed, .linnet-quote:not([open]) > summary > .linnet-open { display: none }
  .linnet-quote > summary { width: fit-content; padding: 2px 8px; border: 1px solid var(--linnet-line); border-radius: 6px; color: var(--linnet-muted); font: 12px/1.4 '${MAIL_FONT}', system-ui, sans-serif; cursor: pointer }
  ::highlight(${SEARCH_HIGHLIGHT}) { background-color: var(--linnet-found); color: var(--linnet-ink); text-decoration: underline #a67c00 }
  ::highlight(${FIND_HIGHLIGHT}) { background-color: var(--linnet-found); color: var(--linnet-ink) }
  ::highlight(${CURRENT_FIND_HIGHLIGHT}) { background-color: var(--linnet-ink); color: var(--linnet-paper) }
  @media (forced-colors: active) { ::highlight(${SEARCH_HIGHLIGHT}) { background-color: Mark; color: MarkText } }
`

/** @param root selector of the element that encloses the mail */
export const buildMailStyle = (root: ':root' | ':host', paper: MailPaper, textSize: number): string =>
  `${root} { ${COLORS[paper]}; --linnet-text: ${textSize}px } ${STYLE.replace('ROOT', root)}`

/** `textSize` is in pixels, and applies to text without a size of its own. */
export const buildFrameDocument = (markup: string, paper: MailPaper, textSize: number): string =>
  `<!doctype html><html lang=""><head><meta http-equiv="Content-Security-Policy" content="${MAIL_POLICY}">` +
  '<meta charset="utf-8"><meta name="referrer" content="no-referrer">' +
  '<meta http-equiv="x-dns-prefetch-control" content="off">' +
  `<meta name="color-scheme" content="${paper}">` +
  `<title>Message</title><style>${buildMailStyle(':root', paper, textSize)} :root { overflow: hidden }</style></head><body>${markup}</body></html>`

/** Makes tables wider than the mail scroll separately, also by keyboard, so that other text keeps its line width. */
export const makeWideTablesScrollable = (mail: HTMLElement): void => {
  const width = mail.clientWidth
  const wide = [...mail.querySelectorAll('table')].filter((table) => table.offsetWidth > width)
  // A table around a wide one is only wide because of it.
  const around = new Set<Element>()
  for (const table of wide) {
    const outer = table.parentElement?.closest('table') ?? null
    if (outer !== null) around.add(outer)
  }
  for (const table of wide) {
    if (around.has(table) || table.parentElement?.className === 'linnet-wide') continue
    const scroller = mail.ownerDocument.createElement('div')
    scroller.className = 'linnet-wide'
    scroller.tabIndex = 0
    scroller.setAttribute('role', 'group')
    scroller.setAttribute('aria-label', 'Wide table, scrolls sideways')
    table.replaceWith(scroller)
    scroller.append(table)
  }
}

/** Copies of the page's font faces. Only faces made by a script can be shared between documents. */
const makeFaces = (): readonly FontFace[] =>
  [...(document.querySelector('style')?.sheet?.cssRules ?? [])]
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .map(({ style }) => {
      const read = (name: string): string => style.getPropertyValue(name)
      const [unicodeRange, featureSettings] = [read('unicode-range'), read('font-feature-settings')]
      return new FontFace(MAIL_FONT, read('src'), { unicodeRange, featureSettings, weight: read('font-weight') })
    })

let faces: readonly FontFace[] = []

/**
 * Applies the chosen font to a frame. The frame's policy forbids loading fonts, so it borrows the window's faces.
 * @param onLate called if a face loads late, which changes the text's size
 */
export const applyFrameFont = async (root: Element, font: Preferences['font'], onLate: () => void): Promise<void> => {
  const { fonts } = root.ownerDocument
  fonts.clear()
  if (font === 'system') return
  if (faces.length === 0) for (const face of (faces = makeFaces())) document.fonts.add(face)
  // Synchronous, so that the next measurement uses the right font.
  for (const face of faces) if (face.status === 'loaded') fonts.add(face)
  // A new frame's document is empty. The `a` loads Latin letters in advance for the mail that follows.
  const needed = await document.fonts.load(`1em '${MAIL_FONT}'`, `a${root.textContent}`).catch(() => [])
  const late = needed.filter((face) => !fonts.has(face))
  for (const face of late) fonts.add(face)
  if (late.length > 0) onLate()
}
