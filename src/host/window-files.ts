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
  const answering = filled.replace('</head>', () => `${dataBlock(FIRST_ANSWERS_ID, answers)}</head>`)
  // Nothing answers in it, and nobody is read it twice.
  return still === null
    ? answering
    : answering.replace('</body>', () => `<div id="${STILL_ID}" inert aria-hidden="true">${still}</div></body>`)
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
  return { ...file, content: Buffer.from(fillPage(file.content.toString('utf8'), preferences, first)) }
}
