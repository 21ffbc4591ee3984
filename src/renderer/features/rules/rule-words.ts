import type { ListedRule, RuleActions, RuleLogEntry, RuleMove } from '../../../shared/rules.ts'
import { formatList } from '../../ui/format-list.ts'
import { countOf } from '../../ui/format-quantity.ts'

export const MOVE_LABELS: Readonly<Record<RuleMove | 'none', string>> = {
  none: 'Leave it',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
}
export const NOTIFY_LABELS = { usual: 'As usual', always: 'Always', never: 'Never' } as const
export type NotifyChoice = keyof typeof NOTIFY_LABELS

const MOVED: Readonly<Record<RuleMove, string>> = {
  archive: 'archived',
  spam: 'moved to spam',
  trash: 'moved to trash',
}
const MOVE: Readonly<Record<RuleMove, string>> = {
  archive: 'archive',
  spam: 'move to spam',
  trash: 'move to trash',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What a rule does, as one sentence. @param labelOf the name of a label; undefined where it is gone */
export const describeActions = (
  { addLabels, move, markRead, star, notify }: RuleActions,
  labelOf: (id: string) => string | undefined,
): string => {
  const parts = [
    ...addLabels.map((id) => `label “${labelOf(id) ?? 'deleted label'}”`),
    ...(move === null ? [] : [MOVE[move]]),
    ...(markRead ? ['mark as read'] : []),
    ...(star ? ['star'] : []),
    ...(notify === null ? [] : [notify ? 'notify' : 'don’t notify']),
  ]
  return capital(formatList(parts))
}

/** How often a rule has acted. */
export const describeUse = ({ threads }: Pick<ListedRule, 'threads'>): string =>
  threads === 0 ? 'Not used yet' : `Changed ${countOf(threads, 'thread')}`

/** What a rule did, as one sentence. */
export const describeDeed = ({ did, leftIn, threads }: RuleLogEntry): string => {
  if (leftIn !== null) return `Left alone, as it was in ${leftIn}`
  const parts = [
    ...did.labels.map((name) => `labelled “${name}”`),
    ...(did.folder === null ? [] : [MOVED[did.folder]]),
    ...(did.read ? ['marked as read'] : []),
    ...(did.star ? ['starred'] : []),
  ]
  const held = 'left where it was, as another person’s mail in it may be unread'
  if (did.isHeld === true) parts.push(held)
  if (parts.length === 0) return 'Nothing to change'
  return `${capital(formatList(parts))}${threads > 1 ? `, and ${countOf(threads - 1, 'other thread')}` : ''}`
}
