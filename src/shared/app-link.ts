import { cleanAddress, isAddress } from './recipients.ts'

/**
 * What a link from outside asks the window for. Anybody can write one, so that it leads somewhere or begins a message, and
 * changes, sends and attaches nothing.
 */
export type AppLink =
  | { readonly kind: 'thread'; readonly inboxId: string; readonly threadId: string }
  /** Through the inbox that the window shows where it names none. */
  | { readonly kind: 'search'; readonly inboxId: string | null; readonly query: string }
  | { readonly kind: 'contact'; readonly address: string }
  /** A `mailto:` link, as it came: whoever opens it takes from it what a link may fill in. */
  | { readonly kind: 'compose'; readonly mailto: string }

/** The scheme of Linnet's own links, and of the window's pages (host `app`), which are no links. */
export const APP_SCHEME = 'linnet'

/** Characters of a link that is read at all. */
const LONGEST_LINK = 32_000
/** Of a search (contract, Limits). */
const LONGEST_QUERY = 256
const LONGEST_ID = 512

/** Spaces, controls, and characters that are not drawn: a link has them percent-encoded, and its parts have no controls. */
// eslint-disable-next-line no-control-regex -- They are what is looked for.
const UNWRITTEN = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/u
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

/** The parameters of a link, each once; null where it has others or one of them twice. */
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

/** `linnet:` and what follows its two slashes. */
const OWN = new RegExp(`^${APP_SCHEME}://([a-z]+)(/[^?#]*)?(?:\\?([^#]*))?$`, 'i')

/**
 * Reads a link that the system hands over: `linnet://thread/INBOX/THREAD`, `linnet://search?query=…`,
 * `linnet://contact/ADDRESS`, `linnet://compose?to=…&subject=…&body=…`, or `mailto:…`. It comes from a stranger: what is not
 * exactly of this form is no link.
 * @returns null for all else
 */
export const parseAppLink = (text: string): AppLink | null => {
  if (text.length > LONGEST_LINK || UNWRITTEN.test(text)) return null
  // With two slashes it would name a host, which no address of this kind has (RFC 6068).
  if (/^mailto:(?!\/\/)/i.test(text)) return { kind: 'compose', mailto: text }
  const [whole, place = '', path = '', search = ''] = OWN.exec(text) ?? []
  if (whole === undefined) return null
  // A slash at the end is what some programs add.
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

/** The link to a place: `parseAppLink` reads it back unchanged. */
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
 * The link among the words that a program was started with; null where there is none. Chromium gives the words of a second start in
 * an order of its own, and with others of its own: the last word that is a link whole counts.
 */
export const linkIn = (argv: readonly string[]): AppLink | null =>
  argv.reduceRight<AppLink | null>((found, word) => found ?? parseAppLink(word), null)
