import type { Attachment } from '../../../shared/model.ts'
import { wireAttachment, type WireAttachment } from '../wire.ts'
import { readPageOf, readWith } from './read-answer.ts'

export const toAttachments = (attachments: readonly WireAttachment[] | null | undefined): readonly Attachment[] =>
  (attachments ?? []).map(({ id, filename, size, content_type: contentType, content_id: contentId }, index) => ({
    id: id === '' ? `attachment ${index + 1}` : id,
    filename: filename ?? null,
    size: size ?? null,
    contentType: contentType ?? null,
    contentId: contentId ?? null,
  }))

/** An attachment, and where its bytes are: for an hour (platform facts 7). */
export interface FetchedAttachment extends Attachment {
  /** Null where the platform names none. */
  readonly downloadUrl: string | null
}

const toFetched = (wire: WireAttachment): FetchedAttachment => ({
  id: wire.id,
  filename: wire.filename ?? null,
  size: wire.size ?? null,
  contentType: wire.content_type ?? null,
  contentId: wire.content_id ?? null,
  downloadUrl: wire.download_url ?? null,
})

export const readAttachment = readWith(wireAttachment, toFetched)
export const readAttachments = readPageOf(wireAttachment, toFetched)
