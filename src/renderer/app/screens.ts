import type { Component } from 'svelte'
import { type Route, isThreadRoute, type ThreadRoute } from '../kernel/route.ts'
import type { RowMail, Screen } from '../kernel/screen.ts'
import type { ListCursor } from '../ui/list-cursor.svelte.ts'
import type { RowSource } from '../ui/row-source.ts'
import type { Session } from '../kernel/session.ts'
import { routeOfSharedEmail } from '../features/share-links/describe-share-link.ts'
import ContactsView from '../features/contacts/ContactsView.svelte'
import AccountEmailsView from '../features/account-emails/AccountEmailsView.svelte'
import SettingsView from '../features/settings/SettingsView.svelte'
import ShareLinksView from '../features/share-links/ShareLinksView.svelte'
import DraftList from '../features/writing/DraftList.svelte'
import OutboxView from '../features/writing/OutboxView.svelte'
import WaitingView from '../features/writing/WaitingView.svelte'
import WritingWindow from '../features/writing/WritingWindow.svelte'
import type { CommandContext } from '../kernel/commands.ts'
import ThreadsView from '../features/thread-list/ThreadsView.svelte'

type AccountListView = Extract<Route, { readonly id: string | null }>['view']

interface AccountList<Row extends { readonly id: string }> {
  /** The list, or the results of its search. */
  readonly list: RowSource<Row>
  readonly cursor: ListCursor<Row>
  /** Left out if rows can't be selected. */
  readonly selection?: { readonly isEmpty: boolean }
  /** Called when the view is displayed, with the open row and the search, if any. */
  readonly show: (id: string | null, query: string | null) => void
  readonly hide: () => void
}

/** @param mail target of thread commands by row ID, or under the cursor for null; left out if the rows aren't mail */
const createAccountListScreen = <Row extends { readonly id: string }>(
  view: AccountListView,
  View: Component,
  source: AccountList<Row>,
  mail: (id: string | null) => RowMail | null = () => null,
): Screen => ({
  View,
  get list() {
    return { rows: source.list, cursor: source.cursor, isSelecting: source.selection?.isEmpty === false }
  },
  at: (route) => {
    if (route.view !== view) return null
    const { id: openId } = route
    const query = route.view === 'contacts' ? undefined : route.query
    return {
      openId,
      opening: (id) => ({ ...route, id }),
      parent: query === undefined ? null : { view, id: null },
      show: () => {
        source.show(openId, query ?? null)
        if (openId !== null) source.cursor.follow(source.list, openId)
      },
    }
  },
  mail,
  hide: () => source.hide(),
  refresh: () => source.list.refresh(),
})

const createShareLinksScreen = ({ shareLinks }: Session): Screen => ({
  View: ShareLinksView,
  get list() {
    return { rows: shareLinks.rows, cursor: shareLinks.cursor }
  },
  at: (route) => {
    if (route.view !== 'shareLinks') return null
    const opening = (id: string | null): Route => {
      const link = shareLinks.links?.find((each) => each.id === id)
      return (link === undefined ? null : routeOfSharedEmail(link)) ?? route
    }
    return { openId: null, opening, parent: null, show: () => shareLinks.show() }
  },
  mail: () => shareLinks.mail,
  hide: () => shareLinks.hide(),
  refresh: () => void shareLinks.load(),
})

/** Mail commands don't apply to unsent messages. */
const UNSENT: RowMail = { inThread: 'unsent', email: null }

const createDraftScreen = (
  { writing }: Session,
  view: keyof Session['writing']['lists'],
  View: Screen['View'],
): Screen => ({
  View,
  list: writing.lists[view],
  at: (route) =>
    route.view === view
      ? {
          openId: null,
          opening: () => route,
          // Drafts open in a composer; messages in the outbox have buttons instead.
          ...(view !== 'outbox' && { open: (id) => void writing.resume(id) }),
          parent: null,
          show: () => void writing.load(),
        }
      : null,
  mail: () => (writing.lists[view].rows.total === 0 ? null : UNSENT),
  hide: () => undefined,
  refresh: () => void writing.load(),
})

/** A screen without a list. */
const createPlainScreen = (view: 'write' | 'settings', View: Component): Screen => ({
  View,
  list: null,
  at: (route) =>
    route.view === view ? { openId: null, opening: () => route, parent: null, show: () => undefined } : null,
  hide: () => undefined,
  refresh: () => undefined,
})

type Needs = Pick<CommandContext, 'shell' | 'session'>

const showThreads = ({ session, shell }: Needs, asked: ThreadRoute): void => {
  const { mailboxes: known } = session
  // A link or a history entry may use a label's previous ID.
  const labelId = asked.view === 'label' ? known.labelIdNow(asked.labelId) : null
  const route = asked.view === 'label' && labelId !== null ? { ...asked, labelId } : asked
  if (asked.view === 'label' && labelId !== asked.labelId) shell.route.replace(route)
  const { inbox, mailboxes, assignees, threads, conversation } = session
  inbox.visit(route.inboxId)
  if (route.view === 'folder' && route.folder === 'inbox') inbox.visitTab(route.tab ?? null)
  threads.show(route, { labels: mailboxes.labels(route.inboxId), me: assignees.me(route.inboxId) })
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
  createAccountListScreen('contacts', ContactsView, session.contacts),
  createAccountListScreen('received', AccountEmailsView, session.received, (id) => session.received.mail(id)),
  createAccountListScreen('sent', AccountEmailsView, session.sent, (id) => session.sent.mail(id)),
  createDraftScreen(session, 'drafts', DraftList),
  createDraftScreen(session, 'waiting', WaitingView),
  createDraftScreen(session, 'outbox', OutboxView),
  createPlainScreen('write', WritingWindow),
  createShareLinksScreen(session),
  createPlainScreen('settings', SettingsView),
]
