import MessagesSquare from '@lucide/svelte/icons/messages-square'
import { FOLDERS, type Thread } from '../../../shared/model.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import type { Route } from '../../kernel/route.ts'
import type { MailPlace } from '../../kernel/screen.ts'
import { mailAtHand } from './chosen-threads.ts'
import { whyNoThread } from './why-no-thread.ts'

/** The address of a thread in its own list, at one of its e-mails. */
export const routeOfThread = (
  { id, inboxId, folder }: Pick<Thread, 'id' | 'inboxId' | 'folder'>,
  emailId: string | null = null,
): Route => ({
  view: 'folder',
  inboxId,
  folder: FOLDERS.find((each) => each === folder) ?? 'inbox',
  threadId: id,
  ...(emailId === null ? {} : { emailId }),
})

const place = (context: CommandContext): MailPlace | null => {
  const found = mailAtHand(context)?.inThread ?? null
  return found === 'unknown' ? null : found
}

/** From an e-mail of any list to the thread that it belongs to, in that one's folder; "back" returns to the list. */
export const openConversation: Command & { readonly icon: NonNullable<Command['icon']> } = {
  id: 'thread.openConversation',
  name: 'Open conversation',
  words: 'thread whole context folder inbox reply',
  group: 'Threads',
  icon: MessagesSquare,
  keys: ['Enter', 'o'],
  when: (context) => place(context) !== null,
  otherwise: (context) => whyNoThread(context, 'opened as a conversation'),
  run: (context) => {
    const found = place(context)
    if (found !== null) context.navigator.visit(routeOfThread(found.thread, found.emailId))
  },
}
