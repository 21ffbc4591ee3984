import { replyRecipients, forwardSubject, replySubject } from '../../../shared/reply-recipients.ts'
import type { Bodies } from '../../../shared/model.ts'
import type { DraftContent, WritingKind } from '../../../shared/writing.ts'
import { emptyContent } from './draft-content.ts'
import { quoteEmail } from './quote-email.ts'

type Answered = Parameters<typeof replyRecipients>[0] & Omit<Parameters<typeof quoteEmail>[1], 'html' | 'text'>

/** Initial recipients, subject and quoted text of a reply. @param to replaces the recipients that `kind` implies */
export const replyContent = (
  kind: Exclude<WritingKind, 'new'>,
  email: Answered,
  { html, text }: Bodies,
  own: readonly string[],
  to: Pick<DraftContent, 'to' | 'cc'> | null = null,
): DraftContent => ({
  ...emptyContent(),
  ...(to ?? (kind === 'forward' ? { to: [], cc: [] } : replyRecipients(email, own, kind === 'replyAll'))),
  subject: kind === 'forward' ? forwardSubject(email.subject) : replySubject(email.subject),
  quote: quoteEmail(kind, {
    ...{ html, text, subject: email.subject, date: email.date },
    ...{ from: email.from, to: email.to, cc: email.cc },
  }),
})
