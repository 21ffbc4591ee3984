import type { MailKind } from '../../../shared/thread-query.ts'
import { parsePerson } from './searchable-email.ts'

/** Headers by name, in any case. Repeated headers are joined by commas. */
export type MailHeaders = Readonly<Record<string, string>>

/**
 * Type of author of an incoming e-mail. `autoReply`: out-of-office notes, ticket acknowledgements and read receipts;
 * `bounce`: delivery reports; `program`: notifications.
 */
export type MailAuthor = 'person' | 'newsletter' | 'program' | 'autoReply' | 'bounce'

interface IncomingEmail {
  readonly from: string
  readonly subject: string | null
  /** Null if unknown: only e-mails in the account's received list have headers. */
  readonly headers: MailHeaders | null
}

/** Maximum characters examined of a header, address or subject. */
const READ_LENGTH = 1_000

const NEWSLETTER_SENDERS: ReadonlySet<string> = new Set(['newsletter', 'newsletters', 'news', 'digest'])
const NOTIFIERS: ReadonlySet<string> = new Set(['notification', 'notifications', 'notify'])
/** Senders of delivery reports (RFC 5321, 4.5.5 and RFC 2142). Exchange uses its own address. */
const DELIVERY_REPORT_SENDER = /^(?:mailerdaemon|maildaemon|postmaster|microsoftexchange[\da-f]{8,})$/
const NO_REPLY = /^(?:no|donot)reply|(?:no|donot)reply$/
/** Return addresses that bulk senders use (VERP). */
const RETURN_ADDRESS = /^bounces?(?:$|[-_.+=\d])/

/** Headers that only auto-responders set. */
const AUTO_REPLY_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply'] as const

/** Subjects of automatic replies from mail servers and calendars, such as out-of-office messages. */
const AUTO_REPLY_SUBJECT = new RegExp(
  `^(?:${[
    'auto(?:matic)?[- ]?(?:reply|response)',
    '(?:out of|away from) (?:the )?office',
    '[^:]{1,60} is out of (?:the )?office',
    'automatische antwort',
    'abwesenheits(?:notiz|meldung)',
    'r[ée]ponse automatique',
    'absen(?:ce|te?) du bureau',
    'respuesta autom[áa]tica',
    'fuera de (?:la )?oficina',
    'resposta autom[áa]tica',
    'fora do escrit[óo]rio',
    'risposta automatica',
    'fuori (?:sede|ufficio)',
    'automatisch antwoord',
    'afwezigheid',
    'auto(?:matiskt? )?svar',
    'automaattinen vastaus',
    'automatyczna odpowied[źz]',
    'automatick[áa] odpov[ěe][ďd]',
    'automatikus v[áa]lasz',
    'otomatik yan[ıi]t',
    'автоматический ответ|автоответ',
    '自動返信|自动(?:回复|答复)|자동 회신',
  ].join('|')})`,
  'iu',
)

const BOUNCE_SUBJECT = new RegExp(
  `^(?:${[
    'undeliver(?:able|ed)\\b',
    'delivery (?:status notification|has failed)',
    'mail delivery (?:failed|failure|system)',
    'returned mail:',
    'failure notice$',
    'unzustellbar:',
  ].join('|')})`,
  'iu',
)

const localPart = (from: string): string => {
  const { address } = parsePerson(from.slice(0, READ_LENGTH))
  const at = address.lastIndexOf('@')
  return (at === -1 ? address : address.slice(0, at)).trim().toLowerCase()
}

const authorByAddress = (from: string): MailAuthor => {
  const local = localPart(from)
  // A plus sign starts an address tag.
  const name = (local.split('+', 1)[0] ?? '').replace(/[-_.]/g, '')
  if (DELIVERY_REPORT_SENDER.test(name)) return 'bounce'
  if (NO_REPLY.test(name) || NOTIFIERS.has(name) || RETURN_ADDRESS.test(local)) return 'program'
  return NEWSLETTER_SENDERS.has(name) ? 'newsletter' : 'person'
}

