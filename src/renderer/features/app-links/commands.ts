import Link from '@lucide/svelte/icons/link'
import type { AppLink } from '../../../shared/app-link.ts'
import { parseUnifiedThreadId } from '../../../shared/unified-ids.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'

type CopyableLink = Exclude<AppLink, { kind: 'compose' }>

const threadShown = ({ session: { conversation } }: CommandContext): CopyableLink | null => {
  const thread = conversation.conversation?.thread
  if (thread === undefined) return null
  const { inboxId, threadId } = parseUnifiedThreadId(thread.id) ?? { inboxId: thread.inboxId, threadId: thread.id }
  return { kind: 'thread', inboxId, threadId }
}

const searchShown = ({ shell: { route, isAllInboxes } }: CommandContext): CopyableLink | null => {
  const { current } = route
  if (current.view !== 'search') return null
  return { kind: 'search', inboxId: isAllInboxes ? null : current.inboxId, query: current.query }
}

const createCopyCommand = (
  linkOf: (context: CommandContext) => CopyableLink | null,
  about: Pick<Command, 'id' | 'name' | 'words' | 'group'>,
): Command => ({
  ...about,
  icon: Link,
  when: (context) => linkOf(context) !== null,
  run: (context) => {
    const link = linkOf(context)
    if (link !== null) void context.session.appLinks.copy(link)
  },
})

export const APP_LINK_COMMANDS: readonly Command[] = [
  createCopyCommand(threadShown, {
    id: 'link.copyThread',
    name: 'Copy link to thread',
    words: 'url address linnet share clipboard colleague',
    group: 'Actions',
  }),
  createCopyCommand(searchShown, {
    id: 'link.copySearch',
    name: 'Copy link to search',
    words: 'url address linnet share clipboard colleague',
    group: 'Actions',
  }),
]
