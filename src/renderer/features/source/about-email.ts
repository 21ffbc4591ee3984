import type { BodyOwner } from '../../../shared/contract.ts'
import type { CommandContext } from '../../kernel/commands.ts'

/** An e-mail as far as something can be done with it as a whole. */
export interface AboutEmail {
  readonly of: BodyOwner
  readonly id: string
  readonly subject: string | null
  /** As the platform tells of them apart from the original; left out where it does not. */
  readonly headers?: Readonly<Record<string, string>>
}

/** By which the e-mail of an article is found again. */
const ID_ATTRIBUTE = 'data-email-id'
export const markArticle = (id: string): Readonly<Record<typeof ID_ATTRIBUTE, string>> => ({ [ID_ATTRIBUTE]: id })

/** The ID of the e-mail in which the focus is; null where it is in none. */
const idInFocus = (): string | null =>
  document.activeElement?.closest(`[${ID_ATTRIBUTE}]`)?.getAttribute(ID_ATTRIBUTE) ?? null

/** The e-mail that a person reads: of a conversation the one with the focus, else the newest; null where none is open. */
export const emailBeingRead = ({ shell, session }: CommandContext): AboutEmail | null => {
  const { current: route } = shell.route
  if (route.view === 'received' && session.received.email !== null) {
    const { id, subject, headers } = session.received.email
    return { of: { list: 'received', emailId: id }, id, subject, headers }
  }
  if (route.view === 'sent' && session.sent.email !== null) {
    const { id, subject } = session.sent.email
    return { of: { list: 'sent', emailId: id }, id, subject }
  }
  const { conversation } = session.conversation
  const emails = conversation?.emails ?? []
  const inFocus = idInFocus()
  const email = emails.find(({ id }) => id === inFocus) ?? emails.at(-1)
  if (conversation === null || email === undefined) return null
  const { id, subject, threadId } = email
  return { of: { list: 'threads', inboxId: conversation.thread.inboxId, threadId, emailId: id }, id, subject }
}