/** Parsed headers. `valuesOf` returns a header's values in lower case, without parameters and comments. */
const parseHeaders = (headers: MailHeaders) => {
  const known = new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.slice(0, READ_LENGTH).trim().toLowerCase(),
    ]),
  )
  const valuesOf = (name: string): readonly string[] =>
    (known.get(name) ?? '').split(',').flatMap((value) => {
      const word = (value.split(/[;(]/, 1)[0] ?? '').trim()
      return word === '' ? [] : [word]
    })
  return { known, valuesOf }
}

/**
 * Determines the author from the headers (RFC 3834, 3464, 8098, 2919) and the sender. An automatic reply remains one
 * when a mailing list passes it on. Never throws: senders can put anything in headers.
 */
const authorByHeaders = (from: string, headers: MailHeaders): MailAuthor => {
  const byAddress = authorByAddress(from)
  const { known, valuesOf } = parseHeaders(headers)
  const submitted = valuesOf('auto-submitted')
  const precedence = valuesOf('precedence')
  const contentType = known.get('content-type') ?? ''
  if (contentType.startsWith('multipart/report')) {
    if (contentType.includes('disposition-notification')) return 'autoReply'
    return contentType.includes('feedback-report') ? 'program' : 'bounce'
  }
  if (known.has('x-failed-recipients')) return 'bounce'
  const returnPath = known.get('return-path')
  const isAutoReply =
    returnPath === '' ||
    returnPath === '<>' ||
    submitted.some((value) => value.startsWith('auto-replied')) ||
    precedence.includes('auto_reply') ||
    AUTO_REPLY_HEADERS.some((name) => known.has(name))
  if (isAutoReply) return byAddress === 'bounce' ? 'bounce' : 'autoReply'
  const isOfList =
    known.has('list-id') ||
    known.has('list-unsubscribe') ||
    precedence.some((value) => value === 'bulk' || value === 'list')
  if (isOfList) return 'newsletter'
  const isAutomatic =
    submitted.some((value) => value !== 'no') || known.has('x-auto-response-suppress') || precedence.includes('junk')
  if (!isAutomatic || byAddress === 'bounce') return byAddress
  // Exchange, in every language, and ticket systems mark their automatic replies like this.
  return submitted.includes('auto-generated') && known.has('in-reply-to') ? 'autoReply' : 'program'
}

/** True if the mailing list accepts posts, which means that it has an address for them (RFC 2369). */
const isDiscussion = (headers: MailHeaders): boolean =>
  parseHeaders(headers)
    .valuesOf('list-post')
    .some((value) => value.startsWith('<mailto:'))

const KINDS: Readonly<Record<MailAuthor, MailKind>> = {
  person: 'person',
  newsletter: 'newsletter',
  program: 'robot',
  autoReply: 'robot',
  bounce: 'robot',
}

/** Kind of an incoming e-mail, as used by `is:`. Mailing-list mail counts as a newsletter, whoever wrote it. */
export const detectMailKind = (from: string, headers: MailHeaders | null): MailKind =>
  KINDS[headers === null ? authorByAddress(from) : authorByHeaders(from, headers)]

/**
 * Author of an incoming e-mail. The subject can only reveal automatic mail, and only by starting with a known phrase.
 */
export const detectMailAuthor = ({ from, subject, headers }: IncomingEmail): MailAuthor => {
  const author = headers === null ? authorByAddress(from) : authorByHeaders(from, headers)
  const title = (subject ?? '').slice(0, READ_LENGTH).trim()
  if (author === 'bounce' || author === 'autoReply') return author
  if (AUTO_REPLY_SUBJECT.test(title)) return 'autoReply'
  if (BOUNCE_SUBJECT.test(title)) return 'bounce'
  const isPersonOnList =
    author === 'newsletter' && headers !== null && isDiscussion(headers) && authorByAddress(from) === 'person'
  return isPersonOnList ? 'person' : author
}
