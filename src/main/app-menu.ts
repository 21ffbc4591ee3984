import type { MenuItemConstructorOptions } from 'electron'

/** The menu that each desktop expects; every shortcut of the mail itself lives in the window. */
export const appMenu = (platform: NodeJS.Platform, isPackaged: boolean): MenuItemConstructorOptions[] => [
  ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : [{ role: 'fileMenu' } as const]),
  { role: 'editMenu' },
  {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(isPackaged ? [] : [{ type: 'separator' } as const, { role: 'toggleDevTools' } as const]),
    ],
  },
  { role: 'windowMenu' },
]
