import type { DraftContent, DraftFile } from '../../../shared/writing.ts'
import { outgoingHtml, type Carries } from './outgoing-html.ts'
import { outgoingText } from './outgoing-text.ts'

export const emptyContent = (): DraftContent => ({
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  format: 'rich',
  html: '',
  text: '',
  quote: null,
  files: [],
})

/** Image types that every mail program shows inline. */
export const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/

export const isPicture = ({ type }: Pick<File, 'type'>): boolean => PICTURES.test(type)

export const bodyOf = (markup: string, carries: Carries): Pick<DraftContent, 'html' | 'text'> => {
  const html = outgoingHtml(markup, carries)
  return { html, text: outgoingText(html) }
}

export const carriedBy =
  (files: readonly DraftFile[]): Carries =>
  (named) =>
    files.some(({ contentId }) => contentId === named)

/** Cleans a draft for editing and sending: a colleague's program may have written anything. */
export const cleaned = (content: DraftContent): DraftContent => ({
  ...content,
  ...(content.format === 'rich' ? bodyOf(content.html, carriedBy(content.files)) : { html: '' }),
  quote: content.quote && {
    ...content.quote,
    html: outgoingHtml(content.quote.html, carriedBy(content.files)),
  },
})
