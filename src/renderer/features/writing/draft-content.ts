import type { DraftContent, DraftFile } from '../../../shared/writing.ts'
import { outgoingHtml, type HasInlineImage } from './outgoing-html.ts'
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

export const bodyOf = (markup: string, hasInlineImage: HasInlineImage): Pick<DraftContent, 'html' | 'text'> => {
  const html = outgoingHtml(markup, hasInlineImage)
  return { html, text: outgoingText(html) }
}

export const inlineImagesOf =
  (files: readonly DraftFile[]): HasInlineImage =>
  (named) =>
    files.some(({ contentId }) => contentId === named)

/** Cleans a draft for editing and sending: a colleague's program may have written anything. */
export const cleaned = (content: DraftContent): DraftContent => ({
  ...content,
  ...(content.format === 'rich' ? bodyOf(content.html, inlineImagesOf(content.files)) : { html: '' }),
  quote: content.quote && {
    ...content.quote,
    html: outgoingHtml(content.quote.html, inlineImagesOf(content.files)),
  },
})
