import { extname } from 'node:path'
import { type LetterBlock, parseThreadBlocks } from './letter-blocks.ts'
import { composeInCharset } from './legacy-charset-letters.ts'
import { escapeHtml } from './letter-body.ts'
import { resolveCorrespondent } from './people.ts'
import { createReceiptThread } from './receipts.ts'
import { readTable, readText, requireRow } from './resources.ts'
import type { AttachmentDraft, LetterDraft, ThreadingHeaders, ThreadDraft } from './thread-draft.ts'
import { createPdf, createZip } from './drawn-files.ts'
import * as pictures from './letter-pictures.ts'
import { type Brand, renderMailingHtml, type MailingIssue, renderMailingText } from './mailing-html.ts'
import { inboxAddress } from './mailbox-index.ts'

const authentications = ['pass', 'fail', 'none'] as const

const authenticationOf = (letter: LetterBlock): LetterDraft['authentication'] => {
  const found = letter.text('Authentication')
  if (found === undefined) return undefined
  return authentications.find((result) => result === found) ?? letter.fail(`knows no authentication “${found}”`)
}

/** Parses `1.5 hours` or `11 minutes` into hours. */
const hoursLater = (letter: LetterBlock): number | undefined => {
  const written = letter.text('Later')
  if (written === undefined) return undefined
  const [, amount, unit] = /^(\d+(?:\.\d+)?) (hour|minute)s?$/.exec(written) ?? []
  if (amount === undefined) return letter.fail(`cannot be “${written}” later`)
  return unit === 'hour' ? Number(amount) : Number(amount) / 60
}

interface Bounce {
  readonly recipient: string
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  readonly status: string
  readonly reason: string
  readonly subject: string
}

/** A delivery status notification (RFC 3464), threaded as a reply to the undelivered message. */
const statusNotification =
  ({ recipient, status, reason, subject }: Bounce) =>
  (frame: ThreadingHeaders): Uint8Array => {
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

/** Builds messages that the composer can't: in an old charset, or a mail server's report. */
const byHand = (letter: LetterBlock): LetterDraft['byHand'] => {
  const charset = letter.text('Charset')
  if (charset !== undefined) return composeInCharset(charset, letter.body)
  const recipient = letter.text('Bounced')
  if (recipient === undefined) return undefined
  const [status, subject] = [letter.needed('Status'), letter.needed('Reported')]
  return statusNotification({ recipient, status, subject, reason: letter.body })
}

/** Both bodies. A notice gets HTML with a table, like automated mail. */
const bodiesOf = (letter: LetterBlock): Pick<LetterDraft, 'text' | 'html' | 'automatic' | 'quotes'> => {
  const title = letter.text('Notice')
  if (title !== undefined) {
    return {
      text: `${title}\n\n${letter.body}`,
      html: noticeHtml(title, letter.needed('Accent'), letter.body),
      automatic: true,
      quotes: false,
    }
  }
  const html = letter.text('Html')
  return {
    text: letter.body === '' ? undefined : letter.body,
    html: html === undefined ? undefined : readText(`html/${html}`).trimEnd(),
    automatic: letter.flag('Automatic'),
    quotes: letter.flag('Quotes'),
  }
}

const agreement = (party: string): Uint8Array =>
  createZip([
    {
      name: 'Data processing agreement.txt',
      content: `Data processing agreement between ${party} and Larkspur Rota B.V.\n\n§ 7 Return and deletion\nThirty days after the end of the contract all personal data is deleted. Until then the controller may export it.\n`,
    },
    {
      name: 'Annex 2 - Sub-processors.txt',
      content:
        'Noordkade Hosting, Groningen (servers)\nBriefwerk, Leipzig (mail)\nCoinpurse Payments, Dublin (payments)\n',
    },
  ])

/** Files drawn by code, which takes less space than the files would. */
const drawn: Readonly<Record<string, () => Uint8Array>> = {
  'two-rotas.png': () => pictures.drawRotaScreenshot(11),
  'Backschichten Straßenfest.png': () => pictures.drawRotaScreenshot(3),
  'shift-questions-v2.png': pictures.drawQuestionScreen,
  'db-2-week.png': pictures.drawDiskUsageChart,
  'stand-front.png': pictures.drawStandFront,
  'stand-side.png': pictures.drawStandSide,
  'leicester-print.png': () => pictures.drawCroppedPrint('right'),
  'left-roll.png': () => pictures.drawCroppedPrint('right'),
  'right-a3.png': () => pictures.drawCroppedPrint('left'),
  'menu-in-czech.png': pictures.drawPrinterDisplay,
  'Larkspur DPA Engelbraeu.zip': () => agreement('Engelbraeu GmbH & Co. KG'),
}

const contentIds: Readonly<Record<string, string>> = {
  'shift-questions-v2.png': 'shift-questions-v2',
  'db-2-week.png': 'disk-curve',
  'stand-front.png': 'stand-front',
  'stand-side.png': 'stand-side',
}

const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.zip': 'application/zip',
}

const contentOf = (name: string): AttachmentDraft['content'] => {
  const draw = drawn[name]
  if (draw !== undefined) return draw()
  // The text file has one line per paragraph of the PDF.
  if (name.endsWith('.pdf')) return createPdf(readText(`files/${name}.txt`).trim().split('\n'))
  const text = readText(`files/${name}`)
  return name.endsWith('.csv') ? text.replaceAll('\n', '\r\n') : text
}

