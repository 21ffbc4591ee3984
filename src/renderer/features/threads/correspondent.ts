import type { Thread } from '../../../shared/model.ts'
import { displayName, summariseAddresses } from '../../ui/address.ts'
import { visibleText } from '../../ui/visible-text.ts'

/** A subject for the screen: none is said in words, not left blank. */
export const subjectOf = (subject: string | null): string => {
  const text = visibleText(subject ?? '')
  return text === '' ? '(no subject)' : text
}

/** Whom a thread is with: in `sent` the people that it went to, elsewhere who wrote last. */
export const correspondent = (thread: Thread): string =>
  thread.folder === 'sent' && thread.to.length > 0
    ? `To: ${summariseAddresses(thread.to, 2)}`
    : displayName(thread.from)
