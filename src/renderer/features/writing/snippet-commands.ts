import FileDown from '@lucide/svelte/icons/file-down'
import FileUp from '@lucide/svelte/icons/file-up'
import MessageSquareQuote from '@lucide/svelte/icons/message-square-quote'
import Signature from '@lucide/svelte/icons/signature'
import type { Command, CommandContext, PaletteItem, PaletteSource } from '../../kernel/commands.ts'
import type { SenderInbox } from '../mailboxes/mailboxes-manager.svelte.ts'
import { findDefaultInbox } from './default-inbox.ts'
import { describeInsertable, insertSnippet } from './insert-canned-reply.ts'
import { NEW_REPLY } from './snippets-manager.svelte.ts'

/** Inbox whose signature to edit: that of the message being written, else the displayed one. */
const findSignatureInbox = ({ session }: CommandContext): SenderInbox | null => {
  const id = session.writing.composers.active?.editing.inboxId ?? findDefaultInbox(session)
  return (id === null ? undefined : session.mailboxes.sender(id)) ?? null
}

const writingCommand = (entry: Omit<Command, 'group' | 'keys'>): Command => ({ group: 'Writing', keys: [], ...entry })

export const SNIPPET_COMMANDS: readonly Command[] = [
  writingCommand({
    id: 'snippets.newReply',
    name: 'New canned reply',
    words: 'template snippet saved answer text placeholder',
    icon: MessageSquareQuote,
    run: ({ session }) => session.snippets.ask(NEW_REPLY),
  }),
  writingCommand({
    id: 'snippets.signature',
    name: 'Edit signature',
    words: 'inbox name below message',
    icon: Signature,
    when: (context) => findSignatureInbox(context) !== null,
    run: (context) => {
      const inbox = findSignatureInbox(context)
      const { snippets } = context.session
      if (inbox !== null) snippets.ask(snippets.signatureFor(inbox))
    },
  }),
  writingCommand({
    id: 'snippets.import',
    name: 'Import signatures and canned replies',
    words: 'file read template snippet',
    icon: FileUp,
    run: ({ session }) => void session.snippets.import(),
  }),
  writingCommand({
    id: 'snippets.export',
    name: 'Export signatures and canned replies',
    words: 'file save template snippet',
    icon: FileDown,
    run: ({ session }) => void session.snippets.export(),
  }),
]

export const cannedReplyItems: PaletteSource = ({ session }) =>
  session.writing.composers.active === null
    ? []
    : session.snippets.insertables.map((each): PaletteItem => {
        const isReply = each.kind === 'reply'
        return {
          id: `${isReply ? 'canned' : 'template'} ${each.id}`,
          name: `Insert ${isReply ? 'canned reply' : 'template'}: ${each.name}`,
          detail: isReply ? 'Canned reply' : 'Template',
          icon: describeInsertable(each).icon,
          go: ({ shell, session: { mailboxes, writing } }) => {
            const { active } = writing.composers
            if (active !== null) void insertSnippet(shell, mailboxes, active.editing, each)
          },
        }
      })
