/** Mail whose content is in its attachments: invitations, S/MIME, PGP, delivery reports, Outlook files. */
import { enveloped, signed } from './cms-messages.ts'

const part = (head: string, content: string | Uint8Array): string =>
  `${head}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`
const mixed = (kind: string, ...parts: readonly string[]): string =>
  `Content-Type: multipart/${kind}; boundary="m"\r\n\r\n--m\r\n${parts.join('--m\r\n')}--m--\r\n`
const text = (words: string): string => `Content-Type: text/plain; charset=utf-8\r\n\r\n${words}\r\n`

const calendar = (method: string, event: readonly string[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT', 'UID:harbour-77@away.example'],
    ...event,
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

const WALK = [
  ...[
    'SUMMARY:Walk around the harbour',
    'DTSTART;TZID=Asia/Kathmandu:20261201T140000',
    'DTEND;TZID=Asia/Kathmandu:20261201T153000',
  ],
  ...['RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20270301T000000Z', 'LOCATION:Pier 4\\, by the crane'],
  ...[
    'ORGANIZER;CN=Nora Quill:mailto:nora@away.example',
    'ATTENDEE;CN=Ola Inner;PARTSTAT=ACCEPTED:mailto:ola@away.example',
  ],
  ...['ATTENDEE;PARTSTAT=TENTATIVE:mailto:tove@away.example', 'ATTENDEE;RSVP=TRUE:mailto:inbox@linnet.example'],
  'DESCRIPTION:Bring a coat. We meet at the crane.\\n\\nJoin from afar: https://meet.away.example/harbour',
]
export const INVITATION = calendar('REQUEST', WALK)

/** Raw messages by type, without their own headers. */
export const SPECIAL_MAIL = {
  invitation: part('Content-Type: text/calendar; charset=utf-8; method=REQUEST', INVITATION),
  cancellation: mixed(
    'alternative',
    text('The walk does not take place.'),
    part('Content-Type: text/calendar; charset=utf-8; method=CANCEL', calendar('CANCEL', WALK)),
  ),
  answer: part(
    'Content-Type: text/calendar; method=REPLY',
    calendar('REPLY', [
      'SUMMARY:Walk around the harbour',
      'ATTENDEE;CN=Ola Inner;PARTSTAT=DECLINED:mailto:ola@away.example',
    ]),
  ),
  signed: part(
    'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
    signed(
      mixed(
        'mixed',
        text('Signed words of the harbour master.'),
        part('Content-Type: text/plain; name="tides.txt"\r\nContent-Disposition: attachment', 'high 06:12'),
      ),
    ),
  ),
  enveloped: part('Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', enveloped()),
  pgp: mixed(
    'encrypted; protocol="application/pgp-encrypted"',
    part('Content-Type: application/pgp-encrypted', 'Version: 1\r\n'),
    part('Content-Type: application/octet-stream; name="encrypted.asc"', '-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n'),
  ),
  armour: text('-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA9Yx\r\n-----END PGP MESSAGE-----'),
  outlook: mixed(
    'mixed',
    text('The table is with this message.'),
    part('Content-Type: application/ms-tnef; name="winmail.dat"', 'x'),
  ),
  bounce: mixed(
    'report; report-type=delivery-status',
    text('Your message could not be delivered.'),
    'Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.away.example\r\n\r\nFinal-Recipient: rfc822; ola@away.example\r\nAction: failed\r\nStatus: 5.1.1\r\n',
    'Content-Type: text/rfc822-headers\r\n\r\nSubject: What was sent\r\n',
  ),
} as const

export const specialMessage = (kind: keyof typeof SPECIAL_MAIL, to: string) => ({
  raw: `From: Nora Quill <nora@away.example>\r\nTo: ${to}\r\nSubject: Special ${kind}\r\nMIME-Version: 1.0\r\n${SPECIAL_MAIL[kind]}`,
  envelope: { from: 'nora@away.example', to },
})
