import { type Block, threadsIn } from './letter-blocks.ts'
import { attachedFile, invitationIn } from './attached-files.ts'
import { byHandIn } from './legacy-charset-letters.ts'
import { escapeHtml } from './letter-body.ts'
import { mailing } from './mailings.ts'
import { personOf } from './people.ts'
import { receipt } from './receipts.ts'
import { readText } from './resources.ts'
import { statusNotification } from './status-notification.ts'
import type { LetterDraft, ThreadDraft } from './thread-draft.ts'

const authentications = ['pass', 'fail', 'none'] as const

const authenticationOf = (letter: Block): LetterDraft['authentication'] => {
  const found = letter.text('Authentication')
  if (found === undefined) return undefined
  return authentications.find((result) => result === found) ?? letter.fail(`knows no authentication “${found}”`)
}

/** `1.5 hours` or `11 minutes`, in hours. */
const hoursLater = (letter: Block): number | undefined => {
  const written = letter.text('Later')
  if (written === undefined) return undefined
  const [, amount, unit] = /^(\d+(?:\.\d+)?) (hour|minute)s?$/.exec(written) ?? []
  if (amount === undefined) return letter.fail(`cannot be “${written}” later`)
  return unit === 'hour' ? Number(amount) : Number(amount) / 60
}

/** Builds the message itself where the composer cannot: in an old charset, or as a report of a mail server. */
const byHand = (letter: Block): LetterDraft['byHand'] => {
  const charset = letter.text('Charset')
  if (charset !== undefined) return byHandIn(charset, letter.body)
  const recipient = letter.text('Bounced')
  if (recipient === undefined) return undefined
  const [status, subject] = [letter.needed('Status'), letter.needed('Reported')]
  return statusNotification({ recipient, status, subject, reason: letter.body })
}

/** The two bodies. A notice has the table of a machine's mail made from its text. */
const bodiesOf = (letter: Block): Pick<LetterDraft, 'text' | 'html' | 'automatic' | 'quotes'> => {
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

const letterOf = (letter: Block): LetterDraft => {
  const [replyTo, to, envelopeFrom] = [letter.text('Reply-To'), letter.list('To'), letter.text('Envelope-From')]
  const invitation = letter.text('Invitation')
  const handmade = byHand(letter)
  const draft: LetterDraft = {
    from: personOf(letter.needed('From')),
    to: to?.map(personOf),
    cc: letter.list('Cc')?.map(personOf),
    replyTo: replyTo === undefined ? undefined : personOf(replyTo),
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

const conversation = (head: Block, parts: readonly Block[]): ThreadDraft => {
  const [first, ...rest] = parts.map(letterOf)
  if (first === undefined) return head.fail('has no letter')
  return {
    subject: head.needed('Subject'),
    labels: head.list('Labels') ?? [],
    unread: head.flag('Unread') ?? false,
    letters: [first, ...rest],
  }
}

/** The threads of a text in the form that `resources/demo/README.md` describes. @throws Error that names what is wrong */
export const threadDrafts = (text: string): readonly ThreadDraft[] =>
  threadsIn(text).map(([head, ...parts]) => {
    const thread = mailing(head, parts) ?? receipt(head) ?? conversation(head, parts)
    head.close()
    return thread
  })

/** A machine's notice as a panel: its title, a table of the lines `Name: value` of the first paragraph, and the rest below. */
function noticeHtml(title: string, accent: string, body: string): string {
  const [table = '', note = ''] = body.split(/\n\n(.*)/s)
  const rows = table.split('\n').map((row) => {
    const [name = '', value = ''] = row.split(/: (.*)/)
    return `<tr><td style="color:#7a7068;padding-right:18px;white-space:nowrap" valign="top">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`
  })
  return `<html><body style="margin:0;background:#f4f4f2;font-family:Helvetica,Arial,sans-serif;color:#26221f"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:20px 8px"><table role="presentation" width="560" cellpadding="0" cellspacing="0" bgcolor="#ffffff"><tr><td style="padding:18px 24px;border-left:6px solid ${accent}"><h1 style="margin:0 0 12px 0;font-size:18px">${escapeHtml(title)}</h1><table cellpadding="0" cellspacing="0" style="font-size:14px;line-height:22px">${rows.join('')}</table><p style="margin:14px 0 0 0;font-size:14px;line-height:21px">${escapeHtml(note)}</p></td></tr></table></td></tr></table></body></html>`
}
