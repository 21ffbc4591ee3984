import { toDisplayName, parseAddress } from '../../../shared/address.ts'
import type { RemoteReplies, RemoteReply, RemoteDraft, SendObjection } from '../../../shared/drafts.ts'
import { formatAgo, formatClock, formatRecent, type DateStyle } from '../../ui/format-date.ts'
import { formatCount } from '../../ui/format-quantity.ts'

const DAY = 24 * 60 * 60_000

/** Relative time, plus the clock time if today: `20 seconds ago (14:05)`. */
const describeTime = (at: number, now: number, style: DateStyle): string => {
  const age = now - at
  const clock = age < DAY ? ` (${formatClock(at, style)})` : ''
  return `${formatRecent(at, now, style)}${clock}`
}

/** Describes who replied, by the From header. A sender without a name may be a shared inbox, hence "Someone". */
export const describeReplier = (from: string): string => {
  const { name, address, isUnclear } = parseAddress(from)
  return name === null && !isUnclear && address !== ''
    ? `Someone replied from ${address}`
    : `${toDisplayName(from)} replied`
}

/** For example `Mara Lind replied 20 seconds ago (14:05).` */
export const describeRemoteReply = ({ from, at }: RemoteReply, now: number, style: DateStyle): string =>
  `${describeReplier(from)} ${describeTime(at, now, style)}.`

/** Describes a reply being drafted elsewhere. The platform doesn't report the author. */
export const describeRemoteDraft = (
  { changedAt }: Pick<RemoteDraft, 'changedAt'>,
  now: number,
  style: DateStyle,
): string =>
  changedAt === null
    ? 'Someone is drafting a reply elsewhere.'
    : `Someone is drafting a reply elsewhere. Last changed ${formatAgo(changedAt, now, style)}.`

export const describeRemoteActivity = ({ answers, drafts }: RemoteReplies): string | null => {
  const names = [...new Set(answers.map(({ from }) => describeReplier(from)))]
  const [name] = names
  if (name !== undefined) {
    return names.length === 1
      ? `${name} while you were writing.`
      : `${formatCount(answers.length, 'reply', 'replies')} were sent from elsewhere while you were writing.`
  }
  return drafts.length === 0 ? null : 'Someone is drafting a reply elsewhere.'
}

/** Maximum number of replies to list; more would not help the user decide. */
const MAX_LISTED = 3

/** The sentences of an objection, each with the beginning of the text that it is about, or null. */
export const listObjections = (
  { replies: { answers, drafts }, quota }: Omit<SendObjection, 'isScheduled'>,
  now: number,
  style: DateStyle,
): readonly { readonly sentence: string; readonly snippet: string | null }[] => {
  const more = answers.length - MAX_LISTED
  const newest = drafts.toSorted((one, other) => (one.changedAt ?? 0) - (other.changedAt ?? 0)).slice(-1)
  const plain = (sentence: string) => ({ sentence, snippet: null })
  return [
    ...answers
      .slice(-MAX_LISTED)
      .map((answer) => ({ sentence: describeRemoteReply(answer, now, style), snippet: answer.snippet })),
    ...(more > 0 ? [plain(`And ${formatCount(more, 'earlier reply', 'earlier replies')}.`)] : []),
    ...newest.map((draft) => ({ sentence: describeRemoteDraft(draft, now, style), snippet: draft.snippet })),
    ...(quota === null ? [] : [plain(quota)]),
  ]
}

/** Name of the button that consents. */
export const consentName = ({ isScheduled }: SendObjection): string => (isScheduled ? 'Schedule anyway' : 'Send anyway')

/** The sentences of an objection as one text. */
export const describeObjection = (objection: SendObjection, now: number, style: DateStyle): string =>
  listObjections(objection, now, style)
    .map(({ sentence }) => sentence)
    .join(' ')
