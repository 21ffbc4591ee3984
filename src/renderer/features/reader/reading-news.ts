import type { Email } from '../../../shared/model.ts'
import { displayName } from '../../../shared/address.ts'
import { formatNumber } from '../../ui/format-quantity.ts'
import { folderName } from '../mailboxes/folder-name.ts'
import type { MovedElsewhere } from '../threads/conversation-manager.svelte.ts'
import { whoAnswered } from '../writing/elsewhere-words.ts'

/** What has come in below, in words: of one e-mail whom it is from, of several how many there are. */
export const arrivedWords = (emails: readonly Email[]): string => {
  const [first, ...more] = emails
  if (first?.direction === 'outbound' && more.length === 0) return `${whoAnswered(first.from)}, below`
  return more.length === 0
    ? `New message from ${displayName(first?.from ?? null)} below`
    : `${formatNumber(emails.length)} new messages below`
}

/** What has become of the open thread, and what of it stays. */
export const movedWords = (moved: MovedElsewhere): string =>
  moved.kind === 'gone'
    ? 'This thread is no longer on the platform. Your copy stays on this computer.'
    : `This thread was moved to ${folderName(moved.to)} elsewhere.`
