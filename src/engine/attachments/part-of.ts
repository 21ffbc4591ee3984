import type { Attachment } from 'postal-mime'
import { locationOf } from '../../mime/mail-parser.ts'
import type { AttachmentPart } from './attachment-parts.ts'

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Treats it as an attachment of the message itself. */
export const toAttachmentPart = (attachment: Attachment): AttachmentPart => ({
  filename: attachment.filename,
  contentId: attachment.contentId ?? null,
  contentLocation: locationOf(attachment),
  contentType: attachment.mimeType.toLowerCase(),
  isNested: false,
  bytes: bytesOf(attachment.content),
})
