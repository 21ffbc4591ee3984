import type { Mailbox } from '../mail/addresses.ts'
import type { ParsedMessage } from '../mail/parse-message.ts'
import { buildInboundEmail } from '../mail/deliver.ts'
import { buildOutboundEmail } from '../mail/outbound-email.ts'
import { toReplySubject } from '../mail/subjects.ts'
import { rememberReferences } from '../mail/threading.ts'
import type { Platform } from '../platform.ts'
import { insertEmail } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { type Folder, insertThread, purgeTime, refreshThread, setThreadFolder } from '../storage/threads.ts'
import { Random } from '../random.ts'

const hour = 60 * 60 * 1000
/** Rows per transaction: enough for speed, few enough to keep the journal small. */
const batch = 5000
/** Average milliseconds between threads. The newest thread is a few minutes old. */
const spacing = 0.4 * hour

const words = (
  'account address agenda amount answer archive backup balance battery board booking branch bridge budget button cable ' +
  'calendar camera candle carrier charge chart circle city client clock cloud coffee colour column contract copy corner ' +
  'country course credit current customer cycle data deadline delay delivery design detail device discount document ' +
  'draft drawing driver edition engine entry error estimate event example export factory feature field figure filter ' +
  'flight folder forest format frame garden glass group guide harbour history holiday hotel hour house idea image index ' +
  'invoice island journey kitchen language laptop layout lesson letter level library licence light list machine manual ' +
  'margin market meeting member memory message method migration minute model module moment morning museum network note ' +
  'notice number offer office option order outline package page paper parcel password payment period phone photo plan ' +
  'platform policy portal price printer problem product profile project proposal question quote rail receipt record ' +
  'refund region release reminder renewal repair report request result review river road room route sample schedule ' +
  'screen season server service session shelf shipment signal sketch snow socket source station stock storage story ' +
  'street student subject summary supply support survey switch system table target team template ticket topic total ' +
  'tower track trade train transfer update upgrade usage user valley value version video village visit voucher wallet ' +
  'warehouse water weather website week window winter word workshop yard year zone'
).split(' ')
const firstNames =
  'Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jan Kim Lena Milo Nora Omar Pia Quin Rosa Sam Tara Uma Vito Wes Yara Zoe'.split(
    ' ',
  )
const lastNames =
  'Abel Brandt Costa Duarte Ekman Fischer Garcia Haddad Ito Jansen Kowalska Lindholm Moreau Novak Okafor Petrov Rossi Sato'.split(
    ' ',
  )

const folderShares: readonly (readonly [Folder, number])[] = [
  ['inbox', 55],
  ['archive', 35],
  ['sent', 4],
  ['spam', 4],
  ['trash', 2],
]

/**
 * Fills an inbox with plain threads of one to four e-mails, reproducible by count, seed and time. Rows are built along
 * with the raw messages rather than parsed from them, so 100,000 threads take less than a minute. A test compares the
 * built rows with parsed ones.
 */
export function generateThreads(platform: Platform, inbox: InboxRow, count: number, seed: number): void {
  const random = new Random(seed)
  const labels = platform.db
    .all<{ seq: number }>('SELECT seq FROM labels WHERE inbox_seq = ? ORDER BY seq', inbox.seq)
    .map(({ seq }) => seq)
  for (let first = 0; first < count; first += batch) {
    platform.db.transaction(() => {
      for (let index = first; index < Math.min(count, first + batch); index++) {
        storeThread(platform, inbox, labels, random, platform.now() - (index + random.next()) * spacing)
      }
    })
  }
}

