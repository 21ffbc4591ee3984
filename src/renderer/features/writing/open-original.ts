import type { DraftSummary } from '../../../shared/drafts.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { openConversation, routeOfThread } from '../threads/open-conversation.ts'

/** Action that opens the conversation an unsent message replies to; empty for a new message. */
export const openOriginal = (
  { shell, navigator }: CommandContext,
  { inboxId, target }: Pick<DraftSummary, 'inboxId' | 'target'>,
): readonly Action[] => {
  if (target === null) return []
  const { threadId, emailId } = target
  const run = async (): Promise<void> => {
    const { current: route } = shell.route
    const opened = await shell.backend.call('thread.open', { inboxId, threadId })
    if (!opened.ok) shell.toasts.problem(opened.error)
    // The user has navigated elsewhere in the meantime.
    else if (shell.route.current === route) navigator.visit(routeOfThread(opened.data.thread, emailId))
  }
  const { name, icon } = openConversation
  return [{ name, icon, keys: '', run: () => void run() }]
}
