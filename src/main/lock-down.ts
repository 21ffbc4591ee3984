import type { App, Session, Shell, WebContents } from 'electron'
import { toExternalUrl, isWindowUrl } from './window-origin.ts'

/** Chromium accepts one or two dashes, and on Windows a slash. Node's switches start the same way. */
const DEBUGGING = /^(?:--?|\/)(remote-debugging-[a-z-]+|inspect(?:-[a-z-]+)?|debug(?:-[a-z-]+)?)(?:=|$)/i

/**
 * The switch that would let another program read mail from the packaged app. The fuses disable Node's switches and
 * variables, but there is none for Chromium's debugging port.
 * @returns null if there is none, or if the app isn't packaged, as developers may debug
 */
export const findDebuggingSwitch = (argv: readonly string[], isPackaged: boolean): string | null =>
  isPackaged ? (argv.map((arg) => DEBUGGING.exec(arg)?.[1] ?? null).find((name) => name !== null) ?? null) : null

/** The only permission: the window's own page may copy text when the user presses a button. */
export const isAllowedPermission = (permission: string, requestingUrl: string): boolean =>
  permission === 'clipboard-sanitized-write' && isWindowUrl(requestingUrl)

/** Pages load only their own files and generated data, so the renderer can't fetch remote content. */
export const isAllowedRequest = (url: string): boolean =>
  isWindowUrl(url) || ['data:', 'blob:', 'about:', 'devtools:'].some((scheme) => url.startsWith(scheme))

const NO_DICTIONARIES = 'https://127.0.0.1:1/'

const lockDownSession = (session: Session): void => {
  session.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(isAllowedPermission(permission, details.requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowedPermission(permission, requestingOrigin),
  )
  session.setDevicePermissionHandler(() => false)
  // Chromium would fetch dictionaries from Google, bypassing `webRequest`. It refuses to connect to this port.
  session.setSpellCheckerDictionaryDownloadURL(NO_DICTIONARIES)
  session.setSpellCheckerEnabled(false)
  session.setSpellCheckerLanguages([])
  // Files are saved by the host, after a dialog.
  session.on('will-download', (event) => event.preventDefault())
  session.webRequest.onBeforeRequest((request, decide) => decide({ cancel: !isAllowedRequest(request.url) }))
}

/** Blocks navigation, new windows and guests. Links open in the desktop's browser. */
const lockDownContents = (contents: WebContents, shell: Pick<Shell, 'openExternal'>): void => {
  contents.on('will-navigate', (event) => {
    if (!isWindowUrl(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const external = toExternalUrl(url)
    if (external !== null) void shell.openExternal(external)
    return { action: 'deny' }
  })
}

/**
 * Locks down all sessions and pages created later. Call before `ready`. Sandboxing is Electron's default; `main-window`
 * repeats it.
 */
export const lockDownApp = (app: App, shell: Pick<Shell, 'openExternal'>): void => {
  app.on('session-created', lockDownSession)
  app.on('web-contents-created', (_event, contents) => lockDownContents(contents, shell))
}
