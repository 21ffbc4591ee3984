import FileDown from '@lucide/svelte/icons/file-down'
import FileUp from '@lucide/svelte/icons/file-up'
import LayoutTemplate from '@lucide/svelte/icons/layout-template'
import MessageSquareQuote from '@lucide/svelte/icons/message-square-quote'
import Signature from '@lucide/svelte/icons/signature'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/palette-items.ts'
import type { SenderInbox } from '../mailboxes/mailboxes-manager.svelte.ts'
import { findDefaultInbox } from './default-inbox.ts'
import { insertSnippet, listInsertables } from './insert-canned-reply.ts'

/** Inbox whose signature to edit: that of the message being written, else the displayed one. */
const findSignatureInbox = ({ session }: CommandContext): SenderInbox | null => {
  const id = session.writing.composers.active?.editing.inboxId ?? findDefaultInbox(session)
  return (id === null ? undefined : session.mailboxes.sender(id)) ?? null
}

export const SNIPPET_COMMANDS: readonly Command[] = [
  {
    id: 'snippets.newReply',
    name: 'New canned reply',
    words: 'template snippet saved answer text placeholder',
    group: 'Writing',
    icon: MessageSquareQuote,
    keys: [],
    run: ({ session }) => (session.snippets.asked = { kind: 'reply', id: null, name: '', html: '' }),
  },
  {
    id: 'snippets.signature',
    name: 'Edit signature',
    words: 'inbox name below message',
    group: 'Writing',
    icon: Signature,
    keys: [],
    when: (context) => findSignatureInbox(context) !== null,
    run: (context) => {
      const inbox = findSignatureInbox(context)
      const { snippets } = context.session
      if (inbox !== null) snippets.asked = snippets.signatureFor(inbox)
    },
  },
  {
    id: 'snippets.import',
    name: 'Import signatures and canned replies',
    words: 'file template snippet read',
    group: 'Writing',
    icon: FileUp,
    keys: [],
    run: ({ session }) => void session.snippets.import(),
  },
  {
    id: 'snippets.export',
    name: 'Export signatures and canned replies',
    words: 'file template snippet save',
    group: 'Writing',
    icon: FileDown,
    keys: [],
    run: ({ session }) => void session.snippets.export(),
  },
]

export const cannedReplyItems: PaletteSource = ({ session }) =>
  session.writing.composers.active === null
    ? []
    : listInsertables(session).map((each): PaletteItem => {
        const isReply = each.kind === 'reply'
        return {
          id: `${isReply ? 'canned' : 'template'} ${each.id}`,
          name: `Insert ${isReply ? 'canned reply' : 'template'}: ${each.name}`,
          detail: isReply ? 'Canned reply' : 'Template',
          icon: isReply ? MessageSquareQuote : LayoutTemplate,
          go: ({ shell: { backend }, session: now }) => {
            const { active } = now.writing.composers
            if (active !== null) void insertSnippet(backend, now, active.editing, each)
          },
        }
      })
