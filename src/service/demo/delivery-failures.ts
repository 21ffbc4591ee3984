import { agents, customers, inboxAddress, sender } from './people.ts'
import type { Correspondent, MessageFrame, ThreadDraft } from './thread-draft.ts'

/** A delivery status notification (RFC 3464) that sits in its thread as an answer to what could not be delivered. */
const statusNotification =
  (recipient: string, status: string, reason: string, subject: string) =>
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

const daemon = (server: string): Correspondent => sender('Mail Delivery System', `mailer-daemon@${server}`)

/** Mail that came back, and an answer from somebody who is away. */
export const deliveryFailures: readonly ThreadDraft[] = [
  {
    subject: 'Your trial ends on {{workday+3}}: shall I extend it?',
    labels: ['Waiting'],
    unread: true,
    letters: [
      {
        from: agents.mara,
        to: [sender('Jolanta Rimkutė', 'jolanta@senasmalunas.example')],
        text: `Hello Jolanta,

Your trial ends in three days, and you have written five rotas with it, so I think that it is of use. If you would like two more weeks to decide, say so and they are yours.`,
      },
      {
        from: daemon('mx.senasmalunas.example'),
        envelopeFrom: '',
        hoursLater: 0.02,
        byHand: statusNotification(
          'jolanta@senasmalunas.example',
          '5.1.1',
          '550 5.1.1 User unknown: mailbox "jolanta" has moved to "info"',
          'Undelivered: Your trial ends soon: shall I extend it?',
        ),
      },
    ],
  },
  {
    subject: 'Delayed: Your October invoice from Larkspur',
    labels: ['Billing'],
    letters: [
      {
        from: daemon('relay.elmolinillo.example'),
        envelopeFrom: '',
        byHand: statusNotification(
          'diego@elmolinillo.example',
          '4.2.2',
          '452 4.2.2 Mailbox full (it is mostly photographs of churros)',
          'Delayed: Your October invoice from Larkspur',
        ),
      },
    ],
  },
  {
    subject: 'Automatic reply: Re: SSO mapping for your managers',
    letters: [
      {
        from: sender('Tinderbox HR', 'hr@tinderbox-pizza.example'),
        automatic: true,
        plain: true,
        text: `Thank you for your message. The HR team is moving offices until {{workday+4}} and is reading mail in a corridor.

In urgent cases please ring the front desk and ask for whoever is carrying the plant.`,
      },
    ],
  },
  {
    subject: 'Swap reminder: did the fix hold?',
    letters: [
      {
        from: agents.tomasz,
        to: [customers.plain3],
        text: `Hello,

Two weeks ago swap requests for the Signal Box disappeared at midnight. I see none missing since. If you agree, I close the case; if not, I would rather know.`,
      },
      { from: customers.plain3, plain: true, quotes: true, text: `agree. close. thank you. trains also running` },
    ],
  },
]
