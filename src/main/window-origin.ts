/**
 * Where the window's own page lives: a scheme of the app instead of `file:`, so that the page has an origin of its
 * own, takes headers, and reaches no other file of the disk.
 */
export const WINDOW_SCHEME = 'linnet'
export const WINDOW_URL = `${WINDOW_SCHEME}://app/index.html`

const WINDOW_HOST = new URL(WINDOW_URL).host

/** Whether a URL is the window's own page or one of its files. */
export const isWindowUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return protocol === `${WINDOW_SCHEME}:` && host === WINDOW_HOST
}

const EXTERNAL_PROTOCOLS = new Set(['https:', 'http:', 'mailto:'])

/**
 * A link of a mail or of the window, as the desktop may be given it: web pages and addresses, and nothing that could
 * start a program or open a file.
 * @returns the normalised URL, or null where it stays unopened
 */
export const externalUrl = (url: string): string | null => {
  if (!URL.canParse(url)) return null
  const parsed = new URL(url)
  return EXTERNAL_PROTOCOLS.has(parsed.protocol) ? parsed.href : null
}
