import type { Thread } from '../../../shared/model.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { MailTarget, RowMail } from '../../kernel/screen.ts'

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
