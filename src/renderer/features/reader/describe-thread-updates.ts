import type { Email } from '../../../shared/model.ts'
import { toDisplayName } from '../../../shared/address.ts'
import { formatNumber } from '../../ui/format-quantity.ts'
import { folderName } from '../mailboxes/mailbox-names.ts'
import type { RemoteThreadChange } from '../threads/conversation-manager.svelte.ts'
import { describeReplier } from '../writing/describe-remote-replies.ts'

/** Notice of new e-mails below: the sender of one, or the number of several. */
export const describeNewEmails = (emails: readonly Email[]): string => {
  const [first, ...more] = emails
  if (first?.direction === 'outbound' && more.length === 0) return `${describeReplier(first.from)}, below`
  return more.length === 0
    ? `New message from ${toDisplayName(first?.from ?? null)} below`
    : `${formatNumber(emails.length)} new messages below`
}

export const describeRemoteMove = (moved: RemoteThreadChange): string =>
  moved.kind === 'gone'
    ? 'This thread is no longer on the platform. Your copy stays on this computer.'
    : `This thread was moved to ${folderName(moved.to)} elsewhere.`
