import ArrowLeft from '@lucide/svelte/icons/arrow-left'
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
import { SETTINGS, type PreferenceName, type Setting } from '../../../shared/preferences.ts'
import { stepZoom, type ZoomStep } from '../../../shared/zoom-steps.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'

const ICONS: Partial<Record<PreferenceName, Command['icon']>> = {
  theme: Moon,
  darkMail: MoonStar,
  density: Rows,
  textSize: Letters,
  readingPane: Columns,
  checkSpelling: SpellCheck,
}

/** Stored shortcuts refer to the IDs, so this one keeps its first name. */
const commandIdOf = (name: PreferenceName): string => (name === 'checkSpelling' ? 'writing.spelling' : `view.${name}`)

/** One command for each value of a setting, if the palette has it. */
const chooseCommands = ({ name, label, words, labels }: Setting): readonly Command[] => {
  if (words === undefined) return []
  const options = Object.entries(labels ?? { on: 'On', off: 'Off' })
  return options.map(([key, option]) => {
    const value = labels === undefined ? key === 'on' : key
    return {
      id: `${commandIdOf(name)}.${key}`,
      name: `${label}: ${option.toLowerCase()}`,
      words,
      group: 'View',
      icon: ICONS[name] ?? Settings,
      choice: { of: label, option, isOn: ({ shell }) => shell.preferences.values[name] === value },
      run: ({ shell }) => void shell.preferences.choose({ [name]: value }),
    }
  })
}

const zoomCommand = (
  step: ZoomStep,
  name: string,
  { icon, keys }: Required<Pick<Command, 'icon' | 'keys'>>,
): Command => ({
  id: `view.zoom.${step}`,
  name,
  words: 'larger smaller bigger size scale magnify percent view',
  group: 'View',
  icon,
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
        route.go({ view: 'settings', section: 'backup' })
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

export const zoomIn = zoomCommand('in', 'Zoom in', { icon: ZoomIn, keys: ['Mod+=', 'Mod++'] })
export const zoomOut = zoomCommand('out', 'Zoom out', { icon: ZoomOut, keys: ['Mod+-'] })
export const resetZoom = zoomCommand('reset', 'Actual size', { icon: Search, keys: ['Mod+0'] })

/** First in an app's menu on macOS, last on other desktops. */
export const showAbout: Command = {
  id: 'app.about',
  name: 'About Linnet',
  words: 'version electron chromium node sqlite licence license notices help information',
  group: 'Help',
  icon: Info,
  run: ({ frame }) => frame.show('about'),
}

const isInSettings = ({ shell }: CommandContext): boolean => shell.route.current.view === 'settings'

/** Before other commands on the same keys. */
export const searchSettings: Command = {
  id: 'settings.search',
  name: 'Search settings',
  words: 'find look for option preference',
  group: 'Search',
  icon: Search,
  keys: ['/', 'Mod+f'],
  inText: true,
  when: isInSettings,
  run: () => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus(),
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
  {
    id: 'settings.leave',
    name: 'Close settings',
    words: 'back leave return',
    group: 'Go to',
    icon: ArrowLeft,
    keys: ['Escape'],
    when: isInSettings,
    run: ({ shell }) => shell.route.leaveSettings(),
  },
  backUpNow,
  ...SETTINGS.flatMap(chooseCommands),
  zoomIn,
  zoomOut,
  resetZoom,
]
