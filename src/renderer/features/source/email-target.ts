import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailList } from '../../../shared/email-query.ts'
import type { EmailBodies, Email } from '../../../shared/model.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { CommandContext } from '../../kernel/commands.ts'

export interface PrintableEmail extends EmailBodies {
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly attachments?: readonly Attachment[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface EmailTarget {
  readonly of: BodyOwner
  readonly id: string
  readonly subject: string | null
  /** Headers that the platform sends separately from the raw message, if any. */
  readonly headers?: Readonly<Record<string, string>>
  readonly printable: PrintableEmail
}

const ID_ATTRIBUTE = 'data-email-id'
export const toEmailIdAttribute = (id: string): Readonly<Record<typeof ID_ATTRIBUTE, string>> => ({
  [ID_ATTRIBUTE]: id,
})

/** ID of the e-mail containing the focus, or null. */
export const findFocusedEmailId = (): string | null =>
  document.activeElement?.closest(`[${ID_ATTRIBUTE}]`)?.getAttribute(ID_ATTRIBUTE) ?? null

export const toThreadEmailTarget = (inboxId: string, email: Email): EmailTarget => ({
  of: { list: 'threads', inboxId, threadId: email.threadId, emailId: email.id },
  id: email.id,
  subject: email.subject,
  printable: { ...email, at: email.receivedAt },
})

export const toListedEmailTarget = (
  list: EmailList,
  {
    id,
    subject,
    headers,
    createdAt,
    ...printable
  }: Omit<PrintableEmail, 'at'> &
    Pick<Email, 'id' | 'subject'> &
    Pick<EmailTarget, 'headers'> & { readonly createdAt: number },
): EmailTarget => ({
  of: { list, emailId: id },
  id,
  subject,
  ...(headers === undefined ? {} : { headers }),
  printable: { ...printable, at: createdAt },
})

/** E-mails of the open conversation, oldest first. Empty if none is open. */
export const listConversationEmails = ({ session }: Pick<CommandContext, 'session'>): readonly EmailTarget[] => {
  const { conversation } = session.conversation
  return conversation?.emails.map((email) => toThreadEmailTarget(conversation.thread.inboxId, email)) ?? []
}

/** The open e-mail: in a conversation the focused one, else the newest. Null if none is open. */
export const findOpenEmail = ({ shell, session }: CommandContext): EmailTarget | null => {
  const { current: route } = shell.route
  if (route.view === 'received' && session.received.email !== null) {
    return toListedEmailTarget('received', session.received.email)
  }
  if (route.view === 'sent' && session.sent.email !== null) {
    return toListedEmailTarget('sent', session.sent.email)
  }
  const emails = listConversationEmails({ session })
  const inFocus = findFocusedEmailId()
  return emails.find(({ id }) => id === inFocus) ?? emails.at(-1) ?? null
}
