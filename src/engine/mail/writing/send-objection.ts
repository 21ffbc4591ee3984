import type { RemoteReplies, SendObjection } from '../../../shared/drafts.ts'
import { findExceededPeriod, type UsageReport } from '../../../shared/usage.ts'
import type { AccountUsage } from '../../own/account-usage.ts'
import type { LocalDraft } from '../../own/drafts/local-draft.ts'
import type { RemoteReplyCheck } from './remote-replies.ts'

/** Older usage data is refreshed before a message is sent. */
const MAX_USAGE_AGE_MS = 10 * 60_000
/** Maximum milliseconds that the quota check may delay a message. */
const USAGE_TIMEOUT_MS = 1_000

export interface SendObjectionParts {
  readonly remoteReplies: Pick<RemoteReplyCheck, 'look'>
  readonly usage: Pick<AccountUsage, 'get'>
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
}

/** Says that a message exceeds the quota; null if it fits or the quota is unknown. */
export const describeQuotaExcess = (usage: UsageReport | null, recipients: number, now: number): string | null => {
  const over = findExceededPeriod(usage, recipients, now)
  if (over === null) return null
  const counted = recipients === 1 ? '1 message' : `${recipients} messages`
  const left = over.left === 0 ? 'none' : over.left.toLocaleString('en')
  const period = over.period === 'day' ? 'today' : 'this month'
  return `This message counts as ${counted}, but you have ${left} left ${period}. The platform may not send it.`
}

const withoutTold = ({ answers, drafts }: RemoteReplies, { begun }: LocalDraft): RemoteReplies => ({
  answers: answers.filter(({ emailId }) => begun?.told?.emailIds.includes(emailId) !== true),
  drafts: begun?.told?.drafts === true ? [] : drafts,
})

/** Checks a message that is about to be sent. Takes a few seconds at most; a failed check is no objection. */
export const findSendObjection = async (
  { remoteReplies, usage, now }: SendObjectionParts,
  draft: LocalDraft,
): Promise<SendObjection | null> => {
  const { to, cc, bcc } = draft.content
  // The quota at the time of a scheduled message is unknown.
  const isScheduled = typeof draft.sending?.scheduledAt === 'number'
  const [found, known] = await Promise.all([
    remoteReplies.look(draft),
    isScheduled ? null : usage.get({ maxAge: MAX_USAGE_AGE_MS, timeoutMs: USAGE_TIMEOUT_MS }),
  ])
  const replies = withoutTold(found, draft)
  const quota = describeQuotaExcess(known?.usage ?? null, to.length + cc.length + bcc.length, now())
  const isNothing = replies.answers.length + replies.drafts.length === 0 && quota === null
  return isNothing ? null : { replies, quota, isScheduled }
}

/** Remembers the replies that the user has been told about, so that each objects once. */
export const withToldReplies = (draft: LocalDraft, { answers, drafts }: RemoteReplies): LocalDraft => {
  const { begun } = draft
  if (begun === undefined) return draft
  const emailIds = new Set([...(begun.told?.emailIds ?? []), ...answers.map(({ emailId }) => emailId)])
  const told = { emailIds: [...emailIds], drafts: begun.told?.drafts === true || drafts.length > 0 }
  return { ...draft, begun: { ...begun, told } }
}
