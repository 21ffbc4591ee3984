import { resolveReplyRecipients, toForwardSubject, toReplySubject } from '../../../shared/reply-recipients.ts'
import type { EmailBodies } from '../../../shared/model.ts'
import type { DraftContent, DraftKind } from '../../../shared/drafts.ts'
import { createEmptyContent } from './draft-content.ts'
import { quoteEmail } from './quote-email.ts'

type Answered = Parameters<typeof resolveReplyRecipients>[0] & Omit<Parameters<typeof quoteEmail>[1], 'html' | 'text'>

/** Initial recipients, subject and quoted text of a reply. @param to replaces the recipients that `kind` implies */
export const createReplyContent = (
  kind: Exclude<DraftKind, 'new'>,
  email: Answered,
  { html, text }: EmailBodies,
  own: readonly string[],
  to: Pick<DraftContent, 'to' | 'cc'> | null = null,
): DraftContent => ({
  ...createEmptyContent(),
  ...(to ?? (kind === 'forward' ? { to: [], cc: [] } : resolveReplyRecipients(email, own, kind === 'replyAll'))),
  subject: kind === 'forward' ? toForwardSubject(email.subject) : toReplySubject(email.subject),
  quote: quoteEmail(kind, {
    ...{ html, text, subject: email.subject, date: email.date },
    ...{ from: email.from, to: email.to, cc: email.cc },
  }),
})
