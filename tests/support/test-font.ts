/** One font for code in every window that is tested: it takes the same room on every machine. Other text is in Inter, which the window brings. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { root } from './program.ts'

/** Scripts that these do not have are drawn in the machine's own font. */
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
 * Runs once in a page, before or after its own style sheets are there. Bytes and a constructed style sheet: the page's policy,
 * which stays in force, lets neither a font nor a style element in.
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

/** Has every page of a context draw its code in the test font. */
export const useTestFont = async (context: BrowserContext): Promise<void> => {
  read ??= readFaces()
  const faces = await read
  await context.addInitScript(setFont, faces)
  // A page that goes to another document meanwhile, or closes, has the script in the next one.
  await Promise.all(context.pages().map((page) => page.evaluate(setFont, faces).catch(() => undefined)))
}
