import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailList } from '../../../shared/email-query.ts'
import type { Bodies, Email } from '../../../shared/model.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { CommandContext } from '../../kernel/commands.ts'

/** What of an e-mail is printed. */
export interface Letter extends Bodies {
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly attachments?: readonly Attachment[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** An e-mail as far as something can be done with it as a whole. */
export interface AboutEmail {
  readonly of: BodyOwner
  readonly id: string
  readonly subject: string | null
  /** As the platform tells of them apart from the original; left out where it does not. */
  readonly headers?: Readonly<Record<string, string>>
  readonly letter: Letter
}

/** By which the e-mail of an article is found again. */
const ID_ATTRIBUTE = 'data-email-id'
export const markArticle = (id: string): Readonly<Record<typeof ID_ATTRIBUTE, string>> => ({ [ID_ATTRIBUTE]: id })

/** The ID of the e-mail in which the focus is; null where it is in none. */
export const emailIdInFocus = (): string | null =>
  document.activeElement?.closest(`[${ID_ATTRIBUTE}]`)?.getAttribute(ID_ATTRIBUTE) ?? null

export const aboutThreaded = (inboxId: string, email: Email): AboutEmail => ({
  of: { list: 'threads', inboxId, threadId: email.threadId, emailId: email.id },
  id: email.id,
  subject: email.subject,
  letter: { ...email, at: email.receivedAt },
})

/** An e-mail of one of the account's own lists. */
export const aboutListed = (
  list: EmailList,
  {
    id,
    subject,
    headers,
    createdAt,
    ...letter
  }: Omit<Letter, 'at'> & Pick<Email, 'id' | 'subject'> & Pick<AboutEmail, 'headers'> & { readonly createdAt: number },
): AboutEmail => ({
  of: { list, emailId: id },
  id,
  subject,
  ...(headers === undefined ? {} : { headers }),
  letter: { ...letter, at: createdAt },
})

/** The e-mails of the conversation that is open, oldest first; none where none is. */
export const conversationBeingRead = ({ session }: Pick<CommandContext, 'session'>): readonly AboutEmail[] => {
  const { conversation } = session.conversation
  return conversation?.emails.map((email) => aboutThreaded(conversation.thread.inboxId, email)) ?? []
}

/** The e-mail that a person reads: of a conversation the one with the focus, else the newest; null where none is open. */
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
