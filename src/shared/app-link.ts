import { cleanAddress, isAddress } from './recipients.ts'

/**
 * A parsed link from another program. Anyone can write a link, so it can open something or start a message, but never
 * change, send or attach anything.
 */
export type AppLink =
  | { readonly kind: 'thread'; readonly inboxId: string; readonly threadId: string }
  /** A null inbox means the inbox on screen. */
  | { readonly kind: 'search'; readonly inboxId: string | null; readonly query: string }
  | { readonly kind: 'contact'; readonly address: string }
  /** A raw `mailto:` link. The code that handles it decides which fields a link may fill in. */
  | { readonly kind: 'compose'; readonly mailto: string }

/** Link for a window to follow. Only a notification can start a reply; links from other programs can't. */
export type WindowLink = AppLink | { readonly kind: 'reply'; readonly inboxId: string; readonly threadId: string }

/** Scheme of Linnet's links. The window's own pages also use it, with the host `app`; those aren't links. */
export const APP_SCHEME = 'linnet'

/** Maximum length of a link in characters. */
const LONGEST_LINK = 32_000
/** Maximum characters of a search (platform.md 10.1). */
const LONGEST_QUERY = 256
const LONGEST_ID = 512

/**
 * Spaces, controls and invisible characters, which links must percent-encode. Decoded parts must not contain controls.
 */
// eslint-disable-next-line no-control-regex -- matched on purpose
const UNENCODED = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/u
const CONTROL = /\p{Cc}/u

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const idOf = (text: string | undefined): string | null => {
  const id = text === undefined ? null : decode(text)
  return id === null || id === '' || id.length > LONGEST_ID || CONTROL.test(id) ? null : id
}

/** Parameters of a link; null if one is unknown or repeated. */
const parametersOf = (search: string, names: readonly string[]): ReadonlyMap<string, string> | null => {
  const found = new Map<string, string>()
  for (const part of search === '' ? [] : search.split('&')) {
    const [name = '', ...value] = part.split('=')
    const text = decode(value.join('='))
    if (!names.includes(name) || found.has(name) || text === null || CONTROL.test(text)) return null
    found.set(name, text)
  }
  return found
}

const searchLink = (search: string): AppLink | null => {
  const parameters = parametersOf(search, ['query', 'inbox'])
  const query = parameters?.get('query')?.trim() ?? ''
  const inbox = parameters?.get('inbox')
  const inboxId = inbox === undefined ? null : idOf(encodeURIComponent(inbox))
  if (query === '' || query.length > LONGEST_QUERY || (inbox !== undefined && inboxId === null)) return null
  return { kind: 'search', inboxId, query }
}

const OWN = new RegExp(`^${APP_SCHEME}://([a-z]+)(/[^?#]*)?(?:\\?([^#]*))?$`, 'i')

/**
 * Parses a link from the operating system: `linnet://thread/INBOX/THREAD`, `linnet://search?query=…`,
 * `linnet://contact/ADDRESS`, `linnet://compose?to=…&subject=…&body=…`, or `mailto:…`. Links are untrusted, so anything
 * else returns null.
 */
export const parseAppLink = (text: string): AppLink | null => {
  if (text.length > LONGEST_LINK || UNENCODED.test(text)) return null
  // Two slashes would introduce a host, which `mailto:` doesn't have (RFC 6068).
  if (/^mailto:(?!\/\/)/i.test(text)) return { kind: 'compose', mailto: text }
  const [whole, place = '', path = '', search = ''] = OWN.exec(text) ?? []
  if (whole === undefined) return null
  // Some programs add a trailing slash.
  const [, ...segments] = path.replace(/\/$/, '').split('/')
  switch (place.toLowerCase()) {
    case 'thread': {
      const [inboxId, threadId] = [idOf(segments[0]), idOf(segments[1])]
      if (segments.length !== 2 || inboxId === null || threadId === null || search !== '') return null
      return { kind: 'thread', inboxId, threadId }
    }
    case 'search':
      return segments.length === 0 ? searchLink(search) : null
    case 'contact': {
      const given = idOf(segments[0])
      const address = given === null ? null : cleanAddress(given)
      return segments.length === 1 && search === '' && address !== null && isAddress(address)
        ? { kind: 'contact', address }
        : null
    }
    case 'compose':
      return segments.length === 0 ? { kind: 'compose', mailto: `mailto:?${search}` } : null
    default:
      return null
  }
}

/** Inverse of `parseAppLink`. */
export const formatAppLink = (link: Exclude<AppLink, { kind: 'compose' }>): string => {
  switch (link.kind) {
    case 'thread':
      return `${APP_SCHEME}://thread/${encodeURIComponent(link.inboxId)}/${encodeURIComponent(link.threadId)}`
    case 'search': {
      const inbox = link.inboxId === null ? '' : `&inbox=${encodeURIComponent(link.inboxId)}`
      return `${APP_SCHEME}://search?query=${encodeURIComponent(link.query)}${inbox}`
    }
    case 'contact':
      return `${APP_SCHEME}://contact/${encodeURIComponent(link.address)}`
  }
}

/**
 * The last valid link in the arguments, or null. Chromium reorders the arguments of a second instance and adds its own.
 */
export const findAppLink = (argv: readonly string[]): AppLink | null =>
  argv.reduceRight<AppLink | null>((found, word) => found ?? parseAppLink(word), null)
