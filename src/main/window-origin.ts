import { APP_SCHEME } from '../shared/app-link.ts'

/**
 * Where the window's own page lives: a scheme of the app instead of `file:`, so that the page has an origin of its
 * own, takes headers, and reaches no other file of the disk.
 */
export const WINDOW_SCHEME = APP_SCHEME
export const WINDOW_URL = `${WINDOW_SCHEME}://app/index.html`

const WINDOW_HOST = new URL(WINDOW_URL).host

/** Whether a URL is the window's own page or one of its files. */
export const isWindowUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return protocol === `${WINDOW_SCHEME}:` && host === WINDOW_HOST
}

const EXTERNAL_PROTOCOLS = new Set(['https:', 'http:', 'mailto:'])

/** A number to call or to write to, and nothing else: no codes for the telephone itself, no options. */
const NUMBER = /^(?:tel|sms):\+?\d{2,32}$/

/** What a link may fill in of a new e-mail. Mail programs know more, such as `attach`, which names a file of the disk. */
const MAIL_FIELDS: readonly string[] = ['to', 'cc', 'bcc', 'subject', 'body']

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Whether a field says one line, so that it cannot bring a header of its own; a body may have several. */
const isSafeField = (part: string): boolean => {
  const [name = '', ...value] = part.split('=')
  const field = decoded(name)?.toLowerCase() ?? ''
  const text = decoded(value.join('='))
  return MAIL_FIELDS.includes(field) && text !== null && (field === 'body' || !/[\r\n]/.test(text))
}

const safeMailto = ({ pathname, search }: URL): string | null => {
  const recipients = decoded(pathname)
  if (recipients === null || /[\r\n]/.test(recipients)) return null
  const fields = search.slice(1).split('&').filter(isSafeField)
  return `mailto:${pathname}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/**
 * A link of a mail or of the window, as the desktop may be given it: web pages, addresses and telephone numbers, and nothing that could
 * start a program, or open or send a file.
 * @returns the normalised URL, or null where it stays unopened
 */
export const externalUrl = (url: string): string | null => {
  if (!URL.canParse(url)) return null
  if (NUMBER.test(url)) return url
  const parsed = new URL(url)
  if (!EXTERNAL_PROTOCOLS.has(parsed.protocol)) return null
  return parsed.protocol === 'mailto:' ? safeMailto(parsed) : parsed.href
}
