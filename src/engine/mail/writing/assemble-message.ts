import type { OutgoingDraft } from '../../platform/resources/drafts.ts'
import type { DraftContent } from '../../../shared/drafts.ts'

const joinNonEmpty = (words: string, quote: string, between: string): string =>
  words === '' ? quote : quote === '' ? words : `${words}${between}${quote}`

/** New text above quoted text. Deterministic: the platform compares requests with the same key (platform.md 1.10). */
export const assembleMessage = (content: DraftContent): OutgoingDraft => {
  const { to, cc, bcc, subject, format, html, text, quote } = content
  return {
    ...{ to, cc, bcc, subject },
    html: format === 'plain' ? null : joinNonEmpty(html, quote?.html ?? '', '<br>'),
    text: joinNonEmpty(text, quote?.text ?? '', '\n\n'),
  }
}
