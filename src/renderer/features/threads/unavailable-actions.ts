import type { MoveTarget } from '../../../shared/model.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import { folderName } from '../mailboxes/folder-name.ts'
import { findChosenThreads, findTargetMail } from './chosen-threads.ts'

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
