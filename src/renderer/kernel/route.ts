import { EMAIL_LISTS, type EmailList } from '../../shared/email-query.ts'
import { FOLDERS, type Folder } from '../../shared/model.ts'

/** Parts of a folder or label that can be shown alone, as searches. */
export const FILTER_SEARCHES = {
  unread: 'is:unread',
  files: 'has:attachment',
  starred: 'is:starred',
  mine: 'assigned:me',
} as const
export type ListFilter = keyof typeof FILTER_SEARCHES

/** List of threads: a folder, a label, local-only mail, or a search. */
export type ThreadListRoute =
  | {
      readonly view: 'folder'
      readonly inboxId: string
      readonly folder: Folder
      /** Query of a tab of the Inbox folder; omitted for the full folder. */
      readonly tab?: string
      /** Omitted for the full list. */
      readonly only?: ListFilter
    }
  | { readonly view: 'label'; readonly inboxId: string; readonly labelId: string; readonly only?: ListFilter }
  | { readonly view: 'localOnly'; readonly inboxId: string }
  | { readonly view: 'search'; readonly inboxId: string; readonly query: string }

/** The search that selects the threads of a folder or label to show; empty for all. */
export const toListSearch = (route: ThreadListRoute & { readonly view: 'folder' | 'label' }): string =>
  [
    ...(route.view === 'folder' && route.tab !== undefined ? [route.tab] : []),
    ...(route.only === undefined ? [] : [FILTER_SEARCHES[route.only]]),
  ].join(' ')

export type ThreadRoute = ThreadListRoute & {
  readonly threadId: string | null
  /** E-mail to open the thread at; omitted for the one the user probably reads next. */
  readonly emailId?: string
}

/** An account's own list of e-mails, or a search in it, with the open e-mail. */
export interface EmailListRoute {
  readonly view: EmailList
  readonly id: string | null
  /** Omitted for the full list. */
  readonly query?: string
}

/** Other lists with an open row, by the path of their address. */
const PATHS = {
  contacts: 'contacts',
  drafts: 'drafts',
  /** Replies drafted by others. */
  waiting: 'waiting',
  scheduled: 'scheduled',
  outbox: 'outbox',
  shareLinks: 'share-links',
} as const

/** `start` is a window without an address; the first inbox replaces it. */
export type Route =
  | { readonly view: 'start' }
  | ThreadRoute
  | EmailListRoute
  | { readonly view: 'write'; readonly draftId: string }
  /** `section` is the ID of a page, omitted for the last one shown; `setting` is the ID of a setting on it. */
  | { readonly view: 'settings'; readonly section?: string; readonly setting?: string }
  | { readonly view: keyof typeof PATHS; readonly id: string | null }

const LOCAL_ONLY = 'only-here'

const isFolder = (name: string | undefined): name is Folder => FOLDERS.some((folder) => folder === name)

/**
 * Maximum characters of an address. The window's own addresses are shorter: three IDs, or a search of 256 characters
 * (platform.md 10.1).
 */
const MAX_ADDRESS_LENGTH = 50_000

/** Null for incomplete percent-encoding, for example in an address that was cut off. */
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
  const [only] = (Object.keys(FILTER_SEARCHES) as ListFilter[]).filter((name) => name === parameters.get('only'))
  const filter = only === undefined ? {} : { only }
  if (labelId !== undefined) return { view: 'label', inboxId, labelId, ...filter, ...open }
  if (place === LOCAL_ONLY) return { view: 'localOnly', inboxId, ...open }
  const folder = isFolder(place) ? place : 'inbox'
  const tab = folder === 'inbox' ? (parameters.get('tab')?.trim() ?? '') : ''
  return { view: 'folder', inboxId, folder, ...(tab !== '' && { tab }), ...filter, ...open }
}

/** Parses an address such as `#/inboxes/4f2/inbox/threads/9ab`; `start` if invalid. */
export const parseRoute = (hash: string): Route => {
  if (hash.length > MAX_ADDRESS_LENGTH) return { view: 'start' }
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
    case 'write':
      return rest[0] === undefined ? { view: 'drafts', id: null } : { view: 'write', draftId: rest[0] }
    case 'settings':
      return {
        view: place,
        ...(rest[0] !== undefined && { section: rest[0] }),
        ...(rest[1] !== undefined && { setting: rest[1] }),
      }
    case undefined:
      return { view: 'start' }
    default: {
      const views = Object.keys(PATHS) as readonly (keyof typeof PATHS)[]
      const view = views.find((each) => PATHS[each] === place)
      return view === undefined ? { view: 'start' } : { view, id: rest[0] ?? null }
    }
  }
}

export const isThreadRoute = (route: Route): route is ThreadRoute =>
  route.view === 'folder' || route.view === 'label' || route.view === 'localOnly' || route.view === 'search'

export const isEmailListRoute = (route: Route): route is EmailListRoute =>
  EMAIL_LISTS.some((list) => list === route.view)

const join = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`

const withParameters = (address: string, parameters: Readonly<Record<string, string | null | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given).toString()}`
}

const formatThreadRoute = (route: ThreadRoute): string => {
  const { inboxId, threadId, emailId } = route
  if (route.view === 'search') {
    return withParameters(join('inboxes', inboxId, 'search'), { query: route.query, thread: threadId })
  }
  const list =
    route.view === 'folder' ? [route.folder] : route.view === 'label' ? ['labels', route.labelId] : [LOCAL_ONLY]
  const open = threadId === null ? [] : ['threads', threadId]
  const at = threadId === null || emailId === undefined ? [] : ['emails', emailId]
  const address = join('inboxes', inboxId, ...list, ...open, ...at)
  return withParameters(address, {
    tab: route.view === 'folder' ? route.tab : null,
    only: route.view === 'localOnly' ? null : route.only,
  })
}

export const formatRoute = (route: Route): string => {
  if (route.view === 'start') return '#/'
  if (isThreadRoute(route)) return formatThreadRoute(route)
  if (route.view === 'write') return join(route.view, route.draftId)
  if (route.view === 'settings') return join(...[route.view, route.section ?? [], route.setting ?? []].flat())
  const path = isEmailListRoute(route) ? route.view : PATHS[route.view]
  const list = route.id === null ? join(path) : join(path, route.id)
  return 'query' in route ? withParameters(list, { query: route.query }) : list
}

/** Parses an address that may include an account: `#/accounts/4f2/received`; `start` if invalid. */
export const parseAccountRoute = (hash: string): { readonly route: Route; readonly accountId: string | null } => {
  const [, id, rest] = hash.length > MAX_ADDRESS_LENGTH ? [] : (/^#?\/accounts\/([^/?]{1,300})(.*)$/s.exec(hash) ?? [])
  const accountId = id === undefined ? null : decode(id)
  return { route: parseRoute(id === undefined ? hash : `#${rest ?? ''}`), accountId }
}

export const formatAccountRoute = (route: Route, accountId: string | null): string =>
  accountId === null ? formatRoute(route) : `#/accounts/${encodeURIComponent(accountId)}${formatRoute(route).slice(1)}`
