import type { CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute, type Route, type ThreadRoute } from '../../kernel/route.ts'
import type { Screen } from '../../kernel/screen.ts'
import ThreadsView from './ThreadsView.svelte'

type Needs = Pick<CommandContext, 'shell' | 'session'>

const show = ({ session, shell }: Needs, asked: ThreadRoute): void => {
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

const opening = ({ emailId: _emailId, ...list }: ThreadRoute, threadId: string | null): ThreadRoute => ({
  ...list,
  threadId,
})

export const createThreadsScreen = (needs: Needs): Screen => {
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
            opening: (threadId) => opening(route, threadId),
            parent: route.view === 'search' ? (needs.shell.route.beforeSearch ?? inboxOf(route.inboxId)) : null,
            show: () => show(needs, route),
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
