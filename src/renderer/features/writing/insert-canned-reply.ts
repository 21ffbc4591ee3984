import type { CannedReply } from '../../../shared/snippets.ts'
import type { TemplateSummary } from '../../../shared/templates.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Session } from '../../kernel/session.ts'
import type { DraftEditing } from './draft-editing.svelte.ts'
import type { PlaceholderValues } from '../../../shared/placeholders.ts'
import { fillTemplate, templateSubject } from './fill-template.ts'
import { asInline, fillSnippet, messageValues, type Sender } from './fill-snippet.ts'

/** The name and the address of the inbox that a message is sent from. */
export const senderOf = (mailboxes: Pick<Session['mailboxes'], 'sender'>, inboxId: string): Sender => {
  const { name, address } = mailboxes.sender(inboxId) ?? { name: null, address: '' }
  // An inbox without a name goes by its address (platform facts 3.1), which is nobody's name.
  return { name: name === address ? null : name, address }
}

interface Inserting {
  readonly backend: Pick<Backend, 'call'>
  readonly mailboxes: Session['mailboxes']
}

/** What is filled in for the first of those whom a message goes to. */
const valuesFor = async ({ backend, mailboxes }: Inserting, editing: DraftEditing): Promise<PlaceholderValues> => {
  const { to: everyone, subject } = editing.fields
  const to = everyone[0] ?? null
  const found = to === null ? null : await backend.call('contact.ofAddress', { address: to.address })
  const contact = found?.ok === true ? found.data : null
  return messageValues(senderOf(mailboxes, editing.inboxId), { subject, to }, contact)
}

/**
 * Puts a canned reply where the caret is, filled for the first of those whom the message goes to.
 * @param before called right before it is put in: what is known of the person is asked for first
 */
export const insertCannedReply = async (
  inserting: Inserting,
  editing: DraftEditing,
  { html }: Pick<CannedReply, 'html'>,
  before: () => void = () => undefined,
): Promise<void> => {
  const values = await valuesFor(inserting, editing)
  before()
  editing.insert(asInline(fillSnippet(html, values)))
}

/** The same with a template of the platform, whose subject fills an empty one. */
export const insertTemplate = async (
  inserting: Inserting & { readonly templates: Session['templates'] },
  editing: DraftEditing,
  { id }: Pick<TemplateSummary, 'id'>,
  before: () => void = () => undefined,
): Promise<void> => {
  const [template, values] = await Promise.all([inserting.templates.get(id), valuesFor(inserting, editing)])
  if (template === null) return
  before()
  const subject = templateSubject(template, values)
  if (subject !== '' && editing.fields.subject.trim() === '') editing.set({ subject })
  editing.insert(asInline(fillTemplate(template, values)))
}
