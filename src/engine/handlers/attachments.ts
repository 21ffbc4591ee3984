import { detectContentRiskOfBytes, detectNameRisk } from '../../shared/attachment-risk.ts'
import type { DomainHandlers } from '../../shared/contract.ts'
import { ATTACHMENT_CHUNK_BYTES } from '../../shared/attachments.ts'
import type { MailPart } from '../account-mail.ts'
import { HEAD_BYTES, detectDisplayKind } from '../mail/attachments/display-kind.ts'
import { detectContentRisk } from '../mail/attachments/content-risk.ts'
import { createProblem } from '../../shared/result.ts'

export const createAttachmentHandlers = ({
  attachments,
  attachmentContent,
}: MailPart): DomainHandlers<'attachment'> => ({
  'attachment.list': ({ of }) => attachments.list(of),
  'attachment.readings': ({ of }) => attachmentContent.list(of),
  'attachment.open': async ({ of, attachmentId }) => {
    const { bytes, digest } = await attachments.fetch(of, attachmentId)
    // The type, and with it the filename, is known once the attachment is stored.
    const attachment = await attachments.find(of, attachmentId)
    const head = bytes.subarray(0, HEAD_BYTES)
    return {
      bytes: bytes.byteLength,
      pieces: Math.ceil(bytes.byteLength / ATTACHMENT_CHUNK_BYTES),
      version: digest,
      look: detectDisplayKind(attachment, bytes),
      risk:
        detectNameRisk(attachment.filename) ??
        detectContentRiskOfBytes(head) ??
        (await detectContentRisk(attachment.filename, bytes)),
    }
  },
  'attachment.read': async ({ of, attachmentId, version, place }) => {
    const from = place * ATTACHMENT_CHUNK_BYTES
    const piece = await attachments.piece(of, attachmentId, version, from, ATTACHMENT_CHUNK_BYTES)
    if (piece === null)
      throw createProblem('not_found', 'This attachment is no longer on this computer. Open it again.')
    return Buffer.from(piece).toString('base64')
  },
  'attachment.cancel': ({ of, attachmentId }) => attachments.cancel(of, attachmentId),
})
