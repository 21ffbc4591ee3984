import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailList } from '../../../shared/email-query.ts'
import type { EmailBodies, Email } from '../../../shared/model.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { isEmailListRoute } from '../../kernel/route.ts'

/** An e-mail of a thread or of an account-wide list, for the commands about one e-mail. */
export interface EmailTarget extends EmailBodies {
  readonly of: BodyOwner
  readonly id: string
  readonly subject: string | null
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly attachments?: readonly Attachment[]
  /** Headers that the platform sends separately from the raw message, if any. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly onServer: boolean
}

/** An e-mail's article in a thread. */
export const findArticle = (root: Element | null, id: string | undefined): HTMLElement | null =>
  root?.querySelector<HTMLElement>(`article[data-email-id="${CSS.escape(id ?? '')}"]`) ?? null

/** ID of the e-mail containing the focus, or null. */
export const findFocusedEmailId = (): string | null =>
  document.activeElement?.closest('[data-email-id]')?.getAttribute('data-email-id') ?? null

export const toThreadEmailTarget = (inboxId: string, email: Email): EmailTarget => ({
  ...email,
  of: { list: 'threads', inboxId, threadId: email.threadId, emailId: email.id },
  at: email.receivedAt,
})

export const toListedEmailTarget = (
  list: EmailList,
  email: Omit<EmailTarget, 'of' | 'at'> & { readonly createdAt: number },
): EmailTarget => ({ ...email, of: { list, emailId: email.id }, at: email.createdAt })

/** E-mails of the open conversation, oldest first. Empty if none is open. */
export const listConversationEmails = ({ session }: Pick<CommandContext, 'session'>): readonly EmailTarget[] => {
  const { conversation } = session.conversation
  return conversation?.emails.map((email) => toThreadEmailTarget(conversation.thread.inboxId, email)) ?? []
}

/** The open e-mail of Received or Sent, or else the e-mails of the open conversation, oldest first. */
export const listOpenEmails = ({ shell, session }: CommandContext): readonly EmailTarget[] => {
  const { current: route } = shell.route
  const listed = isEmailListRoute(route) ? session[route.view].email : null
  return isEmailListRoute(route) && listed !== null
    ? [toListedEmailTarget(route.view, listed)]
    : listConversationEmails({ session })
}

/** The open e-mail: in a conversation the focused one, else the newest. Null if none is open. */
export const findOpenEmail = (context: CommandContext): EmailTarget | null => {
  const emails = listOpenEmails(context)
  const inFocus = findFocusedEmailId()
  return emails.find(({ id }) => id === inFocus) ?? emails.at(-1) ?? null
}
