import { createBackend } from '../../../../src/renderer/kernel/backend.ts'
import { PreferencesManager } from '../../../../src/renderer/kernel/preferences-manager.svelte.ts'
import {
  DEFAULT_PREFERENCES,
  withPreferences,
  type Preferences,
  type PreferencesChange,
} from '../../../../src/shared/preferences.ts'
import { createFixtureTransport, type FixtureHandlers } from './fixture-transport.ts'

export const createPreferences = (chosen: PreferencesChange = {}, handlers: FixtureHandlers = {}) => {
  const transport = createFixtureTransport({ threads: 0, contacts: 0, handlers })
  const said: string[] = []
  const open = (served: Preferences): PreferencesManager =>
    new PreferencesManager(
      createBackend(transport),
      {
        problem: ({ message }) => {
          said.push(message)
          return said.length
        },
      },
      served,
    )
  return { preferences: open(withPreferences(DEFAULT_PREFERENCES, chosen)), transport, said, open }
}
