/** One font for every window that is tested or drawn: text then takes the same room on every machine, whatever fonts it has. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { root } from './program.ts'

/** Fontsource packages, upright: Chromium slants them itself where it has to. Scripts and symbols that they do not have are drawn in the machine's own fonts. */
const FONTS = [
  { family: 'Linnet Test', name: 'inter' },
  { family: 'Linnet Test Mono', name: 'jetbrains-mono' },
] as const
const SUBSETS = ['latin', 'latin-ext'] as const

interface Face {
  readonly family: string
  readonly unicodeRange: string
  readonly base64: string
}

const readFaces = async (): Promise<readonly Face[]> => {
  const faces: Promise<Face>[] = []
  for (const { family, name } of FONTS) {
    const folder = join(root, 'node_modules', '@fontsource-variable', name)
    const ranges = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')) as Readonly<Record<string, string>>
    for (const subset of SUBSETS) {
      const file = join(folder, 'files', `${name}-${subset}-wght-normal.woff2`)
      const unicodeRange = ranges[subset] ?? ''
      faces.push(readFile(file, 'base64').then((base64) => ({ family, unicodeRange, base64 })))
    }
  }
  return Promise.all(faces)
}

/**
 * Runs once in a page, before or after its own style sheets are there. Bytes and constructed style sheets: the page's policy,
 * which stays in force, lets neither a font nor a style element in.
 */
const setFont = (faces: readonly Face[]): void => {
  const fonts = faces.map((face) => ({
    ...face,
    bytes: Uint8Array.from(atob(face.base64), (character) => character.charCodeAt(0)),
  }))
  const draw = (view: Window & typeof globalThis, families: readonly string[], rule: string): void => {
    const { fonts: own, adoptedStyleSheets } = view.document
    if ([...own].some(({ family }) => family.includes('Linnet Test'))) return
    for (const { family, unicodeRange, bytes } of fonts) {
      if (!families.includes(family)) continue
      own.add(new view.FontFace(family, bytes, { unicodeRange, weight: '100 900' }))
    }
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(`:root { ${rule} }`)
    adoptedStyleSheets.push(sheet)
  }
  const drawMail = (view: Window & typeof globalThis): void =>
    draw(view, ['Linnet Test'], "font-family: 'Linnet Test', sans-serif")
  // In a mail's frame this runs only where its document takes the place of another.
  if (window.parent !== window) {
    drawMail(window)
    return
  }
  const both = ['Linnet Test', 'Linnet Test Mono']
  draw(window, both, "--font: 'Linnet Test', sans-serif; --font-mono: 'Linnet Test Mono', monospace")
  // It has the font before its own listener measures it.
  const onload = ({ target }: Event): void => {
    if (!(target instanceof HTMLIFrameElement) || target.contentDocument === null) return
    drawMail(target.contentWindow as Window & typeof globalThis)
  }
  document.addEventListener('load', onload, { capture: true })
}

let read: Promise<readonly Face[]> | null = null

/** Has every page of a context draw its text in the test font. */
export const useTestFont = async (context: BrowserContext): Promise<void> => {
  read ??= readFaces()
  const faces = await read
  await context.addInitScript(setFont, faces)
  // A page that goes to another document meanwhile, or closes, has the script in the next one.
  await Promise.all(context.pages().map((page) => page.evaluate(setFont, faces).catch(() => undefined)))
}
