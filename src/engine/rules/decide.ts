import { isPutAway, type StateChange, type ThreadState } from '../../shared/thread-state.ts'
import type { RuleActions, RuleDeed } from '../../shared/rules.ts'

/** What a rule did with a thread, as the log stores it. */
export type Outcome = { readonly leftIn: string } | RuleDeed

/** A rule that matched a message of the thread. */
interface ActingRule extends Pick<RuleActions, 'addLabels' | 'move' | 'markRead' | 'star'> {
  /** True if the thread has, or may have, unread mail by another person, which a move or a read mark would hide. */
  readonly isHeld?: boolean
}

interface Decision {
  readonly change: StateChange
  /** One for each rule, in their order. */
  readonly outcomes: readonly Outcome[]
}

/**
 * What rules do with a thread together. Each sees the thread as the mail came, not as another rule left it: labels add up,
 * and the first rule that may move it decides where to, if it is in the inbox. Spam and trash are left alone.
 * @param rules in their order
 */
export const decide = (rules: readonly ActingRule[], thread: ThreadState): Decision => {
  const { folder, read, labelIds, marks } = thread
  if (isPutAway(folder)) return { change: {}, outcomes: rules.map(() => ({ leftIn: folder })) }
  const mover = folder === 'inbox' ? rules.find(({ move, isHeld }) => move !== null && isHeld !== true) : undefined
  const target = mover?.move ?? null
  const reader = read ? undefined : rules.find(({ markRead, isHeld }) => markRead && isHeld !== true)
  const starrer = marks?.isStarred === true ? undefined : rules.find(({ star }) => star)
  const added = new Set<string>()
  const outcomes = rules.map((rule): Outcome => {
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