function attachedFile(name: string): AttachmentDraft {
  const type = types[extname(name)]
  if (type === undefined) throw new Error(`The demo does not know what kind of file ${name} is.`)
  return { name, type, content: contentOf(name), cid: contentIds[name] }
}

const invitationIn = (name: string): string => readText(`files/${name}`).replaceAll('\n', '\r\n')

const letterOf = (letter: LetterBlock): LetterDraft => {
  const [replyTo, to, envelopeFrom] = [letter.text('Reply-To'), letter.list('To'), letter.text('Envelope-From')]
  const invitation = letter.text('Invitation')
  const handmade = byHand(letter)
  const draft: LetterDraft = {
    from: resolveCorrespondent(letter.needed('From')),
    to: to?.map(resolveCorrespondent),
    cc: letter.list('Cc')?.map(resolveCorrespondent),
    replyTo: replyTo === undefined ? undefined : resolveCorrespondent(replyTo),
    envelopeFrom: envelopeFrom === '<>' ? '' : envelopeFrom,
    subject: letter.text('Subject'),
    hoursLater: hoursLater(letter),
    authentication: authenticationOf(letter),
    ...(handmade === undefined ? bodiesOf(letter) : { byHand: handmade }),
    plain: letter.flag('Plain'),
    files: letter.list('Attach')?.map(attachedFile),
    invitation: invitation === undefined ? undefined : invitationIn(invitation),
  }
  letter.close()
  return draft
}

const conversation = (head: LetterBlock, parts: readonly LetterBlock[]): ThreadDraft => {
  const [first, ...rest] = parts.map(letterOf)
  if (first === undefined) return head.fail('has no letter')
  return {
    subject: head.needed('Subject'),
    labels: head.list('Labels') ?? [],
    unread: head.flag('Unread') ?? false,
    letters: [first, ...rest],
  }
}

const columns = ['name', 'domain', 'from', 'accent', 'paper', 'serif', 'address', 'leave'] as const
const brands = readTable('brands.csv', columns)

/** Unsubscribe methods of a brand: `click`, `mail`, `page`, or two joined by a plus. */
const unsubscribeMethods = (leave: string, domain: string): NonNullable<LetterDraft['mailing']> => {
  const ways = leave.split('+')
  const page = ways.some((way) => way === 'click' || way === 'page')
  return {
    listId: `news.${domain}`,
    unsubscribe: [
      ...(ways.includes('mail') ? [`mailto:leave@${domain}?subject=Unsubscribe`] : []),
      ...(page ? [`https://www.${domain}/unsubscribe?list=news`] : []),
    ],
    isOneClick: ways.includes('click'),
  }
}

const issueOf = (head: LetterBlock, items: readonly LetterBlock[]): MailingIssue => ({
  subject: head.needed('Subject'),
  preheader: head.needed('Preheader'),
  heading: head.needed('Heading'),
  intro: head.body,
  hero: head.text('Hero'),
  items: items.map((item) => {
    const read = {
      title: item.needed('Title'),
      text: item.body,
      link: item.needed('Link'),
      picture: item.text('Picture'),
      price: item.text('Price'),
    }
    item.close()
    return read
  }),
  closing: head.text('Closing'),
})

/** A brand's mailing: the head describes its top, each part is an item. Undefined if the head is of another kind. */
function mailing(head: LetterBlock, parts: readonly LetterBlock[]): ThreadDraft | undefined {
  const key = head.text('Mailing')
  if (key === undefined) return undefined
  const row = requireRow(brands, key, 'brand')
  const brand: Brand = { ...row, serif: row.serif === 'yes' }
  const issue = issueOf(head, parts)
  return {
    subject: issue.subject,
    labels: [],
    unread: head.flag('Unread') ?? false,
    letters: [
      {
        from: { name: brand.name, email: `${brand.from}@${brand.domain}` },
        text: renderMailingText(brand, issue),
        html: renderMailingHtml(brand, issue),
        mailing: unsubscribeMethods(row.leave, brand.domain),
        envelopeFrom: `bounce@mail.${brand.domain}`,
      },
    ],
  }
}

/** Parses the threads of a text in the format of `resources/demo/README.md`. @throws Error that names the fault */
export const parseThreadDrafts = (text: string): readonly ThreadDraft[] =>
  parseThreadBlocks(text).map(([head, ...parts]) => {
    const thread = mailing(head, parts) ?? createReceiptThread(head) ?? conversation(head, parts)
    head.close()
    return thread
  })

/** An automated notice as a panel: title, a table of the first paragraph's `Name: value` lines, then the rest. */
function noticeHtml(title: string, accent: string, body: string): string {
  const [table = '', note = ''] = body.split(/\n\n(.*)/s)
  const rows = table.split('\n').map((row) => {
    const [name = '', value = ''] = row.split(/: (.*)/)
    return `<tr><td style="color:#7a7068;padding-right:18px;white-space:nowrap" valign="top">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`
  })
  return `<html><body style="margin:0;background:#f4f4f2;font-family:Helvetica,Arial,sans-serif;color:#26221f"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:20px 8px"><table role="presentation" width="560" cellpadding="0" cellspacing="0" bgcolor="#ffffff"><tr><td style="padding:18px 24px;border-left:6px solid ${accent}"><h1 style="margin:0 0 12px 0;font-size:18px">${escapeHtml(title)}</h1><table cellpadding="0" cellspacing="0" style="font-size:14px;line-height:22px">${rows.join('')}</table><p style="margin:14px 0 0 0;font-size:14px;line-height:21px">${escapeHtml(note)}</p></td></tr></table></td></tr></table></body></html>`
}
