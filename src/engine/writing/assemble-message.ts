import type { OutgoingContent } from '../api/outgoing-message.ts'
import type { DraftContent } from '../../shared/writing.ts'

/** Between the new text and the quoted text. */
const joined = (words: string, quote: string, between: string): string =>
  words === '' ? quote : quote === '' ? words : `${words}${between}${quote}`

/**
 * What is sent of a draft: the new text with the quoted text below it. The same for the same content,
 * as the platform compares what comes under one key (platform facts 2).
 */
export const assembleMessage = ({ subject, format, html, text, quote }: DraftContent): OutgoingContent => ({
  subject,
  html: format === 'plain' ? null : joined(html, quote?.html ?? '', '<br>'),
  text: joined(text, quote?.text ?? '', '\n\n'),
})

/** What a person wrote above an e-mail that the platform itself quotes; null where there is nothing. */
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
