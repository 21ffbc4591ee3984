import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import type { LogFile } from '../host/log-file.ts'
import type { Host } from '../host/host.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import type { AccountsState, CommandOutput } from '../shared/contract.ts'

/** Icon size in pixels. The macOS menu bar has a fixed height; other systems scale the icon down. */
const SIDE = { mac: 18, other: 32 }

interface TrayParts {
  readonly host: Pick<Host, 'call' | 'preferences' | 'subscribe'>
  readonly platform: NodeJS.Platform
  readonly log: LogFile['log']
  readonly Menu: typeof Menu
  readonly Tray: typeof Tray
  readonly nativeImage: { readonly createFromPath: (path: string) => NativeImage }
  readonly icon: string
  readonly hasWindow: () => boolean
  readonly open: () => void
  readonly newMessage: () => void
  readonly quit: () => void
  readonly showUnread: (count: number) => void
}

type ShownTray = Pick<Tray, 'setToolTip' | 'destroy' | 'on'> & {
  readonly setMenu: (items: MenuItemConstructorOptions[]) => void
}

interface TrayDependencies {
  /** Creates the tray icon. @throws if the system has no tray */
  readonly make: () => ShownTray
  readonly open: () => void
  readonly newMessage: () => void
  readonly quit: () => void
  readonly failed: (thrown: unknown) => void
}

const describeUnread = (count: number): string => (count === 1 ? '1 unread thread' : `${count} unread threads`)

/** The tray icon, if the user wants one. While it is shown, Linnet keeps running after its last window closes. */
export const createTray = ({ make, open, newMessage, quit, failed }: TrayDependencies) => {
  let shown: ShownTray | null = null
  let unread = 0
  const draw = (): void => {
    if (shown === null) return
    const words = unread === 0 ? null : describeUnread(unread)
    shown.setToolTip(words === null ? 'Linnet' : `Linnet: ${words}`)
    shown.setMenu([
      ...(words === null ? [] : [{ label: words, enabled: false }, { type: 'separator' as const }]),
      { label: 'Open Linnet', click: open },
      { label: 'New message', click: newMessage },
      { type: 'separator' },
      { label: 'Quit', click: quit },
    ])
  }
  return {
    isShown: (): boolean => shown !== null,
    follow: (isWanted: boolean): void => {
      if (isWanted === (shown !== null)) return
      if (!isWanted) {
        shown?.destroy()
        shown = null
        return
      }
      try {
        shown = make()
        shown.on('click', open)
        draw()
      } catch (thrown) {
        shown = null
        failed(thrown)
      }
    },
    showUnread: (count: number): void => {
      if (count === unread) return
      unread = count
      draw()
    },
  }
}

export type DesktopTray = Pick<ReturnType<typeof createTray>, 'isShown' | 'showUnread'>

/** Caller name of the tray's requests, which come from no window. */
const CALLER = 'tray'

/** Unread threads in all open inboxes, counted as a window does (`account-manager.svelte.ts`). */
const countUnread = async (host: Pick<Host, 'call' | 'preferences'>): Promise<number | null> => {
  const state = await host.call('account.state', {}, { accountId: null, caller: CALLER })
  if (!state.ok) return null
  const open = (state.data as AccountsState).accounts.filter(({ isOpen }) => isOpen)
  const lists = await Promise.all(open.map(({ id }) => host.call('inbox.list', {}, { accountId: id, caller: CALLER })))
  const isApart = host.preferences().keptInLists === 'only-here'
  return lists
    .flatMap((list) => (list.ok ? (list.data as CommandOutput<'inbox.list'>).inboxes : []))
    .reduce((sum, { unread, unreadLocalOnly }) => sum + unread - (isApart ? (unreadLocalOnly ?? 0) : 0), 0)
}

/** Tracks the unread count while no window does. */
export const trackUnreadCount = (
  host: Pick<Host, 'call' | 'preferences' | 'subscribe'>,
  hasWindow: () => boolean,
  show: (count: number) => void,
): void => {
  let latest = 0
  const count = async (): Promise<void> => {
    if (hasWindow()) return
    latest += 1
    const own = latest
    const unread = await countUnread(host)
    if (unread !== null && own === latest && !hasWindow()) show(Math.max(0, unread))
  }
  host.subscribe(({ name }) => {
    if (name === 'inboxes.changed' || name === 'account.changed') void count()
  })
}

export const openTray = (parts: TrayParts): DesktopTray => {
  const { host, platform, icon, open, newMessage, quit } = parts
  const make = () => {
    const side = platform === 'darwin' ? SIDE.mac : SIDE.other
    const tray = new parts.Tray(parts.nativeImage.createFromPath(icon).resize({ width: side, height: side }))
    return Object.assign(tray, {
      setMenu: (items: Parameters<typeof Menu.buildFromTemplate>[0]) =>
        tray.setContextMenu(parts.Menu.buildFromTemplate(items)),
    })
  }
  const failed = (thrown: unknown): void => parts.log('error', logLine`tray: ${describeThrown(thrown)}`)
  const tray = createTray({ make, open, newMessage, quit, failed })
  tray.follow(host.preferences().isInTray)
  host.subscribe((event) => {
    if (event.name === 'preferences.changed') tray.follow(event.payload.isInTray)
  })
  trackUnreadCount(host, parts.hasWindow, parts.showUnread)
  return tray
}
