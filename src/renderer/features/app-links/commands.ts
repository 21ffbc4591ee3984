import Link from '@lucide/svelte/icons/link'
import type { AppLink } from '../../../shared/app-link.ts'
import { placeOfThread } from '../../kernel/unified/unified-ids.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'

type Given = Exclude<AppLink, { kind: 'compose' }>

const threadShown = ({ session: { conversation } }: CommandContext): Given | null => {
  const thread = conversation.conversation?.thread
  if (thread === undefined) return null
  const { inboxId, threadId } = placeOfThread(thread.id) ?? { inboxId: thread.inboxId, threadId: thread.id }
  return { kind: 'thread', inboxId, threadId }
}

const searchShown = ({ shell: { route, allInboxes } }: CommandContext): Given | null => {
  const { current } = route
  if (current.view !== 'search') return null
  return { kind: 'search', inboxId: allInboxes === null ? current.inboxId : null, query: current.query }
}

const copying = (
  linkOf: (context: CommandContext) => Given | null,
  about: Pick<Command, 'id' | 'name' | 'words' | 'group'>,
): Command => ({
  ...about,
  icon: Link,
  keys: [],
  when: (context) => linkOf(context) !== null,
  run: (context) => {
    const link = linkOf(context)
    if (link !== null) void context.session.appLinks.copy(link)
  },
})

export const APP_LINK_COMMANDS: readonly Command[] = [
  copying(threadShown, {
    id: 'link.copyThread',
    name: 'Copy link to thread',
    words: 'url address linnet share clipboard colleague',
    group: 'Actions',
  }),
  copying(searchShown, {
    id: 'link.copySearch',
    name: 'Copy link to search',
    words: 'url address linnet share clipboard colleague',
    group: 'Actions',
  }),
]
