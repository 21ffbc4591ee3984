import type { DraftSummary } from '../../../shared/drafts.ts'
import type { Conversation } from '../../../shared/contract.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { openConversation, routeOfThread } from '../threads/open-conversation.ts'

/**
 * Reads a thread to open it.
 * @returns null if it can't be read, which the user is told, or if the user has navigated elsewhere in the meantime
 */
export const readThread = async (
  { shell }: CommandContext,
  { inboxId, threadId }: { readonly inboxId: string; readonly threadId: string },
): Promise<Conversation | null> => {
  const { current: route } = shell.route
  const opened = await shell.backend.call('thread.open', { inboxId, threadId })
  if (opened.ok) return shell.route.current === route ? opened.data : null
  shell.toasts.problem(opened.error)
  return null
}

/** Action that opens the conversation an unsent message replies to; empty for a new message. */
export const openOriginal = (
  context: CommandContext,
  { inboxId, target }: Pick<DraftSummary, 'inboxId' | 'target'>,
): readonly Action[] => {
  if (target === null) return []
  const { threadId, emailId } = target
  const run = async (): Promise<void> => {
    const found = await readThread(context, { inboxId, threadId })
    if (found !== null) context.navigator.visit(routeOfThread(found.thread, emailId))
  }
  const { name, icon } = openConversation
  return [{ name, icon, keys: '', run: () => void run() }]
}
