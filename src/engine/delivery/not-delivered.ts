import { reasonOfFault } from '../../shared/delivery.ts'
import { parseRecipient } from '../../shared/recipients.ts'
import type { Problem } from '../../shared/result.ts'
import type { Problems } from '../problems/problems.ts'
import type { FollowedDelivery } from '../store/deliveries.ts'

/** What all problems about messages that came to nothing begin their ID with. */
const NOT_DELIVERED = 'not-delivered '
/** More than these at a time are told as one: they are not to push out what else a person should know. */
const MOST_TOLD = 5
/** Letters of a subject, or of an address, that are told. */
const LONGEST = 80

const MORE: Problem & { readonly id: string } = {
  id: `${NOT_DELIVERED}more`,
  code: 'refused',
  message: 'More messages were not delivered. “All sent” shows each one’s status.',
}

/** What a person does about it. */
const ADVICE: Readonly<Record<string, string>> = {
  bounced: 'Check the address before you send it again.',
  complained: 'Reach them another way before you write again.',
  failed: 'Send it again.',
  suppressed: 'Whoever manages the platform can remove the address from that list.',
}
const WORDS: Readonly<Record<string, string>> = {
  bounced: 'was not delivered',
  complained: 'was marked as spam',
  failed: 'was not sent',
  suppressed: 'was not sent',
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

/** What a message is told by; null where nothing is known of it but that it was sent. */
export interface AboutMessage {
  readonly subject: string | null
  readonly to: readonly string[]
}

const nameOf = (about: AboutMessage | null): string => {
  if (about === null) return 'A message you sent'
  const subject = (about.subject ?? '').trim()
  const [first = null, ...others] = about.to.map((entry) => cut(parseRecipient(entry)?.address ?? entry))
  const whom = first === null ? '' : others.length === 0 ? ` to ${first}` : ` to ${first} and ${others.length} more`
  return `${subject === '' ? 'Your message' : `“${cut(subject)}”`}${whom}`
}

/** What a person is told of a message that was sent from here and came to nothing. @param event a fault */
export const notDelivered = (
  { sentId, inboxId, threadId }: Pick<FollowedDelivery, 'sentId' | 'inboxId' | 'threadId'>,
  event: string,
  about: AboutMessage | null,
): Problem & { readonly id: string } => {
  const isOfOne = event !== 'failed' && (about?.to.length ?? 0) > 1
  const words = `${nameOf(about)} ${WORDS[event] ?? 'was not delivered'}${isOfOne ? ' for at least one recipient' : ''}`
  const place = threadId === null ? { sentId } : { sentId, inboxId, threadId }
  return {
    id: NOT_DELIVERED + sentId,
    code: 'refused',
    message: `${words}: ${reasonOfFault(event) ?? event}. ${ADVICE[event] ?? ''}`.trim(),
    details: place,
  }
}

/** Tells it until it is dismissed: no window may be there when the platform says so. */
export const raiseNotDelivered = (
  problems: Pick<Problems, 'list' | 'raise'>,
  problem: Problem & { readonly id: string },
): void => {
  const told = problems.list().filter(({ id }) => id.startsWith(NOT_DELIVERED) && id !== problem.id && id !== MORE.id)
  problems.raise(told.length < MOST_TOLD ? problem : MORE)
}
