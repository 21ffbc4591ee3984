import MailComposer from 'nodemailer/lib/mail-composer'
import type { DemoFolder, DemoMessage, DemoThread } from './demo-mailbox-types.ts'
import { appendQuotedHtml, type LetterBody, textToHtml, appendQuotedText } from './letter-body.ts'
import { generateMessageDates, replaceDatePlaceholders } from './mail-dates.ts'
import { inboxAddress, mailboxIndex } from './mailbox-index.ts'
import type { Correspondent } from './people.ts'
import { Random } from '../random.ts'
import type { AttachmentDraft, LetterDraft, ThreadDraft } from './thread-draft.ts'

interface ThreadPlace {
  readonly folder: DemoFolder
  readonly last: Date
  readonly now: Date
}

const supportSender: Correspondent = { name: mailboxIndex.inbox.fromName, email: inboxAddress }

const isOutbound = (letter: LetterDraft): boolean => letter.from.email === inboxAddress

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

const toAddress = ({ name, email }: Correspondent): string | { name: string; address: string } =>
  name === null ? email : { name, address: email }

/** Authentication results of the receiving server, as RFC 8601 writes them. */
const authenticationResults = (letter: LetterDraft, envelopeFrom: string): string => {
  const result = letter.authentication ?? 'pass'
  const domain = domainOf(letter.from.email)
  return `mx.larkspur.example; spf=${result} smtp.mailfrom=${envelopeFrom === '' ? `postmaster@${domain}` : envelopeFrom}; dkim=${result} header.d=${domain}; dmarc=${result === 'none' ? 'none' : result} header.from=${domain}`
}

/** Headers that servers add in transit, so only for received mail. */
const journeyOf = (letter: LetterDraft, envelopeFrom: string, date: Date, random: Random): readonly string[] => {
  const domain = domainOf(envelopeFrom === '' ? letter.from.email : envelopeFrom)
  const network = random.pick(['192.0.2', '198.51.100', '203.0.113'])
  const stamp = (secondsBefore: number): string =>
    new Date(date.getTime() + (8 - secondsBefore) * 1000).toUTCString().replace('GMT', '+0000')
  return [
    `Return-Path: <${envelopeFrom}>`,
    `Received: from mx.larkspur.example (mx.larkspur.example [203.0.113.25]) by store-2.larkspur.example with LMTP id ${random.token(12)} for <${inboxAddress}>; ${stamp(4)}`,
    `Received: from out-${random.whole(1, 9)}.${domain} (out.${domain} [${network}.${random.whole(2, 250)}]) by mx.larkspur.example with ESMTPS id ${random.token(10)} for <${inboxAddress}>; ${stamp(6)}`,
    `Authentication-Results: ${authenticationResults(letter, envelopeFrom)}`,
  ]
}

const headerRows = (lines: readonly string[]): { key: string; value: string }[] =>
  lines.map((line) => {
    const colon = line.indexOf(': ')
    return { key: line.slice(0, colon), value: line.slice(colon + 2) }
  })

const programs = [
  'Apple Mail (2.3826.300.87)',
  'Thunderbird 145.0',
  'iPhone Mail (23B85)',
  'Outlook 16.0',
  'K-9 Mail for Android',
] as const

