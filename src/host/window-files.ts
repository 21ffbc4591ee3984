import type { Preferences } from '../shared/preferences.ts'
import { readStaticFile, type StaticFile } from './static-files.ts'

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The page with what a person has chosen in it: its first frame looks as they want it. */
const fillPage = (page: string, preferences: Preferences): string => {
  const attributes = {
    'data-theme': preferences.theme,
    'data-density': preferences.density,
    'data-text-size': preferences.textSize,
    'data-preferences': JSON.stringify(preferences),
  }
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  return page.replace('<html', () => `<html${written.join('')}`)
}

/**
 * One of the window's own files, by the path of its URL.
 * @returns null for what is not there
 */
export const readWindowFile = async (
  root: string,
  urlPath: string,
  preferences: Preferences,
): Promise<StaticFile | null> => {
  const file = await readStaticFile(root, urlPath)
  if (file?.contentType.startsWith('text/html') !== true) return file
  return { ...file, content: Buffer.from(fillPage(file.content.toString('utf8'), preferences)) }
}
