import FileDown from '@lucide/svelte/icons/file-down'
import FileUp from '@lucide/svelte/icons/file-up'
import LayoutTemplate from '@lucide/svelte/icons/layout-template'
import MessageSquareQuote from '@lucide/svelte/icons/message-square-quote'
import Signature from '@lucide/svelte/icons/signature'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/palette-items.ts'
import { chooseSnippetFile } from './choose-snippet-file.ts'
import type { SenderInbox } from '../mailboxes/mailboxes-manager.svelte.ts'
import { findDefaultInbox } from './default-inbox.ts'
import { insertCannedReply, insertTemplate } from './insert-canned-reply.ts'

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
    run: ({ session }) => session.snippets.ask({ kind: 'reply', id: null, name: '', html: '' }),
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
      if (inbox === null) return
      const { snippets } = context.session
      const { id: inboxId, address } = inbox
      snippets.ask({ kind: 'signature', inboxId, address, html: snippets.signatureOf(inboxId) })
    },
  },
  {
    id: 'snippets.import',
    name: 'Import signatures and canned replies',
    words: 'file template snippet read',
    group: 'Writing',
    icon: FileUp,
    keys: [],
    run: ({ session }) => void chooseSnippetFile(session.snippets),
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

export const cannedReplyItems: PaletteSource = ({ session: { snippets, templates, writing } }) =>
  writing.composers.active === null
    ? []
    : [
        ...snippets.cannedReplies.map((reply): PaletteItem => ({
          id: `canned ${reply.id}`,
          name: `Insert canned reply: ${reply.name}`,
          detail: 'Canned reply',
          icon: MessageSquareQuote,
          go: ({ shell: { backend }, session: { mailboxes, writing: now } }) => {
            const { active } = now.composers
            if (active !== null) void insertCannedReply({ backend, mailboxes }, active.editing, reply)
          },
        })),
        ...templates.all.map((template): PaletteItem => ({
          id: `template ${template.id}`,
          name: `Insert template: ${template.name}`,
          detail: 'Template',
          icon: LayoutTemplate,
          go: ({ shell: { backend }, session: { mailboxes, templates: all, writing: now } }) => {
            const { active } = now.composers
            if (active !== null) void insertTemplate({ backend, mailboxes, templates: all }, active.editing, template)
          },
        })),
      ]
