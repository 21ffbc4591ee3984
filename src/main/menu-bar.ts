import type { Menu, MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../shared/menu-command.ts'

type Item = MenuItemConstructorOptions

/** The command groups of each menu, with separators between groups. */
const MENUS = {
  File: ['Linnet'],
  View: ['View'],
  Go: ['Go to', 'Search'],
  List: ['Threads', 'Selection', 'Reading'],
  Thread: ['Actions', 'Writing'],
  Help: ['Help'],
} as const

export const MENU_GROUPS: readonly string[] = Object.values(MENUS).flat()

const SEPARATOR: Item = { type: 'separator' }

const joinGroups = (...parts: readonly (readonly Item[])[]): Item[] =>
  parts.filter((part) => part.length > 0).flatMap((part, index) => [...(index === 0 ? [] : [SEPARATOR]), ...part])

/** A shortcut in Electron's format. Null for keys that only the window handles: letters, signs, sequences. */
const acceleratorOf = (keys: string | null): string | null => {
  const chord = /^(?:Mod\+(Shift\+)?([a-z\d,[\]=-])|(F\d{1,2}))$/.exec(keys ?? '')
  if (chord === null) return null
  const [, shift = '', key, functionKey] = chord
  return functionKey ?? `CommandOrControl+${shift}${key?.toUpperCase() ?? ''}`
}

/** Menu label. A single ampersand would underline the next letter. */
const labelOf = ({ name, caps }: MenuCommand, accelerator: string | null): string =>
  `${name}${caps.length === 0 || accelerator !== null ? '' : ` (${caps.join(' ')})`}`.replaceAll('&', '&&')

type Choose = (commandId: string) => void

/** Zoom items for when no window has commands yet. These shortcuts belong to the menu. */
const zoomItems = (choose: Choose): Item[] => [
  { label: 'Zoom in', accelerator: 'CommandOrControl+=', click: () => choose('view.zoom.in') },
  { label: 'Zoom out', accelerator: 'CommandOrControl+-', click: () => choose('view.zoom.out') },
  { label: 'Actual size', accelerator: 'CommandOrControl+0', click: () => choose('view.zoom.reset') },
]

const isAbout = ({ id }: MenuCommand): boolean => id === 'app.about'

const MAC_APP_GROUPS: readonly (readonly Item[])[] = [
  [{ role: 'services' }],
  [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }],
  [{ role: 'quit' }],
]

const itemOf = (command: MenuCommand, choose: Choose): Item => {
  const accelerator = acceleratorOf(command.keys)
  return {
    id: command.id,
    label: labelOf(command, accelerator),
    enabled: command.isEnabled,
    click: () => choose(command.id),
    // The window handles its own shortcuts, as they mean something else in a text field, for example.
    ...(accelerator === null ? {} : { accelerator, registerAccelerator: false }),
  }
}

/** A group's commands. Alternatives for one setting become a submenu at the position of the first. */
const itemsOf = (commands: readonly MenuCommand[], choose: Choose): readonly Item[] =>
  commands.flatMap((command, index): readonly Item[] => {
    const { choice } = command
    if (choice === null) return [itemOf(command, choose)]
    if (commands.findIndex((other) => other.choice?.of === choice.of) !== index) return []
    const submenu = commands.flatMap((each): readonly Item[] =>
      each.choice?.of === choice.of
        ? [{ ...itemOf(each, choose), type: 'radio', label: each.choice.option, checked: each.choice.isOn }]
        : [],
    )
    return [{ label: choice.of, submenu }]
  })

export const buildMenuTemplate = (
  commands: readonly MenuCommand[],
  { platform, isPackaged }: { readonly platform: NodeJS.Platform; readonly isPackaged: boolean },
  choose: Choose,
): Item[] => {
  const groupsOf = (menu: keyof typeof MENUS): readonly (readonly Item[])[] =>
    MENUS[menu].map((group) =>
      itemsOf(
        commands.filter((command) => command.group === group),
        choose,
      ),
    )
  const isMac = platform === 'darwin'
  const own = (menu: 'Go' | 'List' | 'Thread'): Item[] =>
    commands.length === 0 ? [] : [{ label: menu, submenu: joinGroups(...groupsOf(menu)) }]
  // Without an open account, use the system's About panel.
  const [about = { role: 'about', label: 'About Linnet' }] = itemsOf(commands.filter(isAbout), choose)
  const help = groupsOf('Help').map((items) => items.filter(({ id }) => id !== about.id))
  return [
    ...(isMac ? [{ role: 'appMenu', submenu: joinGroups([about], ...MAC_APP_GROUPS) } as const] : []),
    { label: 'File', submenu: joinGroups(...groupsOf('File'), [isMac ? { role: 'close' } : { role: 'quit' }]) },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: joinGroups(
        ...groupsOf('View'),
        // With an open account, the window's own commands include zoom.
        commands.length === 0 ? zoomItems(choose) : [],
        [{ role: 'togglefullscreen' }],
        isPackaged ? [] : [{ role: 'toggleDevTools' }],
      ),
    },
    ...own('Go'),
    ...own('List'),
    ...own('Thread'),
    { role: 'windowMenu' },
    { role: 'help', label: 'Help', submenu: joinGroups(...help, isMac ? [] : [about]) },
  ]
}

/** The parts of a command that require a rebuilt menu when they change. */
const rebuildKey = ({ id, name, group, keys, choice }: MenuCommand): unknown => [id, name, group, keys, choice?.of]

export const createMenuBar = (
  electron: Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'>,
  system: Parameters<typeof buildMenuTemplate>[1],
  choose: Choose,
) => {
  let menu: Pick<Menu, 'getMenuItemById'> | null = null
  let made = ''
  return {
    /** @param commands in the order of the window's registry; empty without an account */
    show: (commands: readonly MenuCommand[]): void => {
      const making = JSON.stringify(commands.map(rebuildKey))
      if (menu === null || making !== made) {
        made = making
        const next = electron.buildFromTemplate(buildMenuTemplate(commands, system, choose))
        electron.setApplicationMenu(next)
        menu = next
        return
      }
      for (const { id, isEnabled, choice } of commands) {
        const item = menu.getMenuItemById(id)
        if (item === null) continue
        item.enabled = isEnabled
        if (choice?.isOn === true) item.checked = true
      }
    },
  }
}
