import { FIRST_ANSWERS_ID, type FirstAnswer } from '../shared/first-answers.ts'
import type { Preferences } from '../shared/preferences.ts'
import { readStaticFile, type StaticFile } from './static-files.ts'

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A block of JSON in a page: no letter of it ends the block, or begins anything. */
const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** The page with what a person has chosen in it, and what it shows first: its first frame is as they want it. */
const fillPage = (page: string, preferences: Preferences, answers: readonly FirstAnswer[]): string => {
  const attributes = {
    'data-theme': preferences.theme,
    'data-density': preferences.density,
    'data-text-size': preferences.textSize,
    'data-preferences': JSON.stringify(preferences),
  }
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  const filled = page.replace('<html', () => `<html${written.join('')}`)
  if (answers.length === 0) return filled
  return filled.replace('</head>', () => `${dataBlock(FIRST_ANSWERS_ID, answers)}</head>`)
}

/**
 * One of the window's own files, by the path of its URL.
 * @param answers what its page shows before it is answered: mail, which is not for whoever asks for the page
 * @returns null for what is not there
 */
export const readWindowFile = async (
  root: string,
  urlPath: string,
  preferences: Preferences,
  answers: readonly FirstAnswer[] = [],
): Promise<StaticFile | null> => {
  const file = await readStaticFile(root, urlPath)
  if (file?.contentType.startsWith('text/html') !== true) return file
  return { ...file, content: Buffer.from(fillPage(file.content.toString('utf8'), preferences, answers)) }
}
