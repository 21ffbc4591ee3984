import { isSpamOrTrash, type ThreadStateChange, type ThreadState } from '../../../shared/thread-state.ts'
import type { RuleActions, RuleEffect } from '../../../shared/rules.ts'
import { addressKey } from '../../../shared/recipients.ts'
import { detectMailAuthor } from '../../store/search-index/mail-kind.ts'
import { parsePerson } from '../../store/search-index/searchable-email.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { ownAddressKey } from '../../store/thread-senders.ts'

export type RuleOutcome = { readonly leftIn: string } | RuleEffect

interface ActingRule extends Pick<RuleActions, 'addLabels' | 'move' | 'markRead' | 'star'> {
  /** True if moving the thread or marking it read would, or might, hide unread mail from someone else. */
  readonly isHeld?: boolean
}

interface Decision {
  readonly change: ThreadStateChange
  readonly outcomes: readonly RuleOutcome[]
}

/**
 * Combines the effects of several rules. Each rule sees the thread as it arrived, not as another rule left it. Labels
 * add up; in the inbox, the first rule that may move the thread moves it. Spam and trash are left alone.
 */
export const combineRuleEffects = (rules: readonly ActingRule[], thread: ThreadState): Decision => {
  const { folder, read, labelIds, marks } = thread
  if (isSpamOrTrash(folder)) return { change: {}, outcomes: rules.map(() => ({ leftIn: folder })) }
  const mover = folder === 'inbox' ? rules.find(({ move, isHeld }) => move !== null && isHeld !== true) : undefined
  const target = mover?.move ?? null
  const reader = read ? undefined : rules.find(({ markRead, isHeld }) => markRead && isHeld !== true)
  const starrer = marks?.isStarred === true ? undefined : rules.find(({ star }) => star)
  const added = new Set<string>()
  const outcomes = rules.map((rule): RuleOutcome => {
    const labels = rule.addLabels.filter((id) => !labelIds.includes(id) && !added.has(id))
    for (const id of labels) added.add(id)
    return {
      ...{ labels, folder: rule === mover ? target : null, read: rule === reader, star: rule === starrer },
      ...(rule.isHeld === true && (rule.move !== null || rule.markRead) && { isHeld: true }),
    }
  })
  return {
    change: {
      ...(added.size > 0 && { addLabels: [...added] }),
      ...(target !== null && { folder: target }),
      ...(reader !== undefined && { read: true }),
      ...(starrer !== undefined && { star: true }),
    },
    outcomes,
  }
}

const addressOf = (from: string | null): string => parsePerson(from ?? '').address

/**
 * True if moving the thread or marking it read would hide unread mail from a person whose mail the rule doesn't match.
 * @param matched IDs of messages that the rule matches
 * @param isDone true for messages that the rule has already acted on
 */
export const hasOtherUnread = (
  { emails, inboxes }: Pick<Cache, 'emails' | 'inboxes'>,
  inbox: InboxRef,
  threadId: string,
  matched: readonly string[],
  isDone: (emailId: string) => boolean,
): boolean => {
  const senders = new Set(matched.map((id) => addressKey(addressOf(emails.senderOf(inbox, threadId, id) ?? null))))
  return emails.unread(inbox, threadId).some(({ id, from, subject }) => {
    const address = addressOf(from)
    return (
      !matched.includes(id) &&
      !isDone(id) &&
      !senders.has(addressKey(address)) &&
      !inboxes.ownAddresses().has(ownAddressKey(address.toLowerCase())) &&
      detectMailAuthor({ from: from ?? '', subject, headers: null }) === 'person'
    )
  })
}
