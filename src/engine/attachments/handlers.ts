import { riskOfBytes, riskOfName } from '../../shared/attachment-risk.ts'
import type { HandlersOf } from '../../shared/contract.ts'
import { ATTACHMENT_PIECE } from '../../shared/attachments.ts'
import type { AccountAccess } from '../account-access.ts'
import { problem } from '../problem.ts'
import { HEAD_BYTES, displayKindOf } from './display-kind.ts'
import { riskInside } from './risk-inside.ts'

export const attachmentHandlers = ({ current }: AccountAccess): HandlersOf<'attachment'> => ({
  'attachment.list': ({ of }) => current().attachments.list(of),
  'attachment.readings': ({ of }) => current().attachmentContent.list(of),
  'attachment.open': async ({ of, attachmentId }) => {
    const { attachments } = current()
    const { bytes, digest } = await attachments.fetch(of, attachmentId)
    // The type, and with it the filename, is known once the attachment is stored.
    const attachment = await attachments.find(of, attachmentId)
    const head = bytes.subarray(0, HEAD_BYTES)
    return {
      bytes: bytes.byteLength,
      pieces: Math.ceil(bytes.byteLength / ATTACHMENT_PIECE),
      version: digest,
      look: displayKindOf(attachment, bytes),
      risk: riskOfName(attachment.filename) ?? riskOfBytes(head) ?? (await riskInside(attachment.filename, bytes)),
    }
  },
  'attachment.read': async ({ of, attachmentId, version, place }) => {
    const from = place * ATTACHMENT_PIECE
    const piece = await current().attachments.piece(of, attachmentId, version, from, ATTACHMENT_PIECE)
    if (piece === null) throw problem('not_found', 'This attachment is no longer on this computer. Open it again.')
    return Buffer.from(piece).toString('base64')
  },
  'attachment.cancel': ({ of, attachmentId }) => current().attachments.cancel(of, attachmentId),
})
