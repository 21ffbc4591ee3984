import type { Email } from './model.ts'
import { haveSameRecipients, mailboxKey, parseRecipients, dedupeRecipients } from './recipients.ts'
import type { ReplyRecipients, Recipient } from './drafts.ts'
import { DRAFT_BOUNDS, MESSAGE_LIMITS } from './message-limits.ts'

export type AnsweredEmail = Pick<Email, 'direction' | 'from' | 'to' | 'cc' | 'replyTo'>

/** Keeps an address that can't be parsed, so no recipient is silently dropped or guessed. */
const peopleOf = (entries: readonly string[]): readonly Recipient[] =>
  entries.flatMap((entry) => {
    const { recipients, unclear } = parseRecipients(entry)
    return [
      ...recipients,
      ...unclear.map((address) => ({ name: null, address: address.slice(0, DRAFT_BOUNDS.address) })),
    ]
  })

/**
 * The platform's own rule (platform.md 13.2): the Reply-To or else the author; for an e-mail sent by the inbox, its To.
 */
export const resolvePlatformRecipients = ({ direction, from, to, replyTo }: AnsweredEmail): readonly Recipient[] =>
  dedupeRecipients(peopleOf(direction === 'outbound' ? to : replyTo.length > 0 ? replyTo : [from]))

/**
 * Recipients of a reply: those that the platform would use, without the user's own inboxes unless nobody else is left.
 * If Reply-To contains only own inboxes, the author. Reply all adds everyone else in To and Cc except own inboxes, and
 * never Bcc.
 * @param own addresses of the user's inboxes
 */
export const resolveReplyRecipients = (
  email: AnsweredEmail,
  own: readonly string[],
  isToAll: boolean,
): ReplyRecipients => {
  const ownKeys = new Set(own.map(mailboxKey))
  const isOther = ({ address }: Recipient): boolean => !ownKeys.has(mailboxKey(address))
  const named = resolvePlatformRecipients(email)
  const others = named.filter(isOther)
  const author = email.direction === 'outbound' ? named : peopleOf([email.from])
  const first = others.length > 0 ? others : author
  if (!isToAll) return { to: first, cc: [] }
  const everyone = dedupeRecipients(
    peopleOf([...email.to, ...email.cc]),
    first.map(({ address }) => address),
  )
  return { to: first, cc: everyone.filter(isOther) }
}

/**
 * The author alone, if a normal reply would go elsewhere. Mailing lists put their own address in Reply-To; lists that
 * also use their own address in From put the author in Reply-To.
 * @param own addresses of the user's inboxes
 * @returns null if a reply goes to the author anyway, or if the author is unknown
 */
export const resolveAuthorRecipient = (email: AnsweredEmail, own: readonly string[]): ReplyRecipients | null => {
  if (email.direction === 'outbound') return null
  const addressed = peopleOf([...email.to, ...email.cc]).map(({ address }) => address)
  const others = new Set([...own, ...addressed].map(mailboxKey))
  const isAuthor = ({ address }: Recipient): boolean => !others.has(mailboxKey(address))
  const sender = peopleOf([email.from])
  const author = dedupeRecipients(sender.every(isAuthor) ? sender : peopleOf(email.replyTo).filter(isAuthor))
  const isAnswered = haveSameRecipients(author, resolveReplyRecipients(email, own, false).to)
  return author.length === 0 || isAnswered ? null : { to: author, cc: [] }
}

/** Reply prefixes in the languages of common mail programs: `AW:`, `回复：`, `Re[2]:`. */
const REPLY =
  're|r|aw|antw|antwort|sv|vs|vá|odp|odg|res|resp|rif|ynt|bls|atb|απ|отв|השב|رد|回复|回覆|答复|答覆|返信|답장|회신'
const FORWARD = 'fwd?|wg|tr|i|enc|rv|vb|pd|doorst|vl|ilt|转发|轉寄|転送|전달'
// No two parts of the pattern match the same white space, so it takes linear time on untrusted subjects.
const prefixPattern = (names: string): string => String.raw`\s*(?:${names})\s*(?:[[(]\d+[\])]\s*)?[:：]`
const REPLY_MARK = new RegExp(`^${prefixPattern(REPLY)}`, 'iu')
const FORWARD_MARK = new RegExp(`^${prefixPattern(FORWARD)}`, 'iu')
const ALL_MARKS = new RegExp(String.raw`^(?:${prefixPattern(`${REPLY}|${FORWARD}`)})+\s*`, 'iu')

export const stripSubjectPrefixes = (subject: string): string => subject.replace(ALL_MARKS, '')

const withPrefix = (prefix: string, present: RegExp, subject: string | null): string => {
  const text = (subject ?? '').trim()
  return (present.test(text) ? text : `${prefix} ${text}`.trim()).slice(0, MESSAGE_LIMITS.subject)
}

/** The thread's subject with `Re:` added, unless it already has a reply prefix. */
export const toReplySubject = (subject: string | null): string => withPrefix('Re:', REPLY_MARK, subject)

/** The platform's reply subject. The platform recognises only `Re:` (platform.md 13.3). */
export const toPlatformReplySubject = (subject: string | null): string => withPrefix('Re:', /^re\s*:/i, subject)

/** The thread's subject with `Fwd:` added, unless it already has a forward prefix. */
export const toForwardSubject = (subject: string | null): string => withPrefix('Fwd:', FORWARD_MARK, subject)
