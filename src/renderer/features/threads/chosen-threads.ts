import type { Thread } from '../../../shared/model.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { MailPlace, RowMail } from '../../kernel/screen.ts'

declare module '../../kernel/commands.ts' {
  interface CommandContext {
    /**
     * The row of a thread that a person points at, by its ID, as with the menu that opens there: it is what commands act on,
     * and whatever is selected or open besides stays as it is.
     */
    readonly pointedId?: string | null
    /** Mail that a person points at and that is no row of the list that is shown, as in somebody's card. */
    readonly pointedMail?: RowMail | null
  }
}

/** The mail that commands act on, where it is no row of a list of threads; null where there is none. */
export const mailAtHand = ({ navigator, pointedId = null, pointedMail = null }: CommandContext): RowMail | null =>
  pointedMail ?? navigator.mail(pointedId)

/** The thread of that mail, and the e-mail of it that the row is about; null where there is none, or none is known. */
export const threadAtHand = (context: CommandContext): MailPlace | null => {
  const found = mailAtHand(context)?.inThread ?? null
  return typeof found === 'string' ? null : found
}

/** All threads of a list but some, most of which the window has never read. */
export interface MatchingThreads {
  readonly query: ThreadQuery
  /** What came in after the person chose is not among them: latest activity, milliseconds since the epoch. */
  readonly upTo: number
  readonly except: readonly string[]
}

/** Threads that a command acts on: one, those that are selected, or all that a list holds. */
export interface ChosenThreads {
  readonly inboxId: string
  /** As they are drawn now. Where `matching` names them, those of them that are at hand, which may be none. */
  readonly threads: readonly Thread[]
  readonly count: number
  /** Null where `threads` are all of them. */
  readonly matching: MatchingThreads | null
  /** Whether there may be more of them than `threads`: what those are can only be told from the list's query. */
  readonly hasOthers: boolean
  /** Whether a person selected them one by one or all at once, rather than by opening or by going there. */
  readonly areSelected: boolean
}

const onlyThread = (thread: Thread): ChosenThreads => ({
  inboxId: thread.inboxId,
  threads: [thread],
  count: 1,
  matching: null,
  hasOthers: false,
  areSelected: false,
})

/**
 * The threads that commands act on, in this one place for all of them: the one that is pointed at; else the selected ones;
 * where none is, the open one; else the one under the cursor. In a list of something else the thread that the mail in the row
 * belongs to. Cheap: asked at each key and for each button.
 */
export const chosenThreads = (context: CommandContext): ChosenThreads | null => {
  const { shell, session, pointedId = null, pointedMail = null } = context
  const { threads, conversation } = session
  const { current: route } = shell.route
  if (!isThreadRoute(route) || pointedMail !== null) {
    const found = threadAtHand(context)
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
  // Where the cursor stands on the open thread, no list has to be gone through for it.
  const thread =
    route.threadId === null || underCursor?.id === route.threadId
      ? underCursor
      : (threads.thread(route.threadId) ?? conversation.conversation?.thread ?? null)
  return thread === null ? null : onlyThread(thread)
}
