import { APP_SCHEME } from '../shared/app-link.ts'

/** A custom scheme instead of `file:`, so the page has its own origin, gets headers and can't read other files. */
export const WINDOW_SCHEME = APP_SCHEME
export const WINDOW_URL = `${WINDOW_SCHEME}://app/index.html`

const WINDOW_HOST = new URL(WINDOW_URL).host

export const isWindowUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return protocol === `${WINDOW_SCHEME}:` && host === WINDOW_HOST
}

const EXTERNAL_PROTOCOLS = new Set(['https:', 'http:', 'mailto:'])

/** A plain phone number, without dialling codes or options. */
const NUMBER = /^(?:tel|sms):\+?\d{2,32}$/

/** Fields a mailto link may fill in. Others are unsafe, such as `attach`, which names a local file. */
const MAIL_FIELDS: readonly string[] = ['to', 'cc', 'bcc', 'subject', 'body']

const tryDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** True if the field is allowed and can't inject a header. Only the body may have several lines. */
const isSafeField = (part: string): boolean => {
  const [name = '', ...value] = part.split('=')
  const field = tryDecode(name)?.toLowerCase() ?? ''
  const text = tryDecode(value.join('='))
  return MAIL_FIELDS.includes(field) && text !== null && (field === 'body' || !/[\r\n]/.test(text))
}

const safeMailto = ({ pathname, search }: URL): string | null => {
  const recipients = tryDecode(pathname)
  if (recipients === null || /[\r\n]/.test(recipients)) return null
  const fields = search.slice(1).split('&').filter(isSafeField)
  return `mailto:${pathname}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/**
 * Filters the links that may be passed to the desktop: web pages, mail addresses and phone numbers, but nothing that
 * could start a program, or open or send a file.
 * @returns the normalised URL, or null if it must not be opened
 */
export const toExternalUrl = (url: string): string | null => {
  if (!URL.canParse(url)) return null
  if (NUMBER.test(url)) return url
  const parsed = new URL(url)
  if (!EXTERNAL_PROTOCOLS.has(parsed.protocol)) return null
  return parsed.protocol === 'mailto:' ? safeMailto(parsed) : parsed.href
}
