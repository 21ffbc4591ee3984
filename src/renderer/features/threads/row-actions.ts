import type { Thread } from '../../../shared/model.ts'
import type { Command, Commands } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { pickLabels } from '../labels/commands.ts'
import { chosenThreads } from './chosen-threads.ts'
import { MOVE_COMMANDS, READ_COMMANDS } from './commands.ts'
import { openConversation } from './open-conversation.ts'

const moveTo = (folder: string) => MOVE_COMMANDS.filter((command) => command.folder === folder)
/** Of each group the first that can be done has its place: where archiving makes no sense, the way back does. */
const GROUPS = [[...moveTo('archive'), ...moveTo('inbox')], moveTo('trash'), READ_COMMANDS, [pickLabels]]

const actionsOf = (about: Commands, groups: readonly (readonly Command[])[]): readonly Action[] => {
  // An e-mail without a thread has its buttons all the same: they say why.
  const isWithout = chosenThreads(about.context) === null
  return groups.flatMap((group) => {
    const command = group.find((each) => about.can(each) || (isWithout && about.whyNot(each) !== null))
    if (command?.icon === undefined) return []
    const keys = about.keymap.capsOf(command)?.join(' ') ?? ''
    const { name, icon } = command
    return [{ name, icon, keys, isDisabled: !about.can(command), run: () => about.run(command) }]
  })
}

/** What can be done with a thread by the buttons of its row. */
export const threadRowActions = (commands: Commands, thread: Pick<Thread, 'id'>): readonly Action[] =>
  actionsOf(commands.about({ pointedId: thread.id }), GROUPS)

/** The same for mail that is no row of a list of threads, whose thread is opened elsewhere. @param about told of the mail */
export const mailRowActions = (about: Commands): readonly Action[] => actionsOf(about, [[openConversation], ...GROUPS])