const customHeaders = (
  letter: LetterDraft,
  journey: readonly string[],
  random: Random,
): { key: string; value: string }[] => [
  ...headerRows(journey),
  ...(letter.mailing === undefined
    ? []
    : [
        { key: 'List-Id', value: `<${letter.mailing.listId}>` },
        { key: 'List-Unsubscribe', value: letter.mailing.unsubscribe.map((uri) => `<${uri}>`).join(', ') },
        ...(letter.mailing.isOneClick ? [{ key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' }] : []),
        { key: 'Precedence', value: 'bulk' },
      ]),
  ...(letter.automatic === true ? [{ key: 'Auto-Submitted', value: 'auto-generated' }] : []),
  ...(letter.automatic === true || letter.mailing !== undefined || isOutbound(letter)
    ? []
    : [{ key: 'X-Mailer', value: random.pick(programs) }]),
]

const fileBytes = (file: AttachmentDraft, fill: (text: string) => string): Buffer =>
  typeof file.content === 'string'
    ? Buffer.from(fill(file.content))
    : Buffer.from(typeof file.content === 'function' ? file.content(fill) : file.content)

const document = (fragment: string): string =>
  /<html/i.test(fragment)
    ? fragment
    : `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>\n${fragment}\n</body></html>`

const attributionOf = (letter: LetterDraft, date: Date): string => {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ')
  const name = letter.from.name === null ? '' : `${letter.from.name} `
  return `On ${weekday ?? ''}, ${day ?? ''} ${month ?? ''} ${year ?? ''} at ${(time ?? '').slice(0, 5)}, ${name}<${letter.from.email}> wrote:`
}

const bodyOf = (letter: LetterDraft, fill: (text: string) => string, textOnly: boolean, date: Date): LetterBody => {
  const signature = letter.from.signature === undefined ? '' : `\n\n-- \n${letter.from.signature}`
  const text = fill((letter.text ?? '').trim()) + signature
  const own = letter.html === undefined ? null : fill(letter.html)
  return {
    text,
    html: own ?? (textOnly ? null : `<div dir="auto">\n${textToHtml(text)}\n</div>`),
    attribution: attributionOf(letter, date),
  }
}

/** Default recipient of an outbound letter: the latest sender, at their Reply-To address. */
const recipientsOf = (letter: LetterDraft, earlier: readonly DatedLetter[]): readonly Correspondent[] => {
  if (letter.to !== undefined) return letter.to
  if (!isOutbound(letter)) return [supportSender]
  const theirs = earlier.findLast((other) => !isOutbound(other.letter))?.letter
  if (theirs === undefined) throw new Error('The first letter of a thread that the inbox begins names its recipients.')
  return [theirs.replyTo ?? theirs.from]
}

interface DatedLetter {
  readonly letter: LetterDraft
  readonly date: Date
  readonly messageId: string
  readonly body: LetterBody
}

const datedLetters = (draft: ThreadDraft, place: ThreadPlace, random: Random): readonly DatedLetter[] => {
  const gaps = draft.letters.slice(1).map((letter) => letter.hoursLater ?? null)
  const dates = generateMessageDates(place.now, place.last, gaps, random)
  return draft.letters.map((letter, index) => {
    const date = dates[index] ?? place.last
    const messageId = `<${random.token(10)}.${random.token(16)}@${domainOf(letter.from.email)}>`
    const textOnly = letter.plain ?? (letter.html === undefined && random.chance(0.25))
    return {
      letter,
      date,
      messageId,
      body: bodyOf(letter, (text) => replaceDatePlaceholders(text, date), textOnly, date),
    }
  })
}

const replySubject = (subject: string): string => (subject === '' || /^re:/i.test(subject) ? subject : `Re: ${subject}`)

const composeMessage = (
  { letter, date, messageId, body }: DatedLetter,
  earlier: readonly DatedLetter[],
  subject: string,
  journey: readonly string[],
  random: Random,
): Promise<Uint8Array> => {
  const fill = (text: string): string => replaceDatePlaceholders(text, date)
  const references = earlier.map((other) => other.messageId)
  const quoted = (letter.quotes ?? random.chance(0.7)) ? earlier.map((other) => other.body).reverse() : []
  return new MailComposer({
    from: toAddress(letter.from),
    to: recipientsOf(letter, earlier).map(toAddress),
    cc: (letter.cc ?? []).map(toAddress),
    ...(letter.replyTo === undefined ? {} : { replyTo: toAddress(letter.replyTo) }),
    subject: letter.subject ?? (earlier.length === 0 ? subject : replySubject(subject)),
    date,
    messageId,
    ...(references.length === 0 ? {} : { inReplyTo: references.at(-1), references }),
    headers: customHeaders(letter, journey, random),
    ...(body.text === '' ? {} : { text: appendQuotedText(body.text, quoted) }),
    ...(body.html === null ? {} : { html: document(appendQuotedHtml(body.html, quoted)) }),
    ...(letter.invitation === undefined ? {} : { icalEvent: { method: 'REQUEST', content: fill(letter.invitation) } }),
    attachments: (letter.files ?? []).map((file) => ({
      filename: fill(file.name),
      contentType: file.type,
      content: fileBytes(file, fill),
      ...(file.cid === undefined ? {} : { cid: file.cid }),
    })),
    baseBoundary: random.token(20),
    newline: 'win',
    disableUrlAccess: true,
    disableFileAccess: true,
  })
    .compile()
    .build()
}

/** Adds dates, IDs, threading headers, bodies, quotes and attachments. The same draft and place give the same bytes. */
export async function buildDemoThread(draft: ThreadDraft, place: ThreadPlace): Promise<DemoThread> {
  const [first] = draft.letters
  const letters = datedLetters(
    draft,
    place,
    new Random(`${place.folder}/${draft.subject}/${first.from.email}/${first.text ?? ''}`),
  )
  const subject = replaceDatePlaceholders(draft.subject, letters[0]?.date ?? place.last)
  const lastOwn = draft.letters.findLastIndex(isOutbound)

  const messages = letters.map(async (dated, index): Promise<DemoMessage> => {
    const { letter, date, messageId } = dated
    const random = new Random(messageId)
    const earlier = letters.slice(0, index)
    const envelopeFrom = letter.envelopeFrom ?? letter.from.email
    const outbound = isOutbound(letter)
    const journey = outbound ? [] : journeyOf(letter, envelopeFrom, date, random)
    const recipients = [...recipientsOf(letter, earlier), ...(letter.cc ?? [])]
    return {
      raw:
        letter.byHand === undefined
          ? await composeMessage(dated, earlier, subject, journey, random)
          : letter.byHand({ messageId, references: earlier.map((other) => other.messageId), date, journey }),
      direction: outbound ? 'outbound' : 'inbound',
      envelopeFrom,
      envelopeTo: outbound ? recipients.map(({ email }) => email) : [inboxAddress],
      read: !(draft.unread && index > lastOwn),
    }
  })
  return { folder: place.folder, labels: draft.labels, messages: await Promise.all(messages) }
}
