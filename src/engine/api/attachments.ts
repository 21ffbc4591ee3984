import { z } from 'zod'
import type { Attachment } from '../../shared/attachments.ts'
import { path } from './path.ts'
import { count, id, readPageOf, readWith, text } from './read-answer.ts'
import type { CallOptions, Requests } from './requests.ts'

/** Which of the account's two lists an e-mail's ID belongs to. */
export type EmailKind = 'received' | 'sent'

/** What a person sees of an attachment is its name, so one without an ID is shown, too. */
export const wireAttachment = z.looseObject({
  id: id.catch(''),
  filename: text,
  size: count.nullable(),
  content_type: text,
  content_id: text,
  /** Where its bytes are, for an hour (platform facts 7). */
  download_url: text,
})
type WireAttachment = z.infer<typeof wireAttachment>

/** An attachment with the link to its bytes, which lasts an hour (platform facts 7). */
export interface FetchedAttachment extends Attachment {
  /** Null where the platform names none. */
  readonly downloadUrl: string | null
}

const toAttachment = (wire: WireAttachment): Attachment => ({
  id: wire.id,
  filename: wire.filename ?? null,
  size: wire.size ?? null,
  contentType: wire.content_type ?? null,
  contentId: wire.content_id ?? null,
})

/** The attachments that an e-mail names; one without an ID gets one from its place. */
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

/** Platform facts 6 and 7, of received and of sent e-mails. */
export const attachmentCalls = (requests: Requests) => ({
  /** With a fresh link to its bytes. */
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
