import { z } from 'zod'
import type { Attachment } from '../../../shared/attachments.ts'
import { apiPath } from '../api-path.ts'
import { wireCount, wireId, createParser, wireText } from '../parse-response.ts'
import type { CallOptions, Requests } from '../requests.ts'

/** The account's list that an e-mail's ID belongs to. */
export type EmailKind = 'received' | 'sent'

/** Users see only the name, so attachments without an ID are shown too. */
export const wireAttachment = z.looseObject({
  id: wireId.catch(''),
  filename: wireText,
  size: wireCount.nullable(),
  content_type: wireText,
  content_id: wireText,
  /** Valid for an hour (platform.md 21.5). */
  download_url: wireText,
})
type WireAttachment = z.infer<typeof wireAttachment>

/** Attachment with a link to its bytes, valid for an hour (platform.md 21.5). */
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

const attachmentParser = createParser(wireAttachment, toFetched)

/** For received and sent e-mails (platform.md 20.7 and 21.4). */
export const createAttachmentCalls = (requests: Requests) => ({
  /** The response includes a fresh download link. */
  getAttachment: async (kind: EmailKind, emailId: string, attachmentId: string, options: CallOptions) =>
    attachmentParser.one(
      await requests.get(
        kind === 'received'
          ? apiPath`/emails/receiving/${emailId}/attachments/${attachmentId}`
          : apiPath`/emails/${emailId}/attachments/${attachmentId}`,
        options,
      ),
    ),

  listAttachments: async (kind: EmailKind, emailId: string, options: CallOptions) =>
    requests.all(
      attachmentParser.page,
      kind === 'received' ? apiPath`/emails/receiving/${emailId}/attachments` : apiPath`/emails/${emailId}/attachments`,
      options,
    ),
})
