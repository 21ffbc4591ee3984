import type { Email } from './model.ts'
import { parseRecipients, withoutRepeats } from './recipients.ts'
import { WRITING_LIMITS, type AnswerRecipients, type Recipient } from './writing.ts'

/** What of an e-mail says who an answer goes to. */
export type AnsweredEmail = Pick<Email, 'direction' | 'from' | 'to' | 'cc' | 'replyTo'>

const peopleOf = (entries: readonly string[]): readonly Recipient[] =>
  entries.flatMap((entry) => parseRecipients(entry).recipients)

/**
 * Whom an answer goes to, by the platform's own rule (platform facts 3.5): the author, or who its Reply-To names; of an
 * e-mail that the inbox sent, those whom that went to. To all adds everyone in To and Cc but the inbox itself, and never
 * those in Bcc. What cannot be read as an address is left out.
 * @param own the inbox's addresses
 */
export const answerRecipients = (
  { direction, from, to, cc, replyTo }: AnsweredEmail,
  own: readonly string[],
  isToAll: boolean,
): AnswerRecipients => {
  const named = direction === 'outbound' ? to : replyTo.length > 0 ? replyTo : [from]
  const first = withoutRepeats(peopleOf(named))
  if (!isToAll) return { to: first, cc: [] }
  return { to: first, cc: withoutRepeats(peopleOf([...to, ...cc]), [...own, ...first.map(({ address }) => address)]) }
}

const prefixed = (prefix: string, present: RegExp, subject: string | null): string => {
  const text = (subject ?? '').trim()
  return (present.test(text) ? text : `${prefix} ${text}`.trim()).slice(0, WRITING_LIMITS.subject)
}

/** The subject of an answer (platform facts 3.5): the thread's with `Re:`, unless that is there already. */
export const replySubject = (subject: string | null): string => prefixed('Re:', /^re\s*:/i, subject)

/** The subject of a forwarded e-mail (platform facts 3.6): the thread's with `Fwd:`, unless that is there already. */
export const forwardSubject = (subject: string | null): string => prefixed('Fwd:', /^fwd\s*:/i, subject)
