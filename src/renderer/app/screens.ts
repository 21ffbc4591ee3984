import ArrowDownLeft from '@lucide/svelte/icons/arrow-down-left'
import ArrowUpRight from '@lucide/svelte/icons/arrow-up-right'
import Share from '@lucide/svelte/icons/share-2'
import Users from '@lucide/svelte/icons/users'
import type { Component } from 'svelte'
import { type Route, isThreadRoute, type ThreadRoute } from '../kernel/route.ts'
import type { RowMail, Screen, ScreenList } from '../kernel/screen.ts'
import type { RowSource } from '../ui/row-source.ts'
import type { Session } from '../kernel/session.ts'
import ContactsView from '../features/contacts/ContactsView.svelte'
import AccountEmailsView from '../features/account-emails/AccountEmailsView.svelte'
import SettingsView from '../features/settings/SettingsView.svelte'
import ShareLinksView from '../features/share-links/ShareLinksView.svelte'
import UnsentView from '../features/writing/UnsentView.svelte'
import WritingWindow from '../features/writing/WritingWindow.svelte'
import { UNSENT_LISTS, type UnsentList } from '../features/writing/writing-manager.svelte.ts'
import type { Command, CommandContext } from '../kernel/commands.ts'
import ThreadsView from '../features/thread-list/ThreadsView.svelte'

interface ListPage {
  readonly route: Route
  readonly View: Component
  readonly source: (session: Session) => ListSource
}

/** A list of the whole account, with its entry in the side bar and its command. */
interface AccountList extends ListPage {
  readonly id: `go.${string}`
  readonly title: string
  readonly icon: Component
  /** Search terms for the palette. */
  readonly words: string
  readonly keys?: readonly string[]
}

interface ListSource {
  /** The list, or the results of its search. */
  readonly list: RowSource<{ readonly id: string }>
  readonly cursor: ScreenList['cursor']
  /** Left out if rows can't be selected. */
  readonly selection?: { readonly isEmpty: boolean }
  /** Called when the view is displayed, with the open row and the search, if any. */
  readonly show: (id: string | null, query: string | null) => void
  readonly hide: () => void
  /** Target of thread commands by row ID, or under the cursor for null; left out if the rows aren't mail. */
  readonly mail?: (id: string | null) => RowMail | null
}

/** In the order of the side bar. */
const ACCOUNT_LISTS: readonly AccountList[] = [
  {
    id: 'go.allReceived',
    route: { view: 'received', id: null },
    title: 'All received',
    icon: ArrowDownLeft,
    words: 'whole account incoming raw',
    View: AccountEmailsView,
    source: ({ received }) => received,
  },
  {
    id: 'go.allSent',
    route: { view: 'sent', id: null },
    title: 'All sent',
    icon: ArrowUpRight,
    words: 'whole account outgoing delivered',
    View: AccountEmailsView,
    source: ({ sent }) => sent,
  },
  {
    id: 'go.contacts',
    route: { view: 'contacts', id: null },
    title: 'Contacts',
    icon: Users,
    words: 'people address book topics',
    keys: ['g c'],
    View: ContactsView,
    source: ({ contacts }) => contacts,
  },
  {
    id: 'go.shareLinks',
    route: { view: 'shareLinks', id: null },
    title: 'Share links',
    icon: Share,
    words: 'shared made urls copy expired',
    View: ShareLinksView,
    source: ({ shareLinks }) => shareLinks,
  },
]

export const ACCOUNT_LIST_COMMANDS: readonly Command[] = ACCOUNT_LISTS.map(
  ({ id, title, icon, words, keys, route }) => ({
    ...{ id, words, keys, icon },
    name: `Go to ${title.toLowerCase()}`,
    group: 'Go to',
    accountList: { title, icon, route },
    run: ({ shell }) => shell.route.go(route),
  }),
)

