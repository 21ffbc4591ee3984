import Columns from '@lucide/svelte/icons/columns-2'
import Moon from '@lucide/svelte/icons/moon'
import Rows from '@lucide/svelte/icons/rows-3'
import Settings from '@lucide/svelte/icons/settings'
import {
  DENSITIES,
  READING_PANES,
  THEMES,
  type Preferences,
  type PreferencesChange,
} from '../../../shared/preferences.ts'
import type { Command } from '../../kernel/commands.ts'
import { DENSITY_LABELS, READING_PANE_LABELS, THEME_LABELS } from './choices.ts'

/** Chooses one of the values of a preference. */
const chooseCommand = (
  name: keyof Preferences,
  value: string,
  entry: Pick<Command, 'name' | 'words' | 'icon'>,
): Command => ({
  ...entry,
  id: `view.${name}.${value}`,
  group: 'View',
  keys: [],
  isOn: ({ shell }) => shell.preferences.values[name] === value,
  run: ({ shell }) => void shell.preferences.choose({ [name]: value } satisfies PreferencesChange),
})

export const SETTINGS_COMMANDS: readonly Command[] = [
  {
    id: 'go.settings',
    name: 'Go to settings',
    words: 'preferences options theme density account privacy data',
    group: 'Go to',
    icon: Settings,
    keys: ['Mod+,'],
    inText: true,
    run: ({ shell }) => shell.route.go({ view: 'settings' }),
  },
  ...READING_PANES.map((pane) =>
    chooseCommand('readingPane', pane, {
      name: `Reading pane: ${READING_PANE_LABELS[pane].toLowerCase()}`,
      words: 'layout split preview view',
      icon: Columns,
    }),
  ),
  ...DENSITIES.map((density) =>
    chooseCommand('density', density, {
      name: `Density: ${DENSITY_LABELS[density].toLowerCase()}`,
      words: 'rows size spacing view',
      icon: Rows,
    }),
  ),
  ...THEMES.map((theme) =>
    chooseCommand('theme', theme, {
      name: `Theme: ${THEME_LABELS[theme].toLowerCase()}`,
      words: 'appearance colours mode view',
      icon: Moon,
    }),
  ),
]
