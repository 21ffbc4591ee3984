/** Mail as `--json` prints it (`json-lines.ts`): times as ISO 8601, the account and the inbox by name. */
import type { ReadItem, ReadThread } from '../engine/account-reader.ts'
import type { Email, ReceivedEmail, SentEmail, Thread } from '../shared/model.ts'
import type { ThreadMarks } from '../shared/thread-marks.ts'
import type { LocalAccount } from './local-accounts.ts'

export const isoOf = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : isoOf(time))

const marksLine = ({ isStarred, isMuted, snoozedUntil, remindAt, back }: ThreadMarks) => ({
  ...{ isStarred, isMuted, snoozedUntil: isoOrNull(snoozedUntil), remindAt: isoOrNull(remindAt) },
  back: back === null ? null : { at: isoOf(back.at), why: back.why },
})

const emailLine = ({ apart: _apart, receivedAt, ...email }: Email) => ({ ...email, receivedAt: isoOf(receivedAt) })

export const threadLine = (
  account: LocalAccount,
  inbox: string,
  { inboxId: _inboxId, trashedAt, listedAt, marks, receivedAt, ...thread }: ReadThread | Thread,
  emails?: readonly Email[],
) => ({
  ...{ type: 'thread', account: account.id, inbox },
  ...thread,
  receivedAt: isoOf(receivedAt),
  ...(trashedAt !== undefined && { trashedAt: isoOf(trashedAt) }),
  ...(listedAt !== undefined && { listedAt: isoOf(listedAt) }),
  ...(marks !== undefined && { marks: marksLine(marks) }),
  ...(emails !== undefined && { emails: emails.map(emailLine) }),
})

type ListedEmail = Extract<ReadItem, { kind: 'received' | 'sent' }>['email'] | ReceivedEmail | SentEmail

export const accountEmailLine = (account: LocalAccount, type: 'received' | 'sent', email: ListedEmail) => {
  const { createdAt, apart: _apart, ...fields } = email as ListedEmail & { readonly apart?: unknown }
  return {
    ...{ type, account: account.id },
    ...fields,
    createdAt: isoOf(createdAt),
    ...('scheduledAt' in fields && { scheduledAt: isoOrNull(fields.scheduledAt) }),
  }
}

export const itemLine = (account: LocalAccount, item: ReadItem, inboxOf: (inboxId: string) => string): unknown => {
  switch (item.kind) {
    case 'thread':
      return threadLine(account, inboxOf(item.thread.inboxId), item.thread, item.emails)
    case 'email':
      return {
        ...{ type: 'email', account: account.id, inbox: inboxOf(item.thread.inboxId) },
        ...emailLine(item.email),
      }
    case 'received':
    case 'sent':
      return accountEmailLine(account, item.kind, item.email)
  }
}
