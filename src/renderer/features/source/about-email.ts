import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailList } from '../../../shared/email-query.ts'
import type { Bodies, Email } from '../../../shared/model.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { CommandContext } from '../../kernel/commands.ts'

export interface PrintableEmail extends Bodies {
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly attachments?: readonly Attachment[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface AboutEmail {
  readonly of: BodyOwner
  readonly id: string
  readonly subject: string | null
  /** Headers that the platform sends separately from the raw message, if any. */
  readonly headers?: Readonly<Record<string, string>>
  readonly printable: PrintableEmail
}

const ID_ATTRIBUTE = 'data-email-id'
export const markArticle = (id: string): Readonly<Record<typeof ID_ATTRIBUTE, string>> => ({ [ID_ATTRIBUTE]: id })

/** ID of the e-mail containing the focus, or null. */
export const emailIdInFocus = (): string | null =>
  document.activeElement?.closest(`[${ID_ATTRIBUTE}]`)?.getAttribute(ID_ATTRIBUTE) ?? null

export const aboutThreaded = (inboxId: string, email: Email): AboutEmail => ({
  of: { list: 'threads', inboxId, threadId: email.threadId, emailId: email.id },
  id: email.id,
  subject: email.subject,
  printable: { ...email, at: email.receivedAt },
})

export const aboutListed = (
  list: EmailList,
  {
    id,
    subject,
    headers,
    createdAt,
    ...printable
  }: Omit<PrintableEmail, 'at'> &
    Pick<Email, 'id' | 'subject'> &
    Pick<AboutEmail, 'headers'> & { readonly createdAt: number },
): AboutEmail => ({
  of: { list, emailId: id },
  id,
  subject,
  ...(headers === undefined ? {} : { headers }),
  printable: { ...printable, at: createdAt },
})

/** E-mails of the open conversation, oldest first. Empty if none is open. */
export const conversationBeingRead = ({ session }: Pick<CommandContext, 'session'>): readonly AboutEmail[] => {
  const { conversation } = session.conversation
  return conversation?.emails.map((email) => aboutThreaded(conversation.thread.inboxId, email)) ?? []
}

/** The open e-mail: in a conversation the focused one, else the newest. Null if none is open. */
export const emailBeingRead = ({ shell, session }: CommandContext): AboutEmail | null => {
  const { current: route } = shell.route
  if (route.view === 'received' && session.received.email !== null) {
    return aboutListed('received', session.received.email)
  }
  if (route.view === 'sent' && session.sent.email !== null) {
    return aboutListed('sent', session.sent.email)
  }
  const emails = conversationBeingRead({ session })
  const inFocus = emailIdInFocus()
  return emails.find(({ id }) => id === inFocus) ?? emails.at(-1) ?? null
}
