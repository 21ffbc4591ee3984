import type { App, BrowserWindow, NativeImage } from 'electron'

/** Size in pixels and colour of the taskbar dot (accent in renderer/app/tokens.css). */
const SIDE = 16
const ACCENT = { red: 0xb4, green: 0x25, blue: 0x40 }

/** A filled circle as BGRA pixels. */
export const drawBadgeDot = (): Buffer => {
  const pixels = Buffer.alloc(SIDE * SIDE * 4)
  const middle = (SIDE - 1) / 2
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const opacity = Math.max(0, Math.min(1, SIDE / 2 - Math.hypot(x - middle, y - middle)))
      const { red, green, blue } = ACCENT
      pixels.set(
        [blue, green, red, 255].map((part) => Math.round(part * opacity)),
        (y * SIDE + x) * 4,
      )
    }
  }
  return pixels
}

/** The unread badge on the dock or launcher. On Windows, whose taskbar shows no number, a dot. */
export const createBadge = ({
  app,
  platform,
  windows,
  dot,
}: {
  readonly app: Pick<App, 'setBadgeCount'>
  readonly platform: NodeJS.Platform
  readonly windows: () => readonly Pick<BrowserWindow, 'setOverlayIcon'>[]
  readonly dot: (pixels: Buffer, side: number) => NativeImage
}): ((unread: number) => void) => {
  let made: NativeImage | null = null
  return (unread) => {
    if (platform !== 'win32') {
      app.setBadgeCount(unread)
      return
    }
    made ??= dot(drawBadgeDot(), SIDE)
    const words = unread === 1 ? '1 unread thread' : `${unread} unread threads`
    for (const window of windows()) window.setOverlayIcon(unread === 0 ? null : made, unread === 0 ? '' : words)
  }
}
