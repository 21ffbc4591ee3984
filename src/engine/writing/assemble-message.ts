import type { OutgoingContent } from '../api/outgoing-message.ts'
import type { DraftContent } from '../../shared/drafts.ts'

const joinNonEmpty = (words: string, quote: string, between: string): string =>
  words === '' ? quote : quote === '' ? words : `${words}${between}${quote}`

/** New text above quoted text. Deterministic: the platform compares requests with the same key (platform facts 2). */
export const assembleMessage = ({ subject, format, html, text, quote }: DraftContent): OutgoingContent => ({
  subject,
  html: format === 'plain' ? null : joinNonEmpty(html, quote?.html ?? '', '<br>'),
  text: joinNonEmpty(text, quote?.text ?? '', '\n\n'),
})

/** The user's text above an e-mail that the platform quotes itself; null if empty. */
export const assembleNote = ({
  subject,
  format,
  html,
  text,
}: DraftContent): { readonly subject: string; readonly html: string | null; readonly text: string | null } => ({
  subject,
  html: format === 'plain' || html === '' ? null : html,
  text: text === '' ? null : text,
})
