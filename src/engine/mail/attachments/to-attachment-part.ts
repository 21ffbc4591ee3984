import type { Attachment } from 'postal-mime'
import { contentLocationOf } from '../../../mime/mail-parser.ts'
import type { AttachmentPart } from '../../sync/attachment-parts.ts'

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Converts a parsed attachment of the message itself, not of a nested message. */
export const toAttachmentPart = (attachment: Attachment): AttachmentPart => ({
  filename: attachment.filename,
  contentId: attachment.contentId ?? null,
  contentLocation: contentLocationOf(attachment),
  contentType: attachment.mimeType.toLowerCase(),
  isNested: false,
  bytes: bytesOf(attachment.content),
})
