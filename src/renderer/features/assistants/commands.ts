import Bot from '@lucide/svelte/icons/bot'
import type { Command } from '../../kernel/commands.ts'

export const reviewProposals: Command = {
  id: 'assistants.review',
  name: 'Review what assistants propose…',
  words: 'AI MCP proposals suggestions accept dismiss labels moves drafts',
  group: 'Actions',
  icon: Bot,
  keys: [],
  when: ({ shell, session }) => shell.across === null && session.assistants.proposals.length > 0,
  otherwise: ({ shell }) =>
    shell.across === null
      ? 'No assistant proposes anything.'
      : 'Go to the inbox of one account to see what assistants propose there.',
  run: ({ session }) => session.assistants.review(),
}
