import { resolveReplyRecipients, toReplySubject } from '../../../shared/reply-recipients.ts'
import type { ProposedChange } from '../../../shared/assistants.ts'
import type { EmailBodies, Email } from '../../../shared/model.ts'
import { dedupeRecipients } from '../../../shared/recipients.ts'
import { stripHiddenCharacters } from '../../../shared/visible-text.ts'
import type { DraftContent } from '../../../shared/drafts.ts'
import { createReplyContent } from '../writing/reply-content.ts'
import { createEmptyContent } from '../writing/draft-content.ts'
import { parseExternalRecipients, toExternalSubject, toExternalBody } from '../writing/external-content.ts'

export type ProposedDraft = Extract<ProposedChange, { kind: 'draft' }>

export const replyKindOf = ({ isToAll }: ProposedDraft): 'reply' | 'replyAll' => (isToAll ? 'replyAll' : 'reply')

/** The message to review. Strips invisible text, so users approve only what they see. @param answered null if new */
export const toDraftPreview = (
  draft: ProposedDraft,
  answered: Email | null,
  own: readonly string[],
): Pick<DraftContent, 'to' | 'cc' | 'subject' | 'text'> => {
  const text = stripHiddenCharacters(draft.text)
  const subject = toExternalSubject(draft.subject)
  if (answered === null)
    return { to: dedupeRecipients(draft.to.flatMap(parseExternalRecipients)), cc: [], subject, text }
  return {
    ...resolveReplyRecipients(answered, own, draft.isToAll),
    subject: subject === '' ? toReplySubject(answered.subject) : subject,
    text,
  }
}

/** `toDraftPreview`'s message as the composer's initial content. @param answered the e-mail replied to, with its bodies */
export const toComposerContent = async (
  draft: ProposedDraft,
  answered: (Email & EmailBodies) | null,
  own: readonly string[],
): Promise<DraftContent> => {
  const { to, cc, subject, text } = toDraftPreview(draft, answered, own)
  const begun =
    answered === null
      ? createEmptyContent()
      : await createReplyContent(replyKindOf(draft), { ...answered, date: answered.receivedAt }, answered, own)
  return { ...begun, to, cc, subject, ...toExternalBody(text) }
}
