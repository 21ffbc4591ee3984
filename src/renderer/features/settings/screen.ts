import type { Screen } from '../../kernel/screen.ts'
import SettingsView from './SettingsView.svelte'

export const settingsScreen: Screen = {
  View: SettingsView,
  list: null,
  at: (route) =>
    route.view === 'settings' ? { openId: null, opening: () => route, parent: null, show: () => undefined } : null,
  hide: () => undefined,
  refresh: () => undefined,
}
