import ElectronStore from 'electron-store'
import type { SettingsStore } from '../host/settings-file.ts'
import { SETTINGS_MODE } from '../host/settings-names.ts'

/**
 * Opens a file of settings in Electron, the state of the windows among them. It need not be there. Each question reads it, so that
 * it may be written from elsewhere; each change is the whole of it, written under another name and flushed before it takes its place.
 * The browser's host and the command line read and write the same file (`host/settings-file.ts`).
 * @param directory the data folder
 * @param name of the file, without `.json`; prepared (`prepareSettingsFile`): it holds a JSON object, or is not there
 */
export const openSettingsStore = (directory: string, name: string): SettingsStore => {
  // Without a schema: what may be in the file is ours to say, and is looked at before this reads it.
  const store = new ElectronStore<Record<string, unknown>>({
    cwd: directory,
    name,
    configFileMode: SETTINGS_MODE,
    accessPropertiesByDotNotation: false,
  })
  return { get: (key) => store.get(key), set: (values) => store.set(values) }
}
