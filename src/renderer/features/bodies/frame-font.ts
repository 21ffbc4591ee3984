import type { Preferences } from '../../../shared/preferences.ts'
import { MAIL_FONT } from './frame-document.ts'

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
