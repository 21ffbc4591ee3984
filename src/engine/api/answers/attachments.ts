import type { Attachment } from '../../../shared/model.ts'
import type { WireAttachment } from '../wire.ts'

export const toAttachments = (attachments: readonly WireAttachment[] | null | undefined): readonly Attachment[] =>
  (attachments ?? []).map(({ id, filename, size, content_type: contentType }, index) => ({
    id: id === '' ? `attachment ${index + 1}` : id,
    filename: filename ?? null,
    size: size ?? null,
    contentType: contentType ?? null,
  }))
