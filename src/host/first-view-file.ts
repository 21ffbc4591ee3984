import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Credentials } from '../shared/engine-api.ts'
import { isStartupCommand, type StartupResponse } from '../shared/startup-responses.ts'
import type { Preferences } from '../shared/preferences.ts'
import { isSnapshot } from '../shared/startup-snapshot.ts'
import { PREFERENCES_NAME, SETTINGS_NAME } from './settings-names.ts'

/** The window's first view, shown at the next start before the engine is up. */
export interface FirstView {
  readonly preferences: Preferences
  readonly answers: readonly StartupResponse[]
  /** Markup that a window rendered from the responses, or null. */
  readonly snapshot: string | null
}

export interface LoadedFirstView extends FirstView {
  readonly settings: Readonly<Record<string, unknown>>
}

export interface FirstViewInputs {
  readonly dataDirectory: string
  /** The window's page, which differs between builds. */
  readonly pageFile: string
  readonly environmentAccount: Credentials | null
}

/** Maximum file size read or written, in UTF-8 bytes. One page of a list takes about 60 kB. */
export const MAX_FIRST_VIEW_BYTES = 1_000_000

export const firstViewPath = (dataDirectory: string): string => join(dataDirectory, 'first-view.json')

const digestOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  // The length prefix keeps different lists of parts from hashing alike.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}\n`).update(part)
  return hash.digest('hex')
}

const bytesOf = (dataDirectory: string, name: string): Buffer => {
  try {
    return readFileSync(join(dataDirectory, `${name}.json`))
  } catch {
    return Buffer.alloc(0)
  }
}

/** A digest of the build, settings, preferences and given account. A view with a different digest is outdated. */
export const digestOrigin = ({ dataDirectory, pageFile, environmentAccount }: FirstViewInputs): string => {
  const parts = [
    readFileSync(pageFile),
    bytesOf(dataDirectory, SETTINGS_NAME),
    bytesOf(dataDirectory, PREFERENCES_NAME),
  ]
  return digestOf(
    ...parts,
    JSON.stringify(environmentAccount === null ? [] : [environmentAccount.baseUrl, environmentAccount.apiKey]),
  )
}

export const serializeFirstView = (origin: string, view: FirstView): string => {
  const body = JSON.stringify(view)
  return `${digestOf(origin, body)}\n${body}`
}

export const forgetFirstView = (dataDirectory: string): Promise<void> =>
  rm(firstViewPath(dataDirectory), { force: true })

/** The last view; null if missing, damaged or outdated. Synchronous, as promises stall until Electron is ready. */
export const readFirstView = (from: FirstViewInputs): LoadedFirstView | null => {
  try {
    const text = readFileSync(firstViewPath(from.dataDirectory), 'utf8')
    const origin = digestOrigin(from)
    const end = text.indexOf('\n')
    const body = text.slice(end + 1)
    if (text.length > MAX_FIRST_VIEW_BYTES || text.slice(0, end) !== digestOf(origin, body)) return null
    // The digest proves that this build wrote it.
    const view = JSON.parse(body) as FirstView
    if (!view.answers.every(({ name }) => isStartupCommand(name))) return null
    if (view.snapshot !== null && !isSnapshot(view.snapshot)) return null
    const settings = bytesOf(from.dataDirectory, SETTINGS_NAME).toString('utf8')
    return { ...view, settings: JSON.parse(settings) as LoadedFirstView['settings'] }
  } catch {
    // Any damage is harmless: the engine has all the data.
    return null
  }
}
