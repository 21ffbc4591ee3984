/** Mail as `--json` prints it (`json-lines.ts`): times as ISO 8601, the account and the inbox by name. */
import type { ReaderItem, MatchedThread } from '../engine/files/account-reader.ts'
import type { Email, ReceivedEmail, SentEmail, Thread } from '../shared/model.ts'
import type { ThreadMarks } from '../shared/thread-marks.ts'
import type { LocalAccount } from './local-accounts.ts'

export const toIsoTime = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : toIsoTime(time))

const marksLine = ({ isStarred, isMuted, snoozedUntil, remindAt, back }: ThreadMarks) => ({
  ...{ isStarred, isMuted, snoozedUntil: isoOrNull(snoozedUntil), remindAt: isoOrNull(remindAt) },
  back: back === null ? null : { at: toIsoTime(back.at), why: back.why },
})

const emailLine = ({ apart: _apart, receivedAt, ...email }: Email) => ({ ...email, receivedAt: toIsoTime(receivedAt) })

export const toThreadLine = (
  account: LocalAccount,
  inbox: string,
  { inboxId: _inboxId, trashedAt, listedAt, marks, receivedAt, ...thread }: MatchedThread | Thread,
  emails?: readonly Email[],
) => ({
  ...{ type: 'thread', account: account.id, inbox },
  ...thread,
  receivedAt: toIsoTime(receivedAt),
  ...(trashedAt !== undefined && { trashedAt: toIsoTime(trashedAt) }),
  ...(listedAt !== undefined && { listedAt: toIsoTime(listedAt) }),
  ...(marks !== undefined && { marks: marksLine(marks) }),
  ...(emails !== undefined && { emails: emails.map(emailLine) }),
})

type ListedEmail = Extract<ReaderItem, { kind: 'received' | 'sent' }>['email'] | ReceivedEmail | SentEmail

export const toAccountEmailLine = (account: LocalAccount, type: 'received' | 'sent', email: ListedEmail) => {
  const { createdAt, apart: _apart, ...fields } = email as ListedEmail & { readonly apart?: unknown }
  return {
    ...{ type, account: account.id },
    ...fields,
    createdAt: toIsoTime(createdAt),
    ...('scheduledAt' in fields && { scheduledAt: isoOrNull(fields.scheduledAt) }),
  }
}

export const toItemLine = (account: LocalAccount, item: ReaderItem, inboxOf: (inboxId: string) => string): unknown => {
  switch (item.kind) {
    case 'thread':
      return toThreadLine(account, inboxOf(item.thread.inboxId), item.thread, item.emails)
    case 'email':
      return {
        ...{ type: 'email', account: account.id, inbox: inboxOf(item.thread.inboxId) },
        ...emailLine(item.email),
      }
    case 'received':
    case 'sent':
      return toAccountEmailLine(account, item.kind, item.email)
  }
}
