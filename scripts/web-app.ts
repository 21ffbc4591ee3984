/** Lets browsers install Linnet's page as an app: a manifest, with the desktop app's icon. */
import { readFileSync } from 'node:fs'

/**
 * Paper colour of the light theme (src/renderer/app/tokens.css). The page itself sets the colour of its current theme.
 */
const PAPER = '#fbfaf8'
/** In the folder of the window's code, which needs no sign-in: browsers fetch an icon without credentials. */
const ICON = 'assets/web-app.svg'

/** Linked from the page's head (src/renderer/index.html). */
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

/** Plugin that emits the manifest and the icon next to the page. @param icon path of the SVG icon */
export const webApp = (icon: string) => ({
  name: 'linnet:web-app',
  buildStart(this: Emitter): void {
    this.emitFile({ type: 'asset', fileName: ICON, source: readFileSync(icon, 'utf8') })
    this.emitFile({ type: 'asset', fileName: MANIFEST, source: JSON.stringify(manifest) })
  },
})
