import Bot from '@lucide/svelte/icons/bot'
import type { Command } from '../../kernel/commands.ts'

export const reviewProposals: Command = {
  id: 'assistants.review',
  name: 'Review assistant proposals…',
  words: 'AI MCP suggestions accept dismiss labels moves drafts',
  group: 'Actions',
  icon: Bot,
  when: ({ shell, session }) => !shell.isAllInboxes && session.assistants.proposals.length > 0,
  disabledReason: ({ shell }) =>
    !shell.isAllInboxes ? 'There are no proposals to review.' : 'Open a single account to review its proposals.',
  run: ({ session }) => session.assistants.review(),
}
