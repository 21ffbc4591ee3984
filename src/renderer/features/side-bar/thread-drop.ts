import type { Folder, Label, Thread } from '../../../shared/model.ts'
import type { Commands } from '../../kernel/commands.ts'
import { assigneeOf, isSameAssignee } from '../../../shared/assignees.ts'
import { chosenThreads } from '../threads/chosen-threads.ts'
import { addLabel, canAddLabel } from '../labels/add-label.ts'
import { MOVE_COMMANDS } from '../threads/commands.ts'

/** What becomes of threads that are dragged onto an entry of the side bar. */
export interface ThreadDrop {
  /** Whether it would change any of them. */
  readonly isPossible: boolean
  /** As the pointer shows it. */
  readonly effect: 'move' | 'copy'
  readonly run: () => void
}

/** The commands as they act on what is dragged; null while nothing is. */
const aboutDragged = (commands: Commands): Commands | null => {
  const { dragged } = commands.context.session.drag
  return dragged === null ? null : commands.about(dragged)
}

/** Null while nothing is dragged. Into `sent` nobody moves anything: it is the platform's own (contract, Thread folders). */
export const dropOnFolder = (commands: Commands, folder: Folder): ThreadDrop | null => {
  const about = aboutDragged(commands)
  if (about === null) return null
  const command = MOVE_COMMANDS.find((each) => each.folder === folder)
  if (command === undefined) return { isPossible: false, effect: 'move', run: () => undefined }
  return { isPossible: about.can(command), effect: 'move', run: () => about.run(command) }
}

/** Null while nothing is dragged. The label comes to those that the threads carry. */
export const dropOnLabel = (commands: Commands, label: Label): ThreadDrop | null => {
  const about = aboutDragged(commands)
  if (about === null) return null
  const { context } = about
  return { isPossible: canAddLabel(context, label), effect: 'copy', run: () => addLabel(context, label) }
}

/** Null while nothing is dragged. Whoever had the threads has them no more. @param name null for nobody */
export const dropOnAssignee = (commands: Commands, name: string | null): ThreadDrop | null => {
  const about = aboutDragged(commands)
  if (about === null) return null
  const chosen = chosenThreads(about.context)
  const isTheirs = ({ labels }: Pick<Thread, 'labels'>): boolean => {
    const now = assigneeOf(labels)?.name ?? null
    return name === null || now === null ? now === name : isSameAssignee(now, name)
  }
  return {
    isPossible: chosen !== null && (chosen.hasOthers || !chosen.threads.every(isTheirs)),
    effect: 'move',
    run: () => {
      if (chosen !== null) void about.context.session.assignees.assign(chosen, name)
    },
  }
}
