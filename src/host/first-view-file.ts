import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Credentials } from '../shared/engine-link.ts'
import { isFirstCommand, type FirstAnswer } from '../shared/first-answers.ts'
import type { Preferences } from '../shared/preferences.ts'
import { isStill } from '../shared/still.ts'
import { PREFERENCES_NAME, SETTINGS_NAME } from './settings-names.ts'

/** What the window showed first, which the next start shows before the engine is there. */
export interface FirstView {
  readonly preferences: Preferences
  readonly answers: readonly FirstAnswer[]
  /** What a window had drawn of them, as markup; null where none has. */
  readonly still: string | null
}

/** A view as a start finds it. */
export interface FoundView extends FirstView {
  /** What the file of the settings holds. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** Everything that a first view follows from, other than the mail. */
export interface FirstViewOrigin {
  readonly dataDirectory: string
  /** The window's page, which is another one in each build. */
  readonly pageFile: string
  readonly given: Credentials | null
}

/** UTF-8 bytes of a file that is read or written at all: a page of a list has about 60 kB. */
export const MOST_BYTES = 1_000_000

export const firstViewFile = (dataDirectory: string): string => join(dataDirectory, 'first-view.json')

const digestOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  // Each with its length: no two lists of parts are one text.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}\n`).update(part)
  return hash.digest('hex')
}

/** The settings' bytes; none for a file that is not there. */
const bytesOf = (dataDirectory: string, name: string): Buffer => {
  try {
    return readFileSync(join(dataDirectory, `${name}.json`))
  } catch {
    return Buffer.alloc(0)
  }
}

/**
 * A digest of all that a first view follows from, other than the mail: the build, the settings, the preferences and the account
 * of the environment. Where any of it is different the view is another one.
 */
export const originOf = ({ dataDirectory, pageFile, given }: FirstViewOrigin): string => {
  const parts = [
    readFileSync(pageFile),
    bytesOf(dataDirectory, SETTINGS_NAME),
    bytesOf(dataDirectory, PREFERENCES_NAME),
  ]
  return digestOf(...parts, JSON.stringify(given === null ? [] : [given.baseUrl, given.apiKey]))
}

/** What the file of a view holds: the view, below a digest of it and of what it follows from. */
export const firstViewText = (origin: string, view: FirstView): string => {
  const body = JSON.stringify(view)
  return `${digestOf(origin, body)}\n${body}`
}

/** There is none for the next start: it waits for the engine. */
export const forgetFirstView = (dataDirectory: string): Promise<void> =>
  rm(firstViewFile(dataDirectory), { force: true })

/**
 * The view that the start before this one has kept. Read at once: until Electron is ready, what a start waits for otherwise does not come.
 * @returns null where there is none, it is damaged, or it follows from anything that is different now
 */
export const readFirstView = (from: FirstViewOrigin): FoundView | null => {
  try {
    const text = readFileSync(firstViewFile(from.dataDirectory), 'utf8')
    const origin = originOf(from)
    const end = text.indexOf('\n')
    const body = text.slice(end + 1)
    if (text.length > MOST_BYTES || text.slice(0, end) !== digestOf(origin, body)) return null
    // By its digest it is what this build has written, to the last letter.
    const view = JSON.parse(body) as FirstView
    if (!view.answers.every(({ name }) => isFirstCommand(name))) return null
    if (view.still !== null && !isStill(view.still)) return null
    const settings = bytesOf(from.dataDirectory, SETTINGS_NAME).toString('utf8')
    return { ...view, settings: JSON.parse(settings) as FoundView['settings'] }
  } catch {
    // Whatever is wrong with it: the engine has all of it.
    return null
  }
}
