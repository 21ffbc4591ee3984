import type { EmailList } from '../../../shared/email-query.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import { findChosenThreads, findTargetMail, findTargetThread } from '../threads/chosen-threads.ts'
import { routeOfThread } from '../threads/open-conversation.ts'
import { findDefaultInbox } from './default-inbox.ts'
import { readThread } from './open-original.ts'
import type { ReplyKind } from './writing-manager.svelte.ts'

/** Mail to reply to without opening it: an e-mail of a thread, or one without a thread. */
export type UnopenedMail =
  | { readonly inboxId: string; readonly threadId: string; readonly folder: string; readonly emailId: string | null }
  | { readonly list: EmailList; readonly emailId: string }

/** The mail commands act on, if it can be answered; else null. */
export const findUnopenedMail = (context: CommandContext): UnopenedMail | null => {
  const chosen = findChosenThreads(context)
  const mail = findTargetMail(context)
  const thread = chosen?.count === 1 ? chosen.threads[0] : undefined
  if (thread !== undefined) {
    // The platform can't reply to an e-mail that it has deleted.
    if (!thread.onServer) return null
    const emailId = findTargetThread(context)?.emailId ?? null
    return { inboxId: thread.inboxId, threadId: thread.id, folder: thread.folder, emailId }
  }
  const email = mail?.inThread === null ? mail.email : null
  if (email === null || findDefaultInbox(context.session) === null) return null
  return { list: email.list, emailId: email.id }
}

/** Explains why the mail can't be answered; null if no mail is displayed. */
export const explainUnavailableReply = (context: CommandContext): string | null => {
  const mail = findTargetMail(context)
  const chosen = findChosenThreads(context)
  if (chosen === null && mail === null) {
    return isThreadRoute(context.shell.route.current) ? 'No thread is selected.' : null
  }
  if (chosen !== null && chosen.count > 1) return 'Open one of the selected threads to reply to it.'
  if (chosen !== null) return 'The platform has deleted this thread, so you can’t reply to it.'
  if (mail?.inThread === 'unknown') {
    return 'Linnet is still syncing your inboxes. You can reply to this message once its thread is synced.'
  }
  if (mail?.inThread === 'unsent') return 'This message has not been sent yet, so you can’t reply to it.'
  return 'This account has no inbox to send from.'
}

const open = async (replyKind: ReplyKind, context: CommandContext, what: UnopenedMail): Promise<void> => {
  const { shell, session, navigator } = context
  const { writing } = session
  if ('list' in what) {
    const inboxId = findDefaultInbox(session)
    if (inboxId !== null) await writing.replyWithoutThread(replyKind, inboxId, what)
    return
  }
  const { inboxId, threadId, folder, emailId } = what
  const found = await readThread(context, { inboxId, threadId })
  if (found === null) return
  const email = found.emails.find(({ id }) => id === emailId) ?? found.emails.at(-1)
  if (email?.onServer !== true) {
    shell.toasts.show('The platform has deleted this message, so you can’t reply to it.')
    return
  }
  const isOfList = isThreadRoute(shell.route.current) && (context.pointedMail ?? null) === null
  if (isOfList) navigator.open(threadId)
  else shell.route.visit(routeOfThread({ id: threadId, inboxId, folder }, email.id))
  await writing.answer(replyKind, { inboxId, threadId, email })
}

/** Opens the mail in its own list and starts a reply; mail without a thread is answered with a new message. */
export const replyToUnopenedMail = (replyKind: ReplyKind, context: CommandContext, what: UnopenedMail): Promise<void> =>
  context.session.writing.opening(() => open(replyKind, context, what))
