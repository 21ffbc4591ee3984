import { decodeAttachments, replaceCidImages, extractImageContentIds } from '../mail/parse-message.ts'
import type { Database } from '../storage/database.ts'
import { type AttachmentRow, type EmailRow, loadRawMessage } from '../storage/emails.ts'

/** Form of inline images in `html` (platform.md 21.7). */
export type HtmlFormat = 'data_uri' | 'cid'

/** With larger inlined HTML, an e-mail always comes as `cid` (platform.md 21.7). */
const inlinedLimit = 100 * 1024 * 1024

/** The HTML body with inline images as `data:` URIs, and the format actually used. */
export async function embedInlineImages(
  db: Database,
  email: EmailRow,
  html: string | null,
  attachments: readonly AttachmentRow[],
): Promise<{ readonly html: string | null; readonly format: HtmlFormat }> {
  const inline = attachments.filter(({ is_inline }) => is_inline === 1)
  if (html === null || inline.length === 0) return { html, format: 'data_uri' }
  // Base64 turns three bytes into four characters; an image counts each time the HTML shows it.
  const sizes = new Map(inline.map((image) => [image.content_id, Math.ceil((image.size * 4) / 3)]))
  const size = extractImageContentIds(html).reduce((sum, contentId) => sum + (sizes.get(contentId) ?? 0), html.length)
  if (size > inlinedLimit) return { html, format: 'cid' }
  const contents = await decodeAttachments(loadRawMessage(db, email.seq))
  const images = new Map(
    inline.map((image) => [image.content_id, dataUri(image.content_type, contents[image.position])]),
  )
  return { html: replaceCidImages(html, (contentId) => images.get(contentId)), format: 'data_uri' }
}

function dataUri(contentType: string, content: Uint8Array | undefined): string | undefined {
  return content && `data:${contentType};base64,${Buffer.from(content).toString('base64')}`
}
