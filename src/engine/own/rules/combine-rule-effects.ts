import { RULE_ACTION_ROWS, ruleEffectSchema, type RuleActions, type RuleEffect } from '../../../shared/rule-actions.ts'
import {
  applyStateChange,
  isSpamOrTrash,
  type ThreadState,
  type ThreadStateChange,
} from '../../../shared/thread-state.ts'
import { addressKey } from '../../../shared/recipients.ts'
import { detectMailAuthor } from '../../store/search-index/mail-kind.ts'
import { parsePerson } from '../../store/search-index/searchable-email.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { ownAddressKey } from '../../store/thread-rows.ts'

export type RuleOutcome = { readonly leftIn: string } | RuleEffect

type ActingRule = RuleActions & {
  /** True if moving the thread or marking it read would, or might, hide unread mail from someone else. */
  readonly isHeld?: boolean
}

/**
 * Combines the effects of several rules. Labels add up; in the inbox, the first rule that may move the thread moves it.
 * Spam and trash are left alone.
 */
export const combineRuleEffects = (rules: readonly ActingRule[], thread: ThreadState) => {
  const { folder } = thread
  if (isSpamOrTrash(folder)) return { change: {}, outcomes: rules.map((): RuleOutcome => ({ leftIn: folder })) }
  let state = thread
  let combined: ThreadStateChange = {}
  const outcomes = rules.map((rule): RuleOutcome => {
    const done: Record<string, unknown> = {}
    for (const [id, { logged, phrases, hides, change, applicable }] of RULE_ACTION_ROWS) {
      if (logged === null) continue
      const value = applicable(rule[id], state)
      if (rule.isHeld === true && hides(rule[id])) done.isHeld = true
      else if (phrases(value).length > 0) {
        done[logged] = value
        combined = { ...combined, ...change(value) }
        state = applyStateChange(state, change(value))
      }
    }
    return ruleEffectSchema.parse(done)
  })
  const addLabels = state.labelIds.filter((id) => !thread.labelIds.includes(id))
  return { change: { ...combined, ...(addLabels.length > 0 && { addLabels }) }, outcomes }
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
  const senders = new Set(matched.map((id) => addressKey(addressOf(emails.get(inbox, threadId, id)?.from ?? null))))
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
