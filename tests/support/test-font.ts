/**
 * The same font for code on every machine, so that code takes the same space. Other text uses Inter, which is bundled.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { root } from './program.ts'

/** Other scripts fall back to the machine's fonts. */
const SUBSETS = ['latin', 'latin-ext'] as const

interface Face {
  readonly unicodeRange: string
  readonly base64: string
}

const readFaces = async (): Promise<readonly Face[]> => {
  const folder = join(root, 'node_modules', '@fontsource-variable', 'jetbrains-mono')
  const ranges = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')) as Readonly<Record<string, string>>
  return Promise.all(
    SUBSETS.map(async (subset) => {
      const base64 = await readFile(join(folder, 'files', `jetbrains-mono-${subset}-wght-normal.woff2`), 'base64')
      return { unicodeRange: ranges[subset] ?? '', base64 }
    }),
  )
}

/**
 * Runs once in a page, before or after its own style sheets load. Uses bytes and a constructed style sheet: the page's
 * CSP allows neither a font file nor a style element.
 */
const setFont = (faces: readonly Face[]): void => {
  const { fonts, adoptedStyleSheets } = document
  if ([...fonts].some(({ family }) => family.includes('Linnet Test'))) return
  for (const { unicodeRange, base64 } of faces) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    fonts.add(new FontFace('Linnet Test', bytes, { unicodeRange, weight: '100 900' }))
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(":root { --font-mono: 'Linnet Test', monospace }")
  adoptedStyleSheets.push(sheet)
}

let read: Promise<readonly Face[]> | null = null

export const useTestFont = async (context: BrowserContext): Promise<void> => {
  read ??= readFaces()
  const faces = await read
  await context.addInitScript(setFont, faces)
  // If a page navigates or closes in the meantime, its next document runs the script.
  await Promise.all(context.pages().map((page) => page.evaluate(setFont, faces).catch(() => undefined)))
}