function storeThread(
  platform: Platform,
  inbox: InboxRow,
  labels: readonly number[],
  random: Random,
  lastTime: number,
): void {
  const { db } = platform
  const folder = pickFolder(random)
  const subject = capitalize(phrase(random, 2, 6))
  const person = pickPerson(random)
  const own: Mailbox = { name: inbox.from_name ?? '', address: inbox.email_address }
  const threadSeq = insertThread(db, { id: random.uuid(), inboxSeq: inbox.seq, folder, subject })
  const emails = random.next() < 0.6 ? 1 : 1 + random.below(4)
  const isUnread = folder === 'inbox' && random.next() < 0.2
  let references: readonly string[] = []
  for (let position = 0; position < emails; position++) {
    const isOutbound = folder === 'sent' || position % 2 === 1
    const made = makeMessage(random, {
      from: isOutbound ? own : person,
      to: isOutbound ? person : own,
      subject: position === 0 ? subject : toReplySubject(subject),
      references,
      // A Date header has a resolution of one second.
      time: Math.floor((lastTime - (emails - 1 - position) * hour * 3) / 1000) * 1000,
    })
    const mail = {
      raw: made.raw,
      message: made.message,
      envelopeFrom: isOutbound ? own.address : person.address,
      envelopeTo: [isOutbound ? person.address : own.address],
      receivedAt: made.message.date ?? lastTime,
      read: !(isUnread && position === emails - 1),
    }
    const place = { inbox: inbox.seq, thread: threadSeq }
    const email = isOutbound
      ? buildOutboundEmail(platform, mail, place)
      : buildInboundEmail(platform, mail, mail.envelopeTo, place)
    insertEmail(db, { ...email, id: random.uuid(), indexId: random.uuid(), storedAt: 0 })
    rememberReferences(db, inbox.seq, threadSeq, made.message)
    references = made.message.messageId === null ? references : [made.message.messageId, ...references]
  }
  const label = labels[random.below(labels.length * 3)]
  if (label !== undefined) db.run('INSERT INTO thread_labels (thread_seq, label_seq) VALUES (?, ?)', threadSeq, label)
  refreshThread(db, threadSeq)
  setThreadFolder(db, threadSeq, folder, purgeTime(folder, platform.now()))
}

interface MessageFacts {
  readonly from: Mailbox
  readonly to: Mailbox
  readonly subject: string
  /** Closest first. */
  readonly references: readonly string[]
  /** Milliseconds since 1970. */
  readonly time: number
}

const boundary = 'part-of-a-generated-message'
const plainText = 'text/plain; charset=utf-8'

function makeMessage(random: Random, facts: MessageFacts): { readonly raw: Buffer; readonly message: ParsedMessage } {
  const messageId = `<${random.uuid()}@generated.example>`
  const text = `${capitalize(phrase(random, 8, 40))}.\n\n${capitalize(phrase(random, 8, 60))}.\n`
  const attachment =
    random.next() < 0.1 ? { filename: `${phrase(random, 1, 1)}.txt`, content: phrase(random, 3, 12) } : null
  const written = (mailbox: Mailbox): string =>
    mailbox.name === '' ? mailbox.address : `${mailbox.name} <${mailbox.address}>`
  const headers: readonly (readonly [string, string])[] = [
    ['Message-ID', messageId],
    ['Date', new Date(facts.time).toUTCString().replace('GMT', '+0000')],
    ['From', written(facts.from)],
    ['To', written(facts.to)],
    ['Subject', facts.subject],
    ...(facts.references.length === 0
      ? []
      : ([
          ['In-Reply-To', facts.references[0] ?? ''],
          ['References', facts.references.toReversed().join(' ')],
        ] as const)),
    ['MIME-Version', '1.0'],
    ['Content-Type', attachment ? `multipart/mixed; boundary="${boundary}"` : plainText],
  ]
  const body = attachment === null ? text : multipart(text, attachment)
  const raw = `${headers.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${body}`
  return {
    raw: Buffer.from(raw.replaceAll('\n', '\r\n')),
    message: {
      messageId,
      references: facts.references,
      date: facts.time,
      subject: facts.subject,
      from: facts.from,
      to: [facts.to],
      cc: [],
      bcc: [],
      replyTo: [],
      text,
      html: null,
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      attachments:
        attachment === null
          ? []
          : [
              {
                filename: attachment.filename,
                contentType: 'text/plain',
                contentDisposition: 'attachment',
                contentId: null,
                size: attachment.content.length,
                isInline: false,
              },
            ],
    },
  }
}

function multipart(
  text: string,
  { filename, content }: { readonly filename: string; readonly content: string },
): string {
  return [
    `--${boundary}`,
    `Content-Type: ${plainText}`,
    '',
    text,
    `--${boundary}`,
    `Content-Type: text/plain; name="${filename}"`,
    `Content-Disposition: attachment; filename="${filename}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64'),
    `--${boundary}--`,
    '',
  ].join('\n')
}

function pickFolder(random: Random): Folder {
  let rest = random.below(100)
  for (const [folder, share] of folderShares) {
    if (rest < share) return folder
    rest -= share
  }
  return 'inbox'
}

function pickPerson(random: Random): Mailbox {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  return { name: `${first} ${last}`, address: `${first}.${last}@company${random.below(40)}.example`.toLowerCase() }
}

function phrase(random: Random, least: number, most: number): string {
  return Array.from({ length: least + random.below(most - least + 1) }, () => random.pick(words)).join(' ')
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
