import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { createMenuBar, buildMenuTemplate } from '../../../src/main/menu-bar.ts'
import type { MenuCommand } from '../../../src/shared/menu-command.ts'

const command = (changes: Partial<MenuCommand> & Pick<MenuCommand, 'id'>): MenuCommand => ({
  name: changes.id,
  group: 'Actions',
  keys: null,
  caps: [],
  isEnabled: true,
  choice: null,
  ...changes,
})
const submenu = (template: readonly MenuItemConstructorOptions[], label: string) =>
  (template.find((item) => item.label === label)?.submenu ?? []) as readonly MenuItemConstructorOptions[]

const LINUX = { platform: 'linux', isPackaged: true } as const

describe('the menu bar', () => {
  it('shows chords without taking them from the window, and other keys as text', () => {
    const commands = [
      command({ id: 'window.new', name: 'New window', keys: 'Mod+k', caps: ['Ctrl', 'K'] }),
      command({ id: 'thread.redo', name: 'redo', keys: 'Mod+Shift+z', caps: ['Ctrl', 'Shift', 'z'] }),
      command({ id: 'thread.archive', name: 'Archive & forget', keys: 'e', caps: ['e'] }),
      command({ id: 'thread.trash', name: 'strange', keys: 'Mod+ö', caps: ['Ctrl', 'ö'] }),
      command({ id: 'go.inbox.2', name: 'Go to the inbox', keys: 'g i', caps: ['g', 'i'], isEnabled: false }),
      command({ id: 'contact.segments' }),
    ]
    const template = buildMenuTemplate(commands, LINUX, () => undefined)
    expect(submenu(template, 'File')[0]).toMatchObject({
      label: 'New window',
      accelerator: 'CommandOrControl+K',
      registerAccelerator: false,
    })
    expect(submenu(template, 'Message')).toMatchObject([
      { accelerator: 'CommandOrControl+Shift+Z' },
      { type: 'separator' },
      { label: 'Archive && forget (e)' },
      { label: 'strange (Ctrl ö)' },
    ])
    expect(submenu(template, 'Message')[2]?.accelerator).toBeUndefined()
    expect(submenu(template, 'Go')).toMatchObject([
      { label: 'Inboxes', submenu: [{ label: 'Inbox (g i)', enabled: false }] },
    ])
    // Commands without a place are in the palette.
    expect(JSON.stringify(template)).not.toContain('contact.segments')
  })

  it('has each desktop’s standard items, and no mail items without an account', () => {
    const roles = (platform: NodeJS.Platform) => JSON.stringify(buildMenuTemplate([], { platform, isPackaged: true }, () => undefined)) // prettier-ignore
    expect(roles('linux')).toContain('"quit"')
    expect(roles('darwin')).toContain('"appMenu"')
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(roles(platform)).toContain('"pasteAndMatchStyle"')
      expect(roles(platform)).toContain('"togglefullscreen"')
      expect(roles(platform)).not.toContain('Message')
      expect(roles(platform)).not.toContain('toggleDevTools')
    }
  })

  it('has About Linnet in each desktop’s place, and the system’s panel without an account', () => {
    const about = command({ id: 'app.about', group: 'Help', name: 'About Linnet' })
    const keys = command({ id: 'commands.keys', group: 'Help', name: 'Keyboard shortcuts' })
    const templateOf = (platform: NodeJS.Platform, commands: readonly MenuCommand[]) =>
      buildMenuTemplate(commands, { platform, isPackaged: true }, () => undefined)
    expect(submenu(templateOf('linux', [keys, about]), 'Help')).toMatchObject([
      { id: 'commands.keys' },
      { type: 'separator' },
      { id: 'app.about' },
    ])
    expect(submenu(templateOf('win32', []), 'Help')).toEqual([{ role: 'about', label: 'About Linnet' }])
    const onMac = templateOf('darwin', [keys, about])
    const own = onMac[0]?.submenu as readonly MenuItemConstructorOptions[] | undefined
    expect(own?.[0]).toMatchObject({ id: 'app.about' })
    expect(submenu(onMac, 'Help')).toMatchObject([{ id: 'commands.keys' }])
    expect(templateOf('darwin', [])[0]?.submenu).toMatchObject([{ role: 'about' }, {}, {}, {}, {}, {}, {}, {}, {}])
  })

  it('is rebuilt when names or keys change, and otherwise only updated', () => {
    const items = new Map<string, { enabled: boolean; checked: boolean }>()
    let made = 0
    const build = (template: readonly MenuItemConstructorOptions[]): void => {
      for (const item of template) {
        if (item.id !== undefined) items.set(item.id, { enabled: item.enabled ?? true, checked: item.checked ?? false })
        if (Array.isArray(item.submenu)) build(item.submenu)
      }
    }
    const bar = createMenuBar(
      {
        buildFromTemplate: (template) => {
          made += 1
          build(template as readonly MenuItemConstructorOptions[])
          return { getMenuItemById: (id: string) => items.get(id) ?? null } as never
        },
        setApplicationMenu: () => undefined,
      },
      LINUX,
      () => undefined,
    )
    const theme = (option: string, isOn: boolean) =>
      command({ id: option, group: 'View', choice: { of: 'Theme', option, isOn } })
    bar.show([command({ id: 'thread.archive' }), theme('Light', true), theme('Dark', false)])
    expect(made).toBe(1)
    bar.show([command({ id: 'thread.archive', isEnabled: false }), theme('Light', false), theme('Dark', true)])
    expect(made).toBe(1)
    expect(items.get('thread.archive')?.enabled).toBe(false)
    expect(items.get('Dark')?.checked).toBe(true)
    bar.show([command({ id: 'thread.archive', keys: 'y', caps: ['y'] }), theme('Light', false), theme('Dark', true)])
    expect(made).toBe(2)
  })
})
