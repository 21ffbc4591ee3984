import type { Folder, Label, Thread } from '../../../shared/model.ts'
import type { Command, CommandContext, Commands } from '../../kernel/commands.ts'
import { assigneeOf, isSameAssignee } from '../../../shared/assignees.ts'
import { findChosenThreads } from '../threads/chosen-threads.ts'
import { MOVE_COMMANDS } from '../threads/commands.ts'
import { snooze, STAR_COMMANDS } from '../threads/mark-commands.ts'
import { describeThreads } from '../threads/describe-threads.ts'
import { describeLabelChange } from '../labels/label-choices.ts'

/** Effect of dropping threads on a side bar entry. */
export interface ThreadDrop {
  /** False if no thread would change. */
  readonly isPossible: boolean
  /** Pointer shape. */
  readonly effect: 'move' | 'copy'
  readonly run: () => void
}

const commandsForDragged = (commands: Commands): Commands | null => {
  const { dragged } = commands.context.session.drag
  return dragged === null ? null : commands.about(dragged)
}

const createCommandDrop = (
  commands: Commands,
  command: Command | undefined,
  effect: ThreadDrop['effect'],
): ThreadDrop | null => {
  const about = commandsForDragged(commands)
  if (about === null) return null
  if (command === undefined) return { isPossible: false, effect, run: () => undefined }
  return { isPossible: about.can(command), effect, run: () => about.run(command) }
}

/** Null while nothing is dragged. Only the platform puts mail into `sent` (platform.md 7.2). */
export const createFolderDrop = (commands: Commands, folder: Folder): ThreadDrop | null =>
  createCommandDrop(
    commands,
    MOVE_COMMANDS.find((each) => each.folder === folder),
    'move',
  )

/** Stars the dragged threads, or asks how long to snooze them. Null while nothing is dragged. */
export const createMarkDrop = (commands: Commands, mark: 'starred' | 'snoozed'): ThreadDrop | null =>
  mark === 'starred'
    ? createCommandDrop(
        commands,
        STAR_COMMANDS.find(({ id }) => id === 'thread.star'),
        'copy',
      )
    : createCommandDrop(commands, snooze, 'move')

const lacks =
  ({ id }: Label) =>
  ({ labels }: Thread): boolean =>
    !labels.some((label) => label.id === id)

/** True if some of the threads may lack the label. */
const canAddLabel = (context: CommandContext, label: Label): boolean => {
  const chosen = findChosenThreads(context)
  return chosen !== null && (chosen.hasUnloaded || chosen.threads.some(lacks(label)))
}

const addLabel = (context: CommandContext, label: Label): void => {
  const chosen = findChosenThreads(context)
  if (chosen === null) return
  const threads = chosen.threads.filter(lacks(label))
  const said = {
    count: chosen.hasUnloaded ? chosen.count : threads.length,
    of: (count: number) => describeLabelChange({ added: [label.name], removed: [] }, describeThreads(threads, count)),
  }
  void context.session.actions.change(threads, { addLabels: [label.id] }, said, chosen.matching)
}

/** Null while nothing is dragged. */
export const createLabelDrop = (commands: Commands, label: Label): ThreadDrop | null => {
  const about = commandsForDragged(commands)
  if (about === null) return null
  const { context } = about
  return { isPossible: canAddLabel(context, label), effect: 'copy', run: () => addLabel(context, label) }
}

/** Null while nothing is dragged. Replaces the assignee. @param name null for nobody */
export const createAssigneeDrop = (commands: Commands, name: string | null): ThreadDrop | null => {
  const about = commandsForDragged(commands)
  if (about === null) return null
  const chosen = findChosenThreads(about.context)
  const isTheirs = ({ labels }: Pick<Thread, 'labels'>): boolean => {
    const now = assigneeOf(labels)?.name ?? null
    return name === null || now === null ? now === name : isSameAssignee(now, name)
  }
  return {
    isPossible: chosen !== null && (chosen.hasUnloaded || !chosen.threads.every(isTheirs)),
    effect: 'move',
    run: () => {
      if (chosen !== null) void about.context.session.assignees.assign(chosen, name)
    },
  }
}
