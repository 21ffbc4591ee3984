import Letters from '@lucide/svelte/icons/a-large-small'
import Columns from '@lucide/svelte/icons/columns-2'
import Save from '@lucide/svelte/icons/hard-drive-download'
import Info from '@lucide/svelte/icons/info'
import Moon from '@lucide/svelte/icons/moon'
import MoonStar from '@lucide/svelte/icons/moon-star'
import Rows from '@lucide/svelte/icons/rows-3'
import SpellCheck from '@lucide/svelte/icons/spell-check'
import Search from '@lucide/svelte/icons/search'
import Settings from '@lucide/svelte/icons/settings'
import ZoomIn from '@lucide/svelte/icons/zoom-in'
import ZoomOut from '@lucide/svelte/icons/zoom-out'
import type { Preferences } from '../../../shared/preferences.ts'
import { stepZoom, type ZoomStep } from '../../../shared/zoom-steps.ts'
import type { Command } from '../../kernel/commands.ts'
import {
  DARK_MAIL_LABELS,
  DENSITY_LABELS,
  READING_PANE_LABELS,
  TEXT_SIZE_LABELS,
  THEME_LABELS,
  ZOOM_LABELS,
} from './setting-labels.ts'

/** One command for each value of a preference. */
const chooseCommands = <Name extends 'readingPane' | 'density' | 'textSize' | 'theme' | 'darkMail'>(
  name: Name,
  labels: Readonly<Record<Preferences[Name], string>>,
  { of, words, icon }: { readonly of: string } & Required<Pick<Command, 'words' | 'icon'>>,
): readonly Command[] =>
  Object.entries<string>(labels).map(([value, option]) => ({
    id: `view.${name}.${value}`,
    name: `${of}: ${option.toLowerCase()}`,
    words,
    group: 'View',
    icon,
    choice: { of, option, isOn: ({ shell }) => shell.preferences.values[name] === value },
    run: ({ shell }) => void shell.preferences.choose({ [name]: value }),
  }))

const zoomCommand = (step: ZoomStep, icon: Command['icon'], keys: readonly string[]): Command => ({
  id: `view.zoom.${step}`,
  name: ZOOM_LABELS[step],
  words: 'larger smaller bigger size scale magnify percent view',
  group: 'View',
  ...(icon !== undefined && { icon }),
  keys,
  inText: true,
  overDialogs: true,
  // Browsers have their own zoom on the same keys.
  when: ({ shell }) => {
    const { zoom } = shell.preferences.values
    return window.linnet !== undefined && stepZoom(zoom, step) !== zoom
  },
  run: ({ shell: { preferences } }) => void preferences.choose({ zoom: stepZoom(preferences.values.zoom, step) }),
})
const backUpNow: Command = {
  id: 'backup.now',
  name: 'Back up now',
  words: 'copy save restore mail account folder',
  group: 'Linnet',
  icon: Save,
  when: ({ shell }) => shell.account.shown?.kind === 'platform',
  run: ({ shell }) => {
    const { backend, route, toasts } = shell
    void backend.call('backup.state', {}).then(async (state) => {
      if (state.ok && state.data.folder === null) {
        route.go({ view: 'settings' })
        toasts.show('Choose a backup folder first.')
        return
      }
      toasts.show('Backing up…')
      const result = await backend.call('backup.now', {})
      if (result.ok) toasts.show('Backup complete.')
      else if (result.error.code !== 'cancelled') toasts.problem(result.error)
    })
  },
}

export const zoomIn = zoomCommand('in', ZoomIn, ['Mod+=', 'Mod++'])
export const zoomOut = zoomCommand('out', ZoomOut, ['Mod+-'])
export const resetZoom = zoomCommand('reset', Search, ['Mod+0'])

/** First in an app's menu on macOS, last on other desktops. */
export const showAbout: Command = {
  id: 'app.about',
  name: 'About Linnet',
  words: 'version electron chromium node sqlite licence license notices help information',
  group: 'Help',
  icon: Info,
  run: ({ frame }) => frame.showAbout(),
}

export const SETTINGS_COMMANDS: readonly Command[] = [
  {
    id: 'go.settings',
    name: 'Go to settings',
    words: 'preferences options theme density account accounts privacy data',
    group: 'Go to',
    icon: Settings,
    keys: ['Mod+,'],
    inText: true,
    run: ({ shell }) => shell.route.go({ view: 'settings' }),
  },
  backUpNow,
  ...chooseCommands('readingPane', READING_PANE_LABELS, {
    of: 'Reading pane',
    words: 'layout split preview view',
    icon: Columns,
  }),
  ...chooseCommands('density', DENSITY_LABELS, { of: 'Density', words: 'rows size spacing view', icon: Rows }),
  ...chooseCommands('textSize', TEXT_SIZE_LABELS, {
    of: 'Text size',
    words: 'font letters larger smaller zoom view',
    icon: Letters,
  }),
  zoomIn,
  zoomOut,
  resetZoom,
  ...[true, false].map((isWanted): Command => {
    const option = isWanted ? 'On' : 'Off'
    return {
      id: `writing.spelling.${option.toLowerCase()}`,
      name: `Check spelling: ${option.toLowerCase()}`,
      words: 'spell checker dictionary misspelt words writing languages',
      group: 'View',
      icon: SpellCheck,
      choice: {
        of: 'Check spelling',
        option,
        isOn: ({ shell }) => shell.preferences.values.checkSpelling === isWanted,
      },
      run: ({ shell }) => void shell.preferences.choose({ checkSpelling: isWanted }),
    }
  }),
  ...chooseCommands('theme', THEME_LABELS, { of: 'Theme', words: 'appearance colours mode view', icon: Moon }),
  ...chooseCommands('darkMail', DARK_MAIL_LABELS, {
    of: 'Mail in the dark theme',
    words: 'night colours white view',
    icon: MoonStar,
  }),
]
