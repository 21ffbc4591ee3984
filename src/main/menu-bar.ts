import type { Menu, MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../shared/menu-command.ts'

type Item = MenuItemConstructorOptions

/** In which menu a group of the window's commands stands; those of one line are apart from each other by a line. */
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

/** Parts of a menu, with a line between those that have anything in them. */
const inParts = (...parts: readonly (readonly Item[])[]): Item[] =>
  parts.filter((part) => part.length > 0).flatMap((part, index) => [...(index === 0 ? [] : [SEPARATOR]), ...part])

/** A chord as the desktop writes it; null for keys that belong to the window alone: letters, signs, sequences. */
const acceleratorOf = (keys: string | null): string | null => {
  const chord = /^(?:Mod\+(Shift\+)?([a-z\d,[\]=-])|(F\d{1,2}))$/.exec(keys ?? '')
  if (chord === null) return null
  const [, shift = '', key, functionKey] = chord
  return functionKey ?? `CommandOrControl+${shift}${key?.toUpperCase() ?? ''}`
}

/** What a person reads; an ampersand would underline the letter after it. */
const labelOf = ({ name, caps }: MenuCommand, accelerator: string | null): string =>
  `${name}${caps.length === 0 || accelerator !== null ? '' : ` (${caps.join(' ')})`}`.replaceAll('&', '&&')

type Choose = (commandId: string) => void

/** The way to a readable window before there is one with commands; its keys are the menu's own. */
const zoomItems = (choose: Choose): Item[] => [
  { label: 'Zoom in', accelerator: 'CommandOrControl+=', click: () => choose('view.zoom.in') },
  { label: 'Zoom out', accelerator: 'CommandOrControl+-', click: () => choose('view.zoom.out') },
  { label: 'Actual size', accelerator: 'CommandOrControl+0', click: () => choose('view.zoom.reset') },
]

const isAbout = ({ id }: MenuCommand): boolean => id === 'app.about'

/** What every app of macOS has in the menu of its name. */
const OF_A_MAC: readonly (readonly Item[])[] = [
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
    // The window takes its keys itself: in a text field, for one, they mean something else.
    ...(accelerator === null ? {} : { accelerator, registerAccelerator: false }),
  }
}

/** The commands of a group; choices of one thing are a menu of their own, in the place of the first of them. */
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

/** What each desktop expects, and between it what the window can do. */
export const menuTemplate = (
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
    commands.length === 0 ? [] : [{ label: menu, submenu: inParts(...groupsOf(menu)) }]
  // Where no account is open the system's own panel says it.
  const [about = { role: 'about', label: 'About Linnet' }] = itemsOf(commands.filter(isAbout), choose)
  const help = groupsOf('Help').map((items) => items.filter(({ id }) => id !== about.id))
  return [
    ...(isMac ? [{ role: 'appMenu', submenu: inParts([about], ...OF_A_MAC) } as const] : []),
    { label: 'File', submenu: inParts(...groupsOf('File'), [isMac ? { role: 'close' } : { role: 'quit' }]) },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: inParts(
        ...groupsOf('View'),
        // With an account they are among the window's own commands.
        commands.length === 0 ? zoomItems(choose) : [],
        [{ role: 'togglefullscreen' }],
        isPackaged ? [] : [{ role: 'toggleDevTools' }],
      ),
    },
    ...own('Go'),
    ...own('List'),
    ...own('Thread'),
    { role: 'windowMenu' },
    { role: 'help', label: 'Help', submenu: inParts(...help, isMac ? [] : [about]) },
  ]
}

/** What of a command a menu that is there already can follow without being made anew. */
const lasting = ({ id, name, group, keys, choice }: MenuCommand): unknown => [id, name, group, keys, choice?.of]

/** The menu bar: told by the window what it can do, it follows each change. */
export const createMenuBar = (
  electron: Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'>,
  system: Parameters<typeof menuTemplate>[1],
  choose: Choose,
) => {
  let menu: Pick<Menu, 'getMenuItemById'> | null = null
  let made = ''
  return {
    /** @param commands in the order of the window's registry; none where there is no account */
    show: (commands: readonly MenuCommand[]): void => {
      const making = JSON.stringify(commands.map(lasting))
      if (menu === null || making !== made) {
        made = making
        const next = electron.buildFromTemplate(menuTemplate(commands, system, choose))
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
