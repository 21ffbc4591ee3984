import { z } from 'zod'
import type { Attachment } from '../../shared/attachments.ts'
import { path } from './path.ts'
import { count, id, readPageOf, readWith, text } from './read-response.ts'
import type { CallOptions, Requests } from './requests.ts'

/** The account's list that an e-mail's ID belongs to. */
export type EmailKind = 'received' | 'sent'

/** Users see only the name, so attachments without an ID are shown too. */
export const wireAttachment = z.looseObject({
  id: id.catch(''),
  filename: text,
  size: count.nullable(),
  content_type: text,
  content_id: text,
  /** Valid for an hour (platform facts 7). */
  download_url: text,
})
type WireAttachment = z.infer<typeof wireAttachment>

/** Attachment with a link to its bytes, valid for an hour (platform facts 7). */
export interface FetchedAttachment extends Attachment {
  readonly downloadUrl: string | null
}

const toAttachment = (wire: WireAttachment): Attachment => ({
  id: wire.id,
  filename: wire.filename ?? null,
  size: wire.size ?? null,
  contentType: wire.content_type ?? null,
  contentId: wire.content_id ?? null,
})

/** Numbers the attachments that have no ID. */
export const toAttachments = (attachments: readonly WireAttachment[] | null | undefined): readonly Attachment[] =>
  (attachments ?? []).map((wire, index) =>
    toAttachment(wire.id === '' ? { ...wire, id: `attachment ${index + 1}` } : wire),
  )

const toFetched = (wire: WireAttachment): FetchedAttachment => ({
  ...toAttachment(wire),
  downloadUrl: wire.download_url ?? null,
})

const readAttachment = readWith(wireAttachment, toFetched)
const readAttachments = readPageOf(wireAttachment, toFetched)

/** Platform facts 6 and 7, for received and sent e-mails. */
export const attachmentCalls = (requests: Requests) => ({
  /** The response includes a fresh download link. */
  getAttachment: async (kind: EmailKind, emailId: string, attachmentId: string, options: CallOptions) =>
    readAttachment(
      await requests.get(
        kind === 'received'
          ? path`/emails/receiving/${emailId}/attachments/${attachmentId}`
          : path`/emails/${emailId}/attachments/${attachmentId}`,
        options,
      ),
    ),

  listAttachments: async (kind: EmailKind, emailId: string, options: CallOptions) =>
    requests.all(
      readAttachments,
      kind === 'received' ? path`/emails/receiving/${emailId}/attachments` : path`/emails/${emailId}/attachments`,
      options,
    ),
})
