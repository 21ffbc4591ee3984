import type { Email } from './model.ts'
import { areSame, mailboxKey, parseRecipients, withoutRepeats } from './recipients.ts'
import type { AnswerRecipients, Recipient } from './writing.ts'
import { DRAFT_BOUNDS, WRITING_LIMITS } from './writing-limits.ts'

/** What of an e-mail says who an answer goes to. */
export type AnsweredEmail = Pick<Email, 'direction' | 'from' | 'to' | 'cc' | 'replyTo'>

/** What cannot be read as an address stands there as it is: nobody is left out without a word, and nobody is guessed. */
const peopleOf = (entries: readonly string[]): readonly Recipient[] =>
  entries.flatMap((entry) => {
    const { recipients, unclear } = parseRecipients(entry)
    return [
      ...recipients,
      ...unclear.map((address) => ({ name: null, address: address.slice(0, DRAFT_BOUNDS.address) })),
    ]
  })

/** Whom the platform's own reply goes to (platform facts 3.5): the author, or who Reply-To names; of an e-mail that the inbox sent, its To. */
export const platformRecipients = ({ direction, from, to, replyTo }: AnsweredEmail): readonly Recipient[] =>
  withoutRepeats(peopleOf(direction === 'outbound' ? to : replyTo.length > 0 ? replyTo : [from]))

/**
 * Whom an answer goes to: those of the platform's own rule, without the person's own inboxes where somebody else is left.
 * Where a Reply-To names them alone, it is the author. To all adds everyone in To and Cc but those inboxes, and never those
 * in Bcc.
 * @param own addresses of the person's inboxes
 */
export const answerRecipients = (email: AnsweredEmail, own: readonly string[], isToAll: boolean): AnswerRecipients => {
  const ownKeys = new Set(own.map(mailboxKey))
  const isOther = ({ address }: Recipient): boolean => !ownKeys.has(mailboxKey(address))
  const named = platformRecipients(email)
  const others = named.filter(isOther)
  const author = email.direction === 'outbound' ? named : peopleOf([email.from])
  const first = others.length > 0 ? others : author
  if (!isToAll) return { to: first, cc: [] }
  const everyone = withoutRepeats(
    peopleOf([...email.to, ...email.cc]),
    first.map(({ address }) => address),
  )
  return { to: first, cc: everyone.filter(isOther) }
}

/**
 * Who wrote an e-mail, and nobody else, where an answer goes elsewhere: a mailing list names itself in Reply-To. One that
 * names itself in From too tells of the author in Reply-To.
 * @param own addresses of the person's inboxes
 * @returns null where an answer goes to the author anyway, and where nobody can tell who that is
 */
export const authorAlone = (email: AnsweredEmail, own: readonly string[]): AnswerRecipients | null => {
  if (email.direction === 'outbound') return null
  const addressed = peopleOf([...email.to, ...email.cc]).map(({ address }) => address)
  const others = new Set([...own, ...addressed].map(mailboxKey))
  const isAuthor = ({ address }: Recipient): boolean => !others.has(mailboxKey(address))
  const sender = peopleOf([email.from])
  const author = withoutRepeats(sender.every(isAuthor) ? sender : peopleOf(email.replyTo).filter(isAuthor))
  const isAnswered = areSame(author, answerRecipients(email, own, false).to)
  return author.length === 0 || isAnswered ? null : { to: author, cc: [] }
}

/** Marks of a reply in the languages of common mail programs: `AW:`, `回复：`, `Re[2]:`. */
const REPLY =
  're|r|aw|antw|antwort|sv|vs|vá|odp|odg|res|resp|rif|ynt|bls|atb|απ|отв|השב|رد|回复|回覆|答复|答覆|返信|답장|회신'
const FORWARD = 'fwd?|wg|tr|i|enc|rv|vb|pd|doorst|vl|ilt|转发|轉寄|転送|전달'
// No two parts match the same white space: the time is linear in a stranger's subject.
const marked = (names: string): string => String.raw`\s*(?:${names})\s*(?:[[(]\d+[\])]\s*)?[:：]`
const REPLY_MARK = new RegExp(`^${marked(REPLY)}`, 'iu')
const FORWARD_MARK = new RegExp(`^${marked(FORWARD)}`, 'iu')
const ALL_MARKS = new RegExp(String.raw`^(?:${marked(`${REPLY}|${FORWARD}`)})+\s*`, 'iu')

/** A subject without the marks of replies and forwards in front of it. */
export const bareSubject = (subject: string): string => subject.replace(ALL_MARKS, '')

const prefixed = (prefix: string, present: RegExp, subject: string | null): string => {
  const text = (subject ?? '').trim()
  return (present.test(text) ? text : `${prefix} ${text}`.trim()).slice(0, WRITING_LIMITS.subject)
}

/** The subject of a reply: the thread's with `Re:`, unless it has the mark of a reply already. */
export const replySubject = (subject: string | null): string => prefixed('Re:', REPLY_MARK, subject)

/** The platform's own subject of a reply, which knows no mark but `Re:` (platform facts 3.5). */
export const platformReplySubject = (subject: string | null): string => prefixed('Re:', /^re\s*:/i, subject)

/** The subject of a forwarded message: the thread's with `Fwd:`, unless it has the mark of a forward already. */
export const forwardSubject = (subject: string | null): string => prefixed('Fwd:', FORWARD_MARK, subject)
