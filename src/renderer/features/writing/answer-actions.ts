import type { Email } from '../../../shared/model.ts'
import type { Commands } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { ANSWER_COMMANDS } from './commands.ts'

/** The ways to answer one e-mail of a conversation, whatever has the focus; none for what the platform has deleted. */
export const answerActions = ({ context, keymap }: Commands, inboxId: string, email: Email): readonly Action[] => {
  const { conversation, writing } = context.session
  if (!email.onServer || conversation.conversation?.thread.onServer !== true) return []
  return ANSWER_COMMANDS.filter(({ fits }) => fits(email, context)).map((command) => ({
    ...{ name: command.name, icon: command.icon, keys: keymap.capsOf(command)?.join(' ') ?? '' },
    run: () => void writing.answer(command.way, { inboxId, threadId: email.threadId, email }),
  }))
}
