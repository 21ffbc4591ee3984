import { EMAIL_LISTS, type EmailList } from '../../shared/email-query.ts'
import { FOLDERS, type Folder } from '../../shared/model.ts'

/** A list of threads: a folder, a label, what only this computer has, or what a search found. */
export type ThreadListRoute =
  | {
      readonly view: 'folder'
      readonly inboxId: string
      readonly folder: Folder
      /** The search of a tab over the folder Inbox; left out for all of the folder. */
      readonly tab?: string
    }
  | { readonly view: 'label'; readonly inboxId: string; readonly labelId: string }
  | { readonly view: 'onlyHere'; readonly inboxId: string }
  | { readonly view: 'search'; readonly inboxId: string; readonly query: string }

export type ThreadRoute = ThreadListRoute & {
  readonly threadId: string | null
  /** The e-mail at which the thread is opened; left out for the one that a person is likely to read next. */
  readonly emailId?: string
}

/** One of the account's own lists of e-mails, or what a search found in it, with the e-mail that is open beside it. */
export interface EmailListRoute {
  readonly view: EmailList
  readonly id: string | null
  /** Left out for the list itself. */
  readonly query?: string
}

/** What the window shows. `start` is the window without an address: the first inbox takes its place. */
export type Route =
  | { readonly view: 'start' }
  | ThreadRoute
  | EmailListRoute
  | { readonly view: 'contacts'; readonly id: string | null }
  | { readonly view: 'drafts' }
  /** Replies that others have begun. */
  | { readonly view: 'waiting' }
  | { readonly view: 'outbox' }
  /** A window that has one draft and nothing else. */
  | { readonly view: 'write'; readonly draftId: string }
  | { readonly view: 'shareLinks' }
  | { readonly view: 'settings' }

const ONLY_HERE = 'only-here'

const isFolder = (name: string | undefined): name is Folder => FOLDERS.some((folder) => folder === name)

/** Characters. No address that the window makes is longer: three IDs, or a search of 256 characters (contract, Limits). */
const LONGEST = 50_000

/** Null where the text is no whole percent-encoding: an address that was cut short while it was copied. */
const decode = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

const isDecoded = (segments: readonly (string | null)[]): segments is readonly string[] =>
  segments.every((segment) => segment !== null && segment !== '')

const parseInboxRoute = (path: readonly string[], parameters: URLSearchParams): Route => {
  const [inboxId, place, ...rest] = path
  if (inboxId === undefined) return { view: 'start' }
  if (place === 'search') {
    const query = parameters.get('query')?.trim() ?? ''
    const threadId = parameters.get('thread')
    if (query === '') return { view: 'folder', inboxId, folder: 'inbox', threadId: null }
    return { view: 'search', inboxId, query, threadId: threadId === '' ? null : threadId }
  }
  const labelId = place === 'labels' ? rest[0] : undefined
  const [marker, threadId, within, emailId] = labelId === undefined ? rest : rest.slice(1)
  const isOpen = marker === 'threads' && threadId !== undefined
  const open = {
    threadId: isOpen ? threadId : null,
    ...(isOpen && within === 'emails' && emailId !== undefined ? { emailId } : {}),
  }
  if (labelId !== undefined) return { view: 'label', inboxId, labelId, ...open }
  if (place === ONLY_HERE) return { view: 'onlyHere', inboxId, ...open }
  const folder = isFolder(place) ? place : 'inbox'
  const tab = folder === 'inbox' ? (parameters.get('tab')?.trim() ?? '') : ''
  return { view: 'folder', inboxId, folder, ...(tab !== '' && { tab }), ...open }
}

/** Reads an address such as `#/inboxes/4f2/inbox/threads/9ab`. What it cannot read becomes `start`. */
export const parseRoute = (hash: string): Route => {
  if (hash.length > LONGEST) return { view: 'start' }
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const segments = path.split('/').map(decode)
  if (!isDecoded(segments)) return { view: 'start' }
  const [place, ...rest] = segments
  switch (place) {
    case 'inboxes':
      return parseInboxRoute(rest, new URLSearchParams(search))
    case 'received':
    case 'sent': {
      const query = new URLSearchParams(search).get('query')?.trim() ?? ''
      return { view: place, id: rest[0] ?? null, ...(query === '' ? {} : { query }) }
    }
    case 'contacts':
      return { view: place, id: rest[0] ?? null }
    case 'drafts':
    case 'waiting':
    case 'outbox':
      return { view: place }
    case 'write':
      return rest[0] === undefined ? { view: 'drafts' } : { view: 'write', draftId: rest[0] }
    case 'share-links':
      return { view: 'shareLinks' }
    case 'settings':
      return { view: 'settings' }
    case undefined:
    default:
      return { view: 'start' }
  }
}

const join = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`

/** The address of a route: `parseRoute` reads it back unchanged. */
export const formatRoute = (route: Route): string => {
  switch (route.view) {
    case 'start':
      return '#/'
    case 'folder':
    case 'label':
    case 'onlyHere': {
      const list =
        route.view === 'folder' ? [route.folder] : route.view === 'label' ? ['labels', route.labelId] : [ONLY_HERE]
      const open = route.threadId === null ? [] : ['threads', route.threadId]
      const at = route.threadId === null || route.emailId === undefined ? [] : ['emails', route.emailId]
      const address = join('inboxes', route.inboxId, ...list, ...open, ...at)
      if (route.view !== 'folder' || route.tab === undefined) return address
      return `${address}?${new URLSearchParams({ tab: route.tab }).toString()}`
    }
    case 'search': {
      const parameters = new URLSearchParams({ query: route.query })
      if (route.threadId !== null) parameters.set('thread', route.threadId)
      return `${join('inboxes', route.inboxId, 'search')}?${parameters.toString()}`
    }
    case 'received':
    case 'sent': {
      const list = route.id === null ? join(route.view) : join(route.view, route.id)
      return route.query === undefined ? list : `${list}?${new URLSearchParams({ query: route.query }).toString()}`
    }
    case 'contacts':
      return route.id === null ? join(route.view) : join(route.view, route.id)
    case 'drafts':
    case 'waiting':
    case 'outbox':
      return join(route.view)
    case 'write':
      return join(route.view, route.draftId)
    case 'shareLinks':
      return join('share-links')
    case 'settings':
      return join('settings')
  }
}

/** Reads an address that may name an account: `#/accounts/4f2/received`. What it cannot read becomes `start`. */
export const parseAddress = (hash: string): { readonly route: Route; readonly accountId: string | null } => {
  const [, id, rest] = hash.length > LONGEST ? [] : (/^#?\/accounts\/([^/?]{1,300})(.*)$/s.exec(hash) ?? [])
  const accountId = id === undefined ? null : decode(id)
  return { route: parseRoute(id === undefined ? hash : `#${rest ?? ''}`), accountId }
}

/** The address of a route in an account's mail: `parseAddress` reads it back unchanged. */
export const formatAddress = (route: Route, accountId: string | null): string =>
  accountId === null ? formatRoute(route) : `#/accounts/${encodeURIComponent(accountId)}${formatRoute(route).slice(1)}`

export const isThreadRoute = (route: Route): route is ThreadRoute =>
  route.view === 'folder' || route.view === 'label' || route.view === 'onlyHere' || route.view === 'search'

export const isEmailListRoute = (route: Route): route is EmailListRoute =>
  EMAIL_LISTS.some((list) => list === route.view)
