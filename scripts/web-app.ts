/** What makes a browser offer to install Linnet's page as an app of its own: a manifest, with the icon of the desktop's app. */
import { readFileSync } from 'node:fs'

/** Paper of the light theme (src/renderer/app/tokens.css); the page itself says that of the theme it is drawn in. */
const PAPER = '#fbfaf8'
/** With the window's code, which is the same for everyone: a browser fetches an icon without saying who it is. */
const ICON = 'assets/web-app.svg'

/** Where the page's head names it (src/renderer/index.html). */
const MANIFEST = 'app.webmanifest'

const manifest = {
  id: '/',
  name: 'Linnet',
  short_name: 'Linnet',
  description: 'Reads, searches and sorts the mail of an HTTP platform, on this computer.',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: PAPER,
  theme_color: PAPER,
  categories: ['email', 'productivity'],
  icons: [{ src: `/${ICON}`, type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
}

interface Emitter {
  readonly emitFile: (file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }) => void
}

/** A plugin that lays both beside the page. @param icon the file of the icon, as SVG */
export const webApp = (icon: string) => ({
  name: 'linnet:web-app',
  buildStart(this: Emitter): void {
    this.emitFile({ type: 'asset', fileName: ICON, source: readFileSync(icon, 'utf8') })
    this.emitFile({ type: 'asset', fileName: MANIFEST, source: JSON.stringify(manifest) })
  },
})
