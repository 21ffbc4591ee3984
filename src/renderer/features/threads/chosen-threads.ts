import type { Thread, MoveTarget } from '../../../shared/model.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { MailTarget, RowMail } from '../../kernel/screen.ts'
import type { Attachment } from 'svelte/attachments'
import { folderName } from '../mailboxes/mailbox-names.ts'

declare module '../../kernel/commands.ts' {
  interface CommandContext {
    /** ID of a row that commands act on, such as a context menu's. They then ignore selection and open thread. */
    readonly pointedId?: string | null
    /** Mail outside the displayed list that commands act on, such as a row in a contact card. */
    readonly pointedMail?: RowMail | null
  }
}

/** Mail that commands act on if it isn't a row of a thread list, or null. */
export const findTargetMail = ({ navigator, pointedId = null, pointedMail = null }: CommandContext): RowMail | null =>
  pointedMail ?? navigator.mail(pointedId)

/** Thread of the `findTargetMail`, and the row's e-mail in it. Null if there is none or it is unknown. */
export const findTargetThread = (context: CommandContext): MailTarget | null => {
  const found = findTargetMail(context)?.inThread ?? null
  return typeof found === 'string' ? null : found
}

/** All threads of a list with some exceptions; most have never been loaded into the window. */
export interface MatchingThreads {
  readonly query: ThreadQuery
  /** Latest activity, milliseconds since the epoch: leaves out mail that arrives after the choice. */
  readonly upTo: number
  readonly except: readonly string[]
}

/** Threads that a command acts on: one, the selection, or an entire list. */
export interface ChosenThreads {
  readonly inboxId: string
  /** As displayed now. With `matching`, only the loaded ones, which may be none. */
  readonly threads: readonly Thread[]
  readonly count: number
  /** Null if `threads` is complete. */
  readonly matching: MatchingThreads | null
  /** True if there may be more than `threads`; only the list's query can describe those. */
  readonly hasUnloaded: boolean
  /** True if the user selected them, singly or all at once; false for the open thread or the one under the cursor. */
  readonly areSelected: boolean
}

const onlyThread = (thread: Thread): ChosenThreads => ({
  inboxId: thread.inboxId,
  threads: [thread],
  count: 1,
  matching: null,
  hasUnloaded: false,
  areSelected: false,
})

/**
 * The only place that decides which threads commands act on: the one named by `pointedId`, else the selection, else the
 * open thread, else the one under the cursor. In a list of other mail, the thread of the row's mail. Must be cheap:
 * runs for every key and every button.
 */
export const findChosenThreads = (context: CommandContext): ChosenThreads | null => {
  const { shell, session, pointedId = null, pointedMail = null } = context
  const { threads, conversation } = session
  const { current: route } = shell.route
  if (!isThreadRoute(route) || pointedMail !== null) {
    const found = findTargetThread(context)
    return found === null ? null : onlyThread(found.thread)
  }
  if (threads.rows === null) return null
  if (pointedId !== null) {
    const pointed = threads.thread(pointedId)
    return pointed === undefined ? null : onlyThread(pointed)
  }
  const { chosen } = threads.selection
  if (chosen !== null) return chosen
  const underCursor = threads.cursor.row(threads.rows) ?? null
  // Skip the search through the list if the cursor is on the open thread.
  const thread =
    route.threadId === null || underCursor?.id === route.threadId
      ? underCursor
      : (threads.thread(route.threadId) ?? conversation.conversation?.thread ?? null)
  return thread === null ? null : onlyThread(thread)
}

const rows = new WeakMap<Element, RowMail>()

/** Registers a mail row outside the displayed list, as in a contact card: keys act on it while it has the focus. */
export const registerMailRow =
  (mail: RowMail): Attachment =>
  (element) => {
    rows.set(element, mail)
    return () => void rows.delete(element)
  }

export const findFocusedMail = (): RowMail | null => {
  for (let element = document.activeElement; element !== null; element = element.parentElement) {
    const mail = rows.get(element)
    if (mail !== undefined) return mail
  }
  return null
}

/** Past participle of the action: `archived`, `replied to`. */
type Done = string

/** Explains why an action has no thread to act on; null if it has one, or if the current view shows no threads. */
export const explainMissingThread = (context: CommandContext, done: Done): string | null => {
  if (findChosenThreads(context) !== null) return null
  const mail = findTargetMail(context)
  if (mail === null) return isThreadRoute(context.shell.route.current) ? 'No thread is selected.' : null
  if (mail.inThread === 'unknown') {
    return `Linnet is still syncing your inboxes. This message can be ${done} once its thread is synced.`
  }
  if (mail.inThread === 'unsent') return `This message has not been sent yet, so it cannot be ${done}.`
  return `This message is not in an inbox thread, so it cannot be ${done}.`
}

export const explainUnavailableMove = (context: CommandContext, folder: MoveTarget, done: Done): string | null => {
  const chosen = findChosenThreads(context)
  if (chosen === null) return explainMissingThread(context, done)
  const isThere = chosen.threads.every((thread) => thread.folder === folder)
  const what = chosen.count === 1 ? 'This thread is' : 'These threads are'
  if (isThere) return `${what} already in ${folderName(folder)}.`
  return `${what} in Sent, and sent mail cannot be ${done}.`
}
