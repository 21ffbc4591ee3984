import { resolveReplyRecipients, toForwardSubject, toReplySubject } from '../../../shared/reply-recipients.ts'
import type { EmailBodies } from '../../../shared/model.ts'
import type { DraftContent, DraftKind } from '../../../shared/drafts.ts'
import { isHeavyHtml } from '../../../shared/mail-text/heavy-html.ts'
import { mailWorker } from '../bodies/mail-worker.ts'
import { createEmptyContent } from './draft-content.ts'
import { CUT_NOTES, quoteEmail } from './quote-email.ts'
import type { ContentIdOf } from './visible-content.ts'

/** Lines of plain text that are quoted, and their characters. Longer text would block the window. */
const MAX_LINES = 2_000
const MAX_LENGTH = 120_000

const hasHtml = (html: string | null): html is string => html !== null && html.trim() !== ''

/** Shortens heavy mail to what can be quoted at once. HTML is shortened in a worker, as for reading. */
const shorten = async ({ html, text }: Pick<EmailBodies, 'html' | 'text'>) => {
  if (hasHtml(html)) {
    if (!isHeavyHtml(html)) return { html, text }
    const short = await mailWorker()
      .truncateHtml(html)
      .catch(() => null)
    if (short !== null) return { html: short.html, text, isCut: short.isCut }
  }
  const lines = (text ?? '').slice(0, MAX_LENGTH).split('\n', MAX_LINES).join('\n')
  return { html: null, text: lines, isCut: hasHtml(html) || lines.length < (text ?? '').length }
}

type Answered = Parameters<typeof resolveReplyRecipients>[0] & Omit<Parameters<typeof quoteEmail>[1], 'html' | 'text'>

/** The complete text as a file, for a forwarded message that is too large to quote; null for others. */
export const wholeTextFile = async (
  { html, text }: Pick<EmailBodies, 'html' | 'text'>,
  quote: DraftContent['quote'],
): Promise<File | null> => {
  if (quote?.text.endsWith(CUT_NOTES.forward) !== true) return null
  // As in the quote, HTML comes first: its plain alternative may say little.
  const whole = hasHtml(html)
    ? await mailWorker()
        .htmlToText(html)
        .catch(() => null)
    : null
  return new File([whole ?? text ?? ''], 'Whole message.txt', { type: 'text/plain' })
}

/**
 * Initial recipients, subject and quoted text of a reply.
 * @param to replaces the recipients that `kind` implies
 * @param contentIdOf called for each picture that the e-mail itself contains
 */
export const createReplyContent = async (
  kind: Exclude<DraftKind, 'new'>,
  email: Answered,
  bodies: EmailBodies,
  own: readonly string[],
  to: Pick<DraftContent, 'to' | 'cc'> | null = null,
  contentIdOf?: ContentIdOf,
): Promise<DraftContent> => ({
  ...createEmptyContent(),
  ...(to ?? (kind === 'forward' ? { to: [], cc: [] } : resolveReplyRecipients(email, own, kind === 'replyAll'))),
  subject: kind === 'forward' ? toForwardSubject(email.subject) : toReplySubject(email.subject),
  quote: await quoteEmail(
    kind,
    {
      ...{ ...(await shorten(bodies)), subject: email.subject, date: email.date },
      ...{ from: email.from, to: email.to, cc: email.cc },
    },
    contentIdOf,
  ),
})
