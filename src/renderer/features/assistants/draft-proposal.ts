import { replyRecipients, replySubject } from '../../../shared/reply-recipients.ts'
import type { ProposedChange } from '../../../shared/assistants.ts'
import type { Bodies, Email } from '../../../shared/model.ts'
import { withoutRepeats } from '../../../shared/recipients.ts'
import { stripHiddenCharacters } from '../../../shared/visible-text.ts'
import type { DraftContent } from '../../../shared/writing.ts'
import { replyContent } from '../writing/reply-content.ts'
import { emptyContent } from '../writing/draft-content.ts'
import { externalRecipients, externalSubject, externalText } from '../writing/external-content.ts'

export type ProposedDraft = Extract<ProposedChange, { kind: 'draft' }>

export const replyKindOf = ({ isToAll }: ProposedDraft): 'reply' | 'replyAll' => (isToAll ? 'replyAll' : 'reply')

/** The message to review. Strips invisible text, so users approve only what they see. @param answered null if new */
export const draftShown = (
  draft: ProposedDraft,
  answered: Email | null,
  own: readonly string[],
): Pick<DraftContent, 'to' | 'cc' | 'subject' | 'text'> => {
  const text = stripHiddenCharacters(draft.text)
  const subject = externalSubject(draft.subject)
  if (answered === null) return { to: withoutRepeats(draft.to.flatMap(externalRecipients)), cc: [], subject, text }
  return {
    ...replyRecipients(answered, own, draft.isToAll),
    subject: subject === '' ? replySubject(answered.subject) : subject,
    text,
  }
}

/** `draftShown`'s message as the composer's initial content. @param answered the e-mail replied to, with its bodies */
export const draftToWrite = (
  draft: ProposedDraft,
  answered: (Email & Bodies) | null,
  own: readonly string[],
): DraftContent => {
  const { to, cc, subject, text } = draftShown(draft, answered, own)
  const begun =
    answered === null
      ? emptyContent()
      : replyContent(replyKindOf(draft), { ...answered, date: answered.receivedAt }, answered, own)
  return { ...begun, to, cc, subject, ...externalText(text) }
}
