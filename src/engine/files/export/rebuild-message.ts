import { toAttachmentFilename } from '../../../shared/attachment-filename.ts'
import type { ExportedEmail } from './read-message.ts'

/** Header that marks a rebuilt message: `yes`, or `incomplete` if something is missing. */
const REBUILT = 'X-Linnet-Rebuilt'
const TEXT_UNAVAILABLE = 'The text of this message was not on this computer when it was exported.'

/** Sanitises a Message-ID and puts it in brackets. If it is missing, generates one that is the same each time. */
const stableMessageId = (messageId: string | null, id: string): string => {
  const bare = (messageId ?? '').replace(/[\s<>]+/g, '')
  return `<${bare === '' ? `${id.replace(/[^\w.-]+/g, '-')}@exported.linnet.invalid` : bare}>`
}

/** Rebuilds a message (RFC 5322, CRLF) from its known parts and marks it. Reproducible byte for byte. */
export const rebuildMessage = async (email: ExportedEmail): Promise<Buffer> => {
  const { id, from, to, cc, bcc, replyTo, subject, text, html, references, inReplyTo, attachments, isIncomplete } =
    email
  const hasText = text !== null && text !== ''
  const hasHtml = html !== null && html !== ''
  const words = !hasText && !hasHtml && isIncomplete ? TEXT_UNAVAILABLE : text
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from,
    to: [...to],
    cc: [...cc],
    bcc: [...bcc],
    replyTo: [...replyTo],
    subject: subject ?? '',
    messageId: stableMessageId(email.messageId, id),
    date: new Date(email.at),
    headers: { [REBUILT]: isIncomplete ? 'incomplete' : 'yes' },
    newline: 'win',
    // Untrusted input must never be read as a path or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(inReplyTo !== null && { inReplyTo }),
    ...(references.length > 0 && { references: [...references] }),
    ...(words !== null && words !== '' && { text: words }),
    ...(hasHtml && { html }),
    attachments: attachments.flatMap(({ filename, contentType, contentId, bytes }) =>
      bytes === null
        ? []
        : [
            {
              filename: filename ?? toAttachmentFilename({ filename, contentType }),
              // Base64 preserves an attached message's bytes, but `message/*` types can't use it.
              contentType: /^message\//i.test(contentType ?? '')
                ? 'application/octet-stream'
                : (contentType ?? 'application/octet-stream'),
              content: Buffer.from(bytes),
              contentTransferEncoding: 'base64' as const,
              ...(contentId !== null && { cid: contentId.replace(/[<>\s]/g, '') }),
            },
          ],
    ),
  })
  const message = composer.compile()
  message.keepBcc = true
  message.baseBoundary = id.replace(/[^\w-]+/g, '').slice(0, 40)
  return message.build()
}
