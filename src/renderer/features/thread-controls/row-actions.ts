import type { Thread } from '../../../shared/model.ts'
import type { Command, Commands } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { pickLabels } from '../labels/commands.ts'
import { reply } from '../writing/commands.ts'
import { findChosenThreads } from '../threads/chosen-threads.ts'
import { MOVE_COMMANDS, READ_COMMANDS } from '../threads/commands.ts'
import { snooze, STAR_COMMANDS } from '../threads/mark-commands.ts'
import { openConversation } from '../threads/open-conversation.ts'

interface ActionSlot {
  /** The first available command takes this position: where archive or trash makes no sense, its reverse appears. */
  readonly of: readonly Command[]
  readonly minWidth?: Action['minWidth']
}

const moveTo = (folder: string) => MOVE_COMMANDS.filter((command) => command.folder === folder)
const ACTION_SLOTS: readonly ActionSlot[] = [
  { of: [reply], minWidth: 'some' },
  { of: [...moveTo('archive'), ...moveTo('inbox')] },
  { of: [...moveTo('trash'), ...moveTo('inbox')] },
  { of: READ_COMMANDS },
  { of: [pickLabels], minWidth: 'some' },
  { of: [snooze], minWidth: 'wide' },
  { of: STAR_COMMANDS, minWidth: 'wide' },
]

const actionsOf = (about: Commands, places: readonly ActionSlot[]): readonly Action[] => {
  // Keep the buttons of an e-mail without a thread: they explain why they don't work.
  const isWithout = findChosenThreads(about.context) === null
  return places.flatMap(({ of, minWidth }) => {
    const command = of.find((each) => about.can(each) || (isWithout && about.whyNot(each) !== null))
    if (command?.icon === undefined) return []
    const keys = about.keymap.capsOf(command)?.join(' ')
    const { name, icon } = command
    return [
      {
        name,
        icon,
        keys,
        ...(minWidth !== undefined && { minWidth }),
        isDisabled: !about.can(command),
        run: () => about.run(command),
      },
    ]
  })
}

/** Buttons of a thread's row; the row's menu has the other actions. */
export const listThreadRowActions = (commands: Commands, thread: Pick<Thread, 'id'>): readonly Action[] =>
  actionsOf(commands.about({ pointedId: thread.id }), ACTION_SLOTS)

/** Buttons of a mail row outside thread lists, plus one to open the thread. @param about commands for that mail */
export const listMailRowActions = (about: Commands): readonly Action[] =>
  actionsOf(about, [{ of: [openConversation], minWidth: 'some' }, ...ACTION_SLOTS])
