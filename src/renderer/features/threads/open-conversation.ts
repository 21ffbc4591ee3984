import MailOpen from '@lucide/svelte/icons/mail-open'
import MessagesSquare from '@lucide/svelte/icons/messages-square'
import { FOLDERS, type Thread } from '../../../shared/model.ts'
import type { Command } from '../../kernel/commands.ts'
import type { Route } from '../../kernel/route.ts'
import { findTargetMail, findTargetThread, explainMissingThread } from './chosen-threads.ts'

/** Route to a thread in its own list, optionally at one of its e-mails. */
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

/** Opens the thread of an e-mail in the thread's folder; "back" returns to the list. */
export const openConversation: Command & { readonly icon: NonNullable<Command['icon']> } = {
  id: 'thread.openConversation',
  name: 'Go to thread',
  words: 'open conversation whole context folder inbox reply',
  group: 'Threads',
  icon: MessagesSquare,
  keys: ['Enter', 'o'],
  when: (context) => findTargetThread(context) !== null,
  disabledReason: (context) => explainMissingThread(context, 'opened in its thread'),
  run: (context) => {
    const found = findTargetThread(context)
    if (found !== null) context.shell.route.visit(routeOfThread(found.thread, found.emailId))
  },
}

/** For an e-mail without a loaded thread: opens it alone, in its own list. */
export const openEmail: Command = {
  id: 'email.open',
  name: 'Open message',
  words: 'read show alone itself',
  group: 'Threads',
  icon: MailOpen,
  keys: ['Enter', 'o'],
  when: (context) => findTargetThread(context) === null && (findTargetMail(context)?.email ?? null) !== null,
  run: (context) => {
    const email = findTargetMail(context)?.email ?? null
    if (email === null) return
    const { navigator, shell } = context
    if (shell.route.current.view === email.list) navigator.open(email.id)
    else shell.route.visit({ view: email.list, id: email.id })
  },
}
