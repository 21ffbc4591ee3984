import type { CommandContext } from '../../kernel/commands.ts'
import { prepareRemoval } from '../threads/commands.ts'
import type { OpenComposer } from './open-composer.svelte.ts'

/** Sends a reply and archives its thread, then moves on in the list as after archiving alone. */
export const sendReplyAndArchive = (context: CommandContext, composing: OpenComposer): void => {
  const { writing, threads, conversation, actions } = context.session
  const threadId = composing.editing.target?.threadId ?? ''
  const open = conversation.conversation?.thread
  const thread = threads.thread(threadId) ?? (open?.id === threadId ? open : undefined)
  const wish = { archive: true, scheduledAt: null }
  if (thread === undefined) return void writing.sending.send(composing, wish)
  const moveOn = prepareRemoval(context, new Set(threads.loses(thread, { folder: 'archive' }) ? [thread.id] : []))
  void writing.sending.send(composing, { ...wish, draw: actions.undoable([thread], { folder: 'archive' }).draw })
  moveOn()
}
