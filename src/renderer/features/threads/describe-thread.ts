import type { Thread } from '../../../shared/model.ts'
import { displayName, summariseAddresses } from '../../ui/address.ts'
import { formatFullDate, type DateStyle } from '../../ui/format-date.ts'

/** A subject for the screen: none is said in words, not left blank. */
export const subjectOf = (subject: string | null): string => {
  const text = subject?.trim() ?? ''
  return text === '' ? '(no subject)' : text
}

/** Whom a thread is with: in `sent` the people that it went to, elsewhere who wrote last. */
export const correspondent = (thread: Thread): string =>
  thread.folder === 'sent' && thread.to.length > 0
    ? `To: ${summariseAddresses(thread.to, 2)}`
    : displayName(thread.from)

/** The name of a row in the list of threads (ui.md, "Frame"): sender, subject, date, and what else the row shows. */
export const describeThread = (thread: Thread, style: DateStyle): string =>
  [
    thread.read ? null : 'Unread',
    correspondent(thread),
    subjectOf(thread.subject),
    formatFullDate(thread.receivedAt, style),
    thread.emailCount > 1 ? `${thread.emailCount} e-mails` : null,
    thread.hasAttachment ? 'has an attachment' : null,
    thread.hasDraft ? 'has a draft' : null,
    thread.labels.length > 0 ? `labels: ${thread.labels.map(({ name }) => name).join(', ')}` : null,
    thread.onServer ? null : 'no longer on the server',
  ]
    .filter((part) => part !== null)
    .join(', ')
