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

/** Types of pictures that every mail program shows within a text. */
export const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/

/** Whether a file can stand in the text. */
export const isPicture = ({ type }: Pick<File, 'type'>): boolean => PICTURES.test(type)

/** Rich words as they are sent: the HTML and the text of it. */
export const bodyOf = (markup: string, carries: Carries): Pick<DraftContent, 'html' | 'text'> => {
  const html = outgoingHtml(markup, carries)
  return { html, text: outgoingText(html) }
}

export const carriedBy =
  (files: readonly DraftFile[]): Carries =>
  (named) =>
    files.some(({ contentId }) => contentId === named)

/** Drafts of colleagues come as their programs wrote them: what is edited and sent from here is what could be written here. */
export const cleaned = (content: DraftContent): DraftContent => ({
  ...content,
  ...(content.format === 'rich' ? bodyOf(content.html, carriedBy(content.files)) : { html: '' }),
  quote: content.quote && {
    ...content.quote,
    html: outgoingHtml(content.quote.html, carriedBy(content.files)),
  },
})
