import type { Preferences } from '../../../shared/preferences.ts'
import { MAIL_FONT } from './frame-document.ts'

/** The faces of the page's first style, made again by a script: a face of a style sheet belongs to one document alone. */
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
 * Draws a frame's text in the chosen font. The frame's policy lets it load nothing, so it borrows faces of the window.
 * @param root its document's element
 * @param onLate called once text has changed whose face had to be loaded first
 */
export const lendFont = async (root: Element, font: Preferences['font'], onLate: () => void): Promise<void> => {
  const { fonts } = root.ownerDocument
  fonts.clear()
  if (font === 'system') return
  if (faces.length === 0) for (const face of (faces = makeFaces())) document.fonts.add(face)
  // At once: text that is measured next has its font.
  for (const face of faces) if (face.status === 'loaded') fonts.add(face)
  // The empty document of a new frame has Latin letters loaded for the mail that follows.
  const needed = await document.fonts.load(`1em '${MAIL_FONT}'`, `a${root.textContent}`).catch(() => [])
  const late = needed.filter((face) => !fonts.has(face))
  for (const face of late) fonts.add(face)
  if (late.length > 0) onLate()
}
