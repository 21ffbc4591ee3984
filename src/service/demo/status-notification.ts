import { inboxAddress } from './mailbox-index.ts'
import type { MessageFrame } from './thread-draft.ts'

interface Bounce {
  readonly recipient: string
  /** RFC 3463, `5.1.1`. */
  readonly status: string
  /** The answer of the recipient's server. */
  readonly reason: string
  readonly subject: string
}

/** A delivery status notification (RFC 3464) that sits in its thread as an answer to what could not be delivered. */
export const statusNotification =
  ({ recipient, status, reason, subject }: Bounce) =>
  (frame: MessageFrame): Uint8Array => {
    const boundary = `=_report_${frame.messageId.slice(1, 11)}`
    const server = frame.messageId.slice(frame.messageId.indexOf('@') + 1, -1)
    return Buffer.from(
      [
        ...frame.journey,
        `From: Mail Delivery System <mailer-daemon@${server}>`,
        `To: ${inboxAddress}`,
        `Subject: ${subject}`,
        `Date: ${frame.date.toUTCString().replace('GMT', '+0000')}`,
        `Message-ID: ${frame.messageId}`,
        ...(frame.references.length === 0
          ? []
          : [`In-Reply-To: ${frame.references.at(-1) ?? ''}`, `References: ${frame.references.join('\r\n ')}`]),
        'Auto-Submitted: auto-replied',
        'MIME-Version: 1.0',
        `Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="${boundary}"`,
        '',
        `--${boundary}`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        `This is the mail system at ${server}.`,
        '',
        'Your message could not be delivered to one recipient. It is described below.',
        '',
        `<${recipient}>: ${reason}`,
        '',
        `--${boundary}`,
        'Content-Type: message/delivery-status',
        '',
        `Reporting-MTA: dns; ${server}`,
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        `Action: ${status.startsWith('4') ? 'delayed' : 'failed'}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${reason}`,
        '',
        `--${boundary}`,
        'Content-Type: text/rfc822-headers',
        '',
        `From: Larkspur Support <${inboxAddress}>`,
        `To: ${recipient}`,
        `Subject: ${subject.replace(/^[^:]+: /, '')}`,
        '',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
  }
