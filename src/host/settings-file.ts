import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { writeFileSync } from 'atomically'
import type { Problem } from '../shared/result.ts'
import { areSettingsSound } from './stored-accounts.ts'
import { SETTINGS_FILE_MODE } from './settings-names.ts'

export interface SettingsStore {
  readonly get: (key: string) => unknown
  /** Writes all values in one step. On error it writes none and throws the system's error. */
  readonly set: (values: Readonly<Record<string, unknown>>) => void
}

const readObject = (file: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw thrown
  }
}

/** Re-reads the file on every `get`, as others may write it. Call `prepareSettingsFile` first. */
export const openSettingsFile = (file: string): SettingsStore => ({
  get: (key) => readObject(file)[key],
  set: (values) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ ...readObject(file), ...values }, null, '\t'), { mode: SETTINGS_FILE_MODE })
  },
})

export const toSetAsideFilename = (file: string, now: Date): string =>
  file.replace(/\.json$/, `.set-aside-${now.toISOString().replace(/[:.]/g, '-')}.json`)

const isReadable = (file: string): boolean => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return areSettingsSound(value as Readonly<Record<string, unknown>>)
  } catch {
    return false
  }
}

/** Makes the file private. Moves a damaged file aside instead of deleting it. Returns a notice about that, or null. */
export const prepareSettingsFile = (file: string, now = new Date()): Problem | null => {
  if (!existsSync(file)) return null
  if (isReadable(file)) {
    chmodSync(file, SETTINGS_FILE_MODE)
    return null
  }
  const aside = toSetAsideFilename(file, now)
  renameSync(file, aside)
  return {
    code: 'storage_failed',
    message: `Linnet’s settings file could not be read and was renamed to ${basename(aside)}. Your mail is still here. Connect your account again.`,
  }
}
