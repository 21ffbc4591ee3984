import ElectronStore from 'electron-store'
import type { SettingsStore } from '../host/settings-file.ts'
import { SETTINGS_FILE_MODE } from '../host/settings-names.ts'

/**
 * Opens a settings file in Electron, including the windows' state. It may be missing. `get` re-reads it, as others may
 * write it; `set` replaces it atomically, flushed. The browser host and the CLI use the same file
 * (`host/settings-file.ts`).
 * @param name without `.json`; after `prepareSettingsFile`, the file is missing or holds a JSON object
 */
export const openSettingsStore = (directory: string, name: string): SettingsStore => {
  // No schema, as the content is validated before it is read here.
  const store = new ElectronStore<Record<string, unknown>>({
    cwd: directory,
    name,
    configFileMode: SETTINGS_FILE_MODE,
    accessPropertiesByDotNotation: false,
  })
  return { get: (key) => store.get(key), set: (values) => store.set(values) }
}
