import Archive from '@lucide/svelte/icons/archive'
import FolderInput from '@lucide/svelte/icons/folder-input'
import Inbox from '@lucide/svelte/icons/inbox'
import Mail from '@lucide/svelte/icons/mail'
import MailOpen from '@lucide/svelte/icons/mail-open'
import MailWarning from '@lucide/svelte/icons/mail-warning'
import Redo from '@lucide/svelte/icons/redo-2'
import Trash from '@lucide/svelte/icons/trash-2'
import Undo from '@lucide/svelte/icons/undo-2'
import type { MoveTarget, Thread } from '../../../shared/model.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { isThreadRoute, type ThreadRoute } from '../../kernel/route.ts'
import { canMoveTo } from './thread-moves.ts'

const routeOf = ({ shell }: CommandContext): ThreadRoute | null => {
  const { current } = shell.route
  return isThreadRoute(current) ? current : null
}

/** The thread that commands act on: the open one, else the one under the cursor. */
const targetOf = (context: CommandContext): Thread | null => {
  const { threads, conversation } = context.session
  const route = routeOf(context)
  if (route === null || threads.rows === null) return null
  const underCursor = threads.cursor.row(threads.rows) ?? null
  // Where the cursor stands on the open thread, no list has to be gone through for it.
  if (route.threadId === null || underCursor?.id === route.threadId) return underCursor
  return threads.thread(route.threadId) ?? conversation.conversation?.thread ?? null
}

/** Moves a thread. Where it is open and leaves its list, the next one takes its place before the engine answers. */
const move = (context: CommandContext, folder: MoveTarget, said: string): void => {
  const thread = targetOf(context)
  if (thread === null) return
  const { threads, actions } = context.session
  const neighbour = threads.neighbourOf(thread.id)
  const isLeaving = threads.loses(thread, { folder })
  void actions.change([thread], { folder }, said)
  if (routeOf(context)?.threadId === thread.id && isLeaving) context.navigator.openInstead(neighbour)
}

type MoveEntry = Pick<Command, 'name' | 'words' | 'icon' | 'keys'>

const moveCommand = (
  folder: MoveTarget,
  said: string,
  entry: MoveEntry,
): Command & { readonly folder: MoveTarget } => ({
  ...entry,
  folder,
  id: `thread.${folder}`,
  group: 'Actions',
  when: (context) => {
    const thread = targetOf(context)
    return thread !== null && canMoveTo(thread, folder)
  },
  run: (context) => move(context, folder, said),
})

/** The folders that a person can choose, in the order of the toolbar; `sent` is the platform's own (contract, Thread folders). */
export const MOVE_COMMANDS: readonly (Command & { readonly folder: MoveTarget })[] = [
  moveCommand('inbox', 'Moved to inbox.', {
    name: 'Move to inbox',
    words: 'restore not spam unarchive take out of trash',
    icon: Inbox,
    keys: [],
  }),
  moveCommand('archive', 'Archived.', { name: 'Archive', words: 'done file away', icon: Archive, keys: ['e'] }),
  moveCommand('trash', 'Moved to trash.', {
    name: 'Move to trash',
    words: 'delete remove bin',
    icon: Trash,
    keys: ['#'],
  }),
  moveCommand('spam', 'Marked as spam.', {
    name: 'Mark as spam',
    words: 'junk report',
    icon: MailWarning,
    keys: ['!'],
  }),
]

/** Opens the picker of folders: whatever the commands of the folders act on is moved. */
export const moveTo: Command = {
  id: 'thread.move',
  name: 'Move to…',
  words: 'folder file put',
  group: 'Actions',
  icon: FolderInput,
  keys: ['v'],
  when: (context) => MOVE_COMMANDS.some(({ when }) => when?.(context) ?? true),
  run: ({ session }) => {
    session.movePicker.isOpen = true
  },
}

const setRead = (context: CommandContext, read: boolean): void => {
  const thread = targetOf(context)
  if (thread === null) return
  void context.session.actions.change([thread], { read }, read ? 'Marked as read.' : 'Marked as unread.')
}

/** Whichever makes a difference to the thread. */
export const READ_COMMANDS: readonly Command[] = [
  {
    id: 'thread.read',
    name: 'Mark as read',
    words: 'seen',
    group: 'Actions',
    icon: MailOpen,
    keys: ['I'],
    when: (context) => targetOf(context)?.read === false,
    run: (context) => setRead(context, true),
  },
  {
    id: 'thread.unread',
    name: 'Mark as unread',
    words: 'unseen new',
    group: 'Actions',
    icon: Mail,
    keys: ['U'],
    when: (context) => targetOf(context)?.read === true,
    run: (context) => setRead(context, false),
  },
]

export const THREAD_COMMANDS: readonly Command[] = [
  ...MOVE_COMMANDS,
  moveTo,
  ...READ_COMMANDS,
  {
    id: 'thread.undo',
    name: 'Undo',
    words: 'take back revert',
    group: 'Actions',
    icon: Undo,
    keys: ['z', 'Mod+z'],
    when: ({ session }) => session.actions.canUndo,
    otherwise: 'There is nothing to undo.',
    run: ({ session }) => session.actions.undo(),
  },
  {
    id: 'thread.redo',
    name: 'Redo',
    words: 'do again repeat',
    group: 'Actions',
    icon: Redo,
    keys: ['Mod+Shift+z'],
    when: ({ session }) => session.actions.canRedo,
    otherwise: 'There is nothing to redo.',
    run: ({ session }) => session.actions.redo(),
  },
]
