import type { Menu, NativeImage, Tray } from 'electron'
import type { LogFile } from '../host/log-file.ts'
import type { Host } from '../host/host.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import { followUnread } from './count-unread.ts'
import { createTray } from './tray.ts'

/** Pixels of the sign: macOS has a bar of its own height, the others draw theirs smaller where they have to. */
const SIDE = { mac: 18, other: 32 }

interface TrayParts {
  readonly host: Pick<Host, 'call' | 'preferences' | 'subscribe'>
  readonly platform: NodeJS.Platform
  readonly log: LogFile['log']
  readonly Menu: typeof Menu
  readonly Tray: typeof Tray
  readonly nativeImage: { readonly createFromPath: (path: string) => NativeImage }
  /** The file of the sign. */
  readonly icon: string
  readonly hasWindow: () => boolean
  readonly open: () => void
  readonly newMessage: () => void
  readonly quit: () => void
  readonly showUnread: (count: number) => void
}

export type DesktopTray = Pick<ReturnType<typeof createTray>, 'isShown' | 'showUnread'>

/** The tray as the person has chosen it, now and whenever they choose again. */
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
  followUnread(host, parts.hasWindow, parts.showUnread)
  return tray
}
