import type { DraftContent, DraftFile } from '../../../shared/drafts.ts'
import { toOutgoingHtml, type HasInlineImage } from './outgoing-html.ts'
import { toOutgoingText } from './outgoing-text.ts'

export const createEmptyContent = (): DraftContent => ({
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
export const INLINE_IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** True for pictures that stay where an e-mail shows them: all but SVG, which Linnet doesn't show. */
export const canShowQuoted = (contentType: string): boolean => /^image\/(?!svg)/i.test(contentType)

export const canShowInline = ({ type }: Pick<File, 'type'>): boolean => INLINE_IMAGE_TYPES.includes(type)

export const buildOutgoingBody = (
  markup: string,
  hasInlineImage: HasInlineImage,
): Pick<DraftContent, 'html' | 'text'> => {
  const html = toOutgoingHtml(markup, hasInlineImage)
  return { html, text: toOutgoingText(html) }
}

export const createInlineImageCheck =
  (files: readonly DraftFile[]): HasInlineImage =>
  (named) =>
    files.some(({ contentId }) => contentId === named)

/** Cleans a draft for editing and sending: a colleague's program may have written anything. */
export const sanitizeDraftContent = (content: DraftContent): DraftContent => ({
  ...content,
  ...(content.format === 'rich'
    ? buildOutgoingBody(content.html, createInlineImageCheck(content.files))
    : { html: '' }),
  quote: content.quote && {
    ...content.quote,
    html: toOutgoingHtml(content.quote.html, createInlineImageCheck(content.files)),
  },
})
