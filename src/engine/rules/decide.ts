import { isPutAway, type StateChange, type ThreadState } from '../../shared/thread-state.ts'
import type { RuleActions, RuleDeed } from '../../shared/rules.ts'

/** What came of a rule's turn with a thread, as the log keeps it. */
export type Outcome = { readonly leftIn: string } | RuleDeed

type ActingRule = Pick<RuleActions, 'addLabels' | 'move' | 'markRead' | 'star'>

interface Decision {
  readonly change: StateChange
  /** Of each rule, in their order. */
  readonly outcomes: readonly Outcome[]
}

/**
 * What rules do with a thread together. Each sees it as the mail came, not as another rule made it: labels add up, and the
 * first rule that moves it decides where to, if it lies in the inbox. What lies in spam or trash is left alone.
 * @param rules those that match and had no turn with the thread yet, in their order
 */
export const decide = (rules: readonly ActingRule[], thread: ThreadState): Decision => {
  const { folder, read, labelIds, marks } = thread
  if (isPutAway(folder)) return { change: {}, outcomes: rules.map(() => ({ leftIn: folder })) }
  const mover = folder === 'inbox' ? rules.find(({ move }) => move !== null) : undefined
  const target = mover?.move ?? null
  const reader = read ? undefined : rules.find(({ markRead }) => markRead)
  const starrer = marks?.isStarred === true ? undefined : rules.find(({ star }) => star)
  const added = new Set<string>()
  const outcomes = rules.map((rule): Outcome => {
    const labels = rule.addLabels.filter((id) => !labelIds.includes(id) && !added.has(id))
    for (const id of labels) added.add(id)
    return { labels, folder: rule === mover ? target : null, read: rule === reader, star: rule === starrer }
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
