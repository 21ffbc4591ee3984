import type { Label, Thread } from '../../../shared/model.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { chosenThreads } from '../threads/chosen-threads.ts'
import { namedThreads } from '../threads/named-threads.ts'
import { labelsSaid } from './label-choices.ts'

const lacks =
  ({ id }: Label) =>
  ({ labels }: Thread): boolean =>
    !labels.some((label) => label.id === id)

/** Whether any of the threads that commands act on may be without a label of its inbox. */
export const canAddLabel = (context: CommandContext, label: Label): boolean => {
  const chosen = chosenThreads(context)
  return chosen !== null && (chosen.hasOthers || chosen.threads.some(lacks(label)))
}

/** Puts a label on the threads that commands act on, beside those that they carry. */
export const addLabel = (context: CommandContext, label: Label): void => {
  const chosen = chosenThreads(context)
  if (chosen === null) return
  const threads = chosen.threads.filter(lacks(label))
  const said = {
    count: chosen.hasOthers ? chosen.count : threads.length,
    of: (count: number) => labelsSaid({ added: [label.name], removed: [] }, namedThreads(threads, count)),
  }
  void context.session.actions.change(threads, { addLabels: [label.id] }, said, chosen.matching)
}
