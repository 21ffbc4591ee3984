import { toDisplayName, parseAddress } from '../../../shared/address.ts'
import type { RemoteReplies, RemoteReply, RemoteDraft } from '../../../shared/drafts.ts'
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