const createListScreen = ({ route: home, View, source: sourceOf }: ListPage, session: Session): Screen => {
  const source = sourceOf(session)
  return {
    View,
    get list() {
      return { rows: source.list, cursor: source.cursor, isSelecting: source.selection?.isEmpty === false }
    },
    at: (route) => {
      if (route.view !== home.view) return null
      const openId = 'id' in route ? route.id : null
      const query = 'query' in route ? route.query : undefined
      return {
        openId,
        opening: (id) => ('id' in route ? { ...route, id } : route),
        parent: query === undefined ? null : home,
        show: () => {
          source.show(openId, query ?? null)
          if (openId !== null) source.cursor.follow(source.list, openId)
        },
      }
    },
    mail: (id) => source.mail?.(id) ?? null,
    hide: () => source.hide(),
    refresh: () => source.list.refresh(),
  }
}

/** Mail commands don't apply to unsent messages. */
const UNSENT: RowMail = { inThread: 'unsent', email: null }

/** A screen without a list. */
const createPlainScreen = (view: Route['view'], View: Component): Screen => ({
  View,
  list: null,
  at: (route) =>
    route.view === view ? { openId: null, opening: () => route, parent: null, show: () => undefined } : null,
  hide: () => undefined,
  refresh: () => undefined,
})

const createUnsentPage = (view: UnsentList): ListPage => ({
  route: { view, id: null },
  View: UnsentView,
  source: ({ writing }) => {
    const { list, cursor } = writing.lists[view]
    let isShown = false
    return {
      list,
      cursor,
      // Opening another row doesn't ask the platform again.
      show: () => {
        if (!isShown) void writing.load()
        isShown = true
      },
      hide: () => (isShown = false),
      mail: () => (list.total === 0 ? null : UNSENT),
    }
  },
})

type Needs = Pick<CommandContext, 'shell' | 'session'>

const showThreads = ({ session, shell }: Needs, asked: ThreadRoute): void => {
  const { mailboxes: known } = session
  // A link or a history entry may use a label's previous ID.
  const labelId = asked.view === 'label' ? known.labelIdNow(asked.labelId) : null
  const route = asked.view === 'label' && labelId !== null ? { ...asked, labelId } : asked
  if (asked.view === 'label' && labelId !== asked.labelId) shell.route.replace(route)
  const { inbox, assignees, threads, conversation } = session
  inbox.visit(route.inboxId)
  if (route.view === 'folder' && route.folder === 'inbox') inbox.visitTab(route.tab ?? null)
  threads.show(route, assignees.searchContext(route.inboxId))
  if (route.threadId === null) {
    conversation.close()
    return
  }
  conversation.show(route.inboxId, route.threadId, threads.searched, route.emailId ?? null)
  threads.followOpened(route.threadId)
}

const inboxOf = (inboxId: string): Route => ({ view: 'folder', inboxId, folder: 'inbox', threadId: null })

const openingThread = ({ emailId: _emailId, ...list }: ThreadRoute, threadId: string | null): ThreadRoute => ({
  ...list,
  threadId,
})

const createThreadsScreen = (needs: Needs): Screen => {
  const { mailboxes, threads, conversation } = needs.session
  return {
    View: ThreadsView,
    get list() {
      const { rows, cursor, selection } = threads
      return rows === null ? null : { rows, cursor, isSelecting: !selection.isEmpty }
    },
    get loadingPart() {
      if (threads.isArriving) return 'list'
      return conversation.isOpening ? 'mail' : null
    },
    at: (route) =>
      isThreadRoute(route)
        ? {
            openId: route.threadId,
            opening: (threadId) => openingThread(route, threadId),
            parent: route.view === 'search' ? (needs.shell.route.beforeSearch ?? inboxOf(route.inboxId)) : null,
            show: () => showThreads(needs, route),
          }
        : null,
    hide: () => threads.hide(),
    refresh: () => {
      if (threads.route !== null) void mailboxes.loadLabels(threads.route.inboxId)
      threads.refresh()
      conversation.retry()
    },
  }
}

export const createScreens = ({ shell, session }: Needs): readonly Screen[] => [
  createThreadsScreen({ shell, session }),
  ...[...ACCOUNT_LISTS, ...UNSENT_LISTS.map(createUnsentPage)].map((list) => createListScreen(list, session)),
  createPlainScreen('write', WritingWindow),
  createPlainScreen('settings', SettingsView),
]
