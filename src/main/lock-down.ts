import type { App, Session, Shell, WebContents } from 'electron'
import { externalUrl, isWindowUrl } from './window-origin.ts'

/** What a page may be granted: only to copy a text when a person presses a button, and only the window's own page. */
export const isAllowedPermission = (permission: string, requestingUrl: string): boolean =>
  permission === 'clipboard-sanitized-write' && isWindowUrl(requestingUrl)

/** What a page may load: its own files and what it made itself. Remote content has no way out of the renderer. */
export const isAllowedRequest = (url: string): boolean =>
  isWindowUrl(url) || ['data:', 'blob:', 'about:', 'devtools:'].some((scheme) => url.startsWith(scheme))

/** Where dictionaries would be fetched from. */
const NO_DICTIONARIES = 'https://127.0.0.1:1/'

/** Closes what every page of the session could otherwise ask for. */
const lockDownSession = (session: Session): void => {
  session.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(isAllowedPermission(permission, details.requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowedPermission(permission, requestingOrigin),
  )
  session.setDevicePermissionHandler(() => false)
  // A language that is chosen has its dictionary fetched from Google's server, by a way that `webRequest` does not see: it is
  // asked at an address of this computer instead, at a port that Chromium itself refuses to connect to.
  session.setSpellCheckerDictionaryDownloadURL(NO_DICTIONARIES)
  session.setSpellCheckerEnabled(false)
  session.setSpellCheckerLanguages([])
  // Files are saved by the host, after a dialog.
  session.on('will-download', (event) => event.preventDefault())
  session.webRequest.onBeforeRequest((request, decide) => decide({ cancel: !isAllowedRequest(request.url) }))
}

/** Keeps every page where it is: no navigation, no new window, no guest. Links go to the desktop's browser. */
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
    const external = externalUrl(url)
    if (external !== null) void shell.openExternal(external)
    return { action: 'deny' }
  })
}

/**
 * Applies both to everything that the app will ever create. To be called before `ready`. Windows are sandboxed by
 * Electron's own default, and `main-window` says it once more.
 */
export const lockDownApp = (app: App, shell: Pick<Shell, 'openExternal'>): void => {
  app.on('session-created', lockDownSession)
  app.on('web-contents-created', (_event, contents) => lockDownContents(contents, shell))
}
