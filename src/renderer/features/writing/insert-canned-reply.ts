import type { CannedReply } from '../../../shared/snippets.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Session } from '../../kernel/session.ts'
import type { DraftEditing } from './draft-editing.svelte.ts'
import { asInline, fillSnippet, messageValues, type Sender } from './fill-snippet.ts'

/** The name and the address of the inbox that a message is sent from. */
export const senderOf = (mailboxes: Pick<Session['mailboxes'], 'sender'>, inboxId: string): Sender => {
  const { name, address } = mailboxes.sender(inboxId) ?? { name: null, address: '' }
  // An inbox without a name goes by its address (platform facts 3.1), which is nobody's name.
  return { name: name === address ? null : name, address }
}

/**
 * Puts a canned reply where the caret is, filled for the first of those whom the message goes to.
 * @param before called right before it is put in: what is known of the person is asked for first
 */
export const insertCannedReply = async (
  { backend, mailboxes }: { readonly backend: Pick<Backend, 'call'>; readonly mailboxes: Session['mailboxes'] },
  editing: DraftEditing,
  { html }: Pick<CannedReply, 'html'>,
  before: () => void = () => undefined,
): Promise<void> => {
  const { to: everyone, subject } = editing.fields
  const to = everyone[0] ?? null
  const found = to === null ? null : await backend.call('contact.ofAddress', { address: to.address })
  const contact = found?.ok === true ? found.data : null
  before()
  const values = messageValues(senderOf(mailboxes, editing.inboxId), { subject, to }, contact)
  editing.insert(asInline(fillSnippet(html, values)))
}
