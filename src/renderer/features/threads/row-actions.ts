import type { Thread } from '../../../shared/model.ts'
import type { Commands } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { pickLabels } from '../labels/commands.ts'
import { MOVE_COMMANDS, READ_COMMANDS } from './commands.ts'

const moveTo = (folder: string) => MOVE_COMMANDS.filter((command) => command.folder === folder)
/** Of each group the first that can be done has its place: where archiving makes no sense, the way back does. */
const GROUPS = [[...moveTo('archive'), ...moveTo('inbox')], moveTo('trash'), READ_COMMANDS, [pickLabels]]

/** What can be done with a thread by the buttons of its row. */
export const threadRowActions = (commands: Commands, thread: Pick<Thread, 'id'>): readonly Action[] => {
  const about = commands.about({ pointedId: thread.id })
  return GROUPS.flatMap((group) => {
    const command = group.find((each) => about.can(each))
    if (command?.icon === undefined) return []
    const keys = about.keymap.capsOf(command)?.join(' ') ?? ''
    return [{ name: command.name, icon: command.icon, keys, run: () => about.run(command) }]
  })
}
