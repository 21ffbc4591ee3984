import { FIRST_ANSWERS_ID } from '../shared/first-answers.ts'
import type { Preferences } from '../shared/preferences.ts'
import { STILL_ID } from '../shared/still.ts'
import type { FirstView } from './first-view-file.ts'
import { readStaticFile, type StaticFile } from './static-files.ts'

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A block of JSON in a page: no letter of it ends the block, or begins anything. */
const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** What a page shows before it is answered. */
type ShownFirst = Pick<FirstView, 'answers' | 'still'>

/** The page with what a person has chosen in it, and what it shows first: its first frame is as they want it. */
const fillPage = (page: string, preferences: Preferences, first: ShownFirst | null): string => {
  const attributes = {
    'data-theme': preferences.theme,
    'data-density': preferences.density,
    'data-text-size': preferences.textSize,
    'data-preferences': JSON.stringify(preferences),
  }
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  const filled = page.replace('<html', () => `<html${written.join('')}`)
  if (first === null) return filled
  const { answers, still } = first
  // Nothing answers in a still, and nobody is read it twice. Below it is what the scripts read.
  const shown = still === null ? '' : `<div id="${STILL_ID}" inert aria-hidden="true">${still}</div>`
  return filled.replace('</body>', () => `${shown}${dataBlock(FIRST_ANSWERS_ID, answers)}</body>`)
}

const SHEET = /<link rel="stylesheet"[^>]* href="\.\/(assets\/[\w-]+\.css)">/

/** The page with its style sheet in it: a still is painted without waiting for another file. */
const withSheet = async (root: string, page: string): Promise<string> => {
  const [link = '', path = ''] = SHEET.exec(page) ?? []
  const sheet = path === '' ? null : await readStaticFile(root, `/${path}`)
  return sheet === null ? page : page.replace(link, () => `<style>${sheet.content.toString('utf8')}</style>`)
}

/**
 * One of the window's own files, by the path of its URL.
 * @param first what its page shows before it is answered: mail, which is not for whoever asks for the page
 * @returns null for what is not there
 */
export const readWindowFile = async (
  root: string,
  urlPath: string,
  preferences: Preferences,
  first: ShownFirst | null = null,
): Promise<StaticFile | null> => {
  const file = await readStaticFile(root, urlPath)
  if (file?.contentType.startsWith('text/html') !== true) return file
  const page = file.content.toString('utf8')
  const hasStill = typeof first?.still === 'string'
  const styled = hasStill ? await withSheet(root, page) : page
  return { ...file, content: Buffer.from(fillPage(styled, preferences, first)) }
}
