import type { Menu, MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../shared/menu-command.ts'

type Item = MenuItemConstructorOptions

/**
 * Command IDs of each menu, in sections. A section with a title is a submenu. The other commands are in the palette: a
 * menu is for what people look for there. “View” has all commands of its group.
 */
const MENUS = {
  File: [
    ['writing.new', 'window.new', 'window.thread'],
    ['sync.now'],
    ['email.saveOriginal', 'email.saveAttachments', 'conversation.pdf', 'conversation.print'],
    ['contact.import', 'export.open', 'backup.now'],
    ['account.add', 'go.settings'],
  ],
  Edit: [
    ['search.focus', 'search.received', 'search.save', 'reader.find'],
    ['selection.all', 'selection.whole', 'selection.none'],
    ['commands.palette'],
  ],
  Go: [
    ['go.back', 'go.forward'],
    [
      'go.inbox',
      'go.starred',
      'go.snoozed',
      'go.archive',
      'go.sent',
      'go.drafts',
      'go.scheduled',
      'go.outbox',
      'go.spam',
      'go.trash',
    ],
    ['go.mine', 'go.nobodys', 'go.waiting'],
    ['go.allReceived', 'go.allSent', 'go.contacts', 'go.shareLinks'],
    ['go.allInboxes'],
    { title: 'Inboxes', ids: Array.from({ length: 9 }, (_, index) => `go.inbox.${index + 1}`) },
    ['list.next', 'list.previous', 'reader.nextEmail', 'reader.previousEmail'],
  ],
  Message: [
    ['writing.reply', 'writing.replyAll', 'writing.forward'],
    ['thread.undo', 'thread.redo'],
    ['thread.archive', 'thread.trash', 'thread.spam', 'thread.inbox', 'thread.move'],
    ['thread.read', 'thread.unread', 'thread.star', 'thread.unstar'],
    ['thread.snooze', 'thread.remind', 'thread.mute', 'thread.unmute'],
    ['label.pick', 'assign.pick', 'assign.me'],
    ['rules.fromThread', 'rules.block', 'email.unsubscribe'],
    ['reader.share', 'link.copyThread', 'email.source'],
  ],
  Format: [
    ['writing.formatting', 'writing.plain', 'writing.quote'],
    ['writing.from', 'writing.cc', 'writing.bcc', 'writing.attach'],
    ['writing.send', 'writing.sendAndArchive', 'writing.schedule', 'writing.remind'],
    ['writing.window', 'writing.discardOpen'],
    ['snippets.newReply', 'snippets.signature'],
  ],
  Help: [
    ['commands.keys', 'app.firstSteps'],
    ['network.test', 'run.safe', 'run.usual'],
    ['update.check', 'update.install'],
  ],
} as const

type Section = readonly string[] | { readonly title: string; readonly ids: readonly string[] }

/** IDs of the commands that the menus name. */
export const MENU_COMMANDS: readonly string[] = Object.values(MENUS)
  .flat()
  .flatMap((section: Section) => ('ids' in section ? section.ids : section))

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

/** In “Go”, the name of the place is enough. */
const placeOf = (name: string): string =>
  name.replace(/^Go to (?:the )?(.)(?=.)/, (_, first: string) => first.toUpperCase())

/** Menu label. A single ampersand would underline the next letter. */
const labelOf = ({ name, caps }: MenuCommand, accelerator: string | null): string =>
  `${placeOf(name)}${caps.length === 0 || accelerator !== null ? '' : ` (${caps.join(' ')})`}`.replaceAll('&', '&&')

type Choose = (commandId: string) => void

/** Zoom items for when no window has commands yet. These shortcuts belong to the menu. */
const zoomItems = (choose: Choose): Item[] => [
  { label: 'Zoom in', accelerator: 'CommandOrControl+=', click: () => choose('view.zoom.in') },
  { label: 'Zoom out', accelerator: 'CommandOrControl+-', click: () => choose('view.zoom.out') },
  { label: 'Actual size', accelerator: 'CommandOrControl+0', click: () => choose('view.zoom.reset') },
]

const TEXT_ROLES: readonly (readonly Item[])[] = [
  [{ role: 'undo' }, { role: 'redo' }],
  [{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'pasteAndMatchStyle' }, { role: 'selectAll' }],
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
  const pick = (ids: readonly string[]): readonly Item[] =>
    ids.flatMap((id) => {
      const command = commands.find((each) => each.id === id)
      return command === undefined ? [] : [itemOf(command, choose)]
    })
  const sectionsOf = (menu: keyof typeof MENUS): readonly (readonly Item[])[] =>
    MENUS[menu].map((section: Section) => {
      if (!('ids' in section)) return pick(section)
      const submenu = pick(section.ids)
      return submenu.length === 0 ? [] : [{ label: section.title, submenu: [...submenu] }]
    })
  const isMac = platform === 'darwin'
  const own = (menu: keyof typeof MENUS): Item[] =>
    commands.length === 0 ? [] : [{ label: menu, submenu: joinGroups(...sectionsOf(menu)) }]
  // Without an open account, use the system's About panel.
  const [about = { role: 'about', label: 'About Linnet' }] = itemsOf(commands.filter(isAbout), choose)
  return [
    ...(isMac ? [{ role: 'appMenu', submenu: joinGroups([about], ...MAC_APP_GROUPS) } as const] : []),
    { label: 'File', submenu: joinGroups(...sectionsOf('File'), [isMac ? { role: 'close' } : { role: 'quit' }]) },
    { label: 'Edit', submenu: joinGroups(...TEXT_ROLES, ...sectionsOf('Edit')) },
    {
      label: 'View',
      submenu: joinGroups(
        itemsOf(
          commands.filter(({ group }) => group === 'View'),
          choose,
        ),
        // With an open account, the window's own commands include zoom.
        commands.length === 0 ? zoomItems(choose) : [],
        [{ role: 'togglefullscreen' }],
        isPackaged ? [] : [{ role: 'toggleDevTools' }],
      ),
    },
    ...own('Go'),
    ...own('Message'),
    ...own('Format'),
    { role: 'windowMenu' },
    { role: 'help', label: 'Help', submenu: joinGroups(...sectionsOf('Help'), isMac ? [] : [about]) },
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
