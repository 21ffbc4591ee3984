import Archive from '@lucide/svelte/icons/archive'
import FolderInput from '@lucide/svelte/icons/folder-input'
import Inbox from '@lucide/svelte/icons/inbox'
import Mail from '@lucide/svelte/icons/mail'
import MailOpen from '@lucide/svelte/icons/mail-open'
import OctagonAlert from '@lucide/svelte/icons/octagon-alert'
import Shredder from '@lucide/svelte/icons/shredder'
import Redo from '@lucide/svelte/icons/redo-2'
import Trash from '@lucide/svelte/icons/trash-2'
import Undo from '@lucide/svelte/icons/undo-2'
import type { MoveTarget, Thread } from '../../../shared/model.ts'
import { canMoveTo, MOVE_SENTENCES, type ThreadSentences } from '../../../shared/thread-moves.ts'
import { resolveQueryFolders, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { Command, CommandContext, Commands } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import {
  findChosenThreads,
  type ChosenThreads,
  explainMissingThread,
  explainUnavailableMove,
} from './chosen-threads.ts'
import { folderName } from '../mailboxes/mailbox-names.ts'
import { describeThreads } from './describe-threads.ts'
import { askToDeleteThreads } from './local-mail-deletion.svelte.ts'
import type { PickerEntry } from './pickers.svelte.ts'
import type { CountedSentence } from './thread-actions-manager.svelte.ts'

export const toCountedSentence = (
  { done, undone }: ThreadSentences,
  { threads, count }: Pick<ChosenThreads, 'threads' | 'count'>,
): CountedSentence => ({
  count,
  of: (changed) => {
    const named = describeThreads(threads, changed)
    return { done: done(named), undone: undone(named) }
  },
})

/**
 * Keeps the threads that the change applies to. For threads not loaded, the engine decides and reports how many it
 * changed.
 */
export const filterChosenThreads = (chosen: ChosenThreads, fits: (thread: Thread) => boolean): ChosenThreads => {
  const threads = chosen.threads.filter(fits)
  return { ...chosen, threads, count: chosen.hasUnloaded ? chosen.count : threads.length }
}

/** True if the change makes sense for any chosen thread. @param mayFit decides by query for threads never loaded */
export const appliesToAnyThread = (
  chosen: ChosenThreads | null,
  fits: (thread: Thread) => boolean,
  mayFit: (query: ThreadQuery) => boolean,
): boolean =>
  chosen !== null &&
  (chosen.threads.some(fits) || (chosen.hasUnloaded && chosen.matching !== null && mayFit(chosen.matching.query)))

const canAnyMoveTo = (chosen: ChosenThreads | null, folder: MoveTarget): boolean =>
  appliesToAnyThread(
    chosen,
    (thread) => canMoveTo(thread, folder),
    (query) => resolveQueryFolders(query).some((from) => canMoveTo({ folder: from }, folder)),
  )

/**
 * Call before threads leave their list.
 * @returns a function that moves on as the user prefers: to a nearby row, opened if an open thread leaves, or to the
 * list
 */
export const prepareRemoval = (
  { session: { threads }, shell, navigator }: CommandContext,
  leaving: ReadonlySet<string>,
): (() => void) => {
  const { current: route } = shell.route
  const openId = isThreadRoute(route) ? route.threadId : null
  const isOpenThreadRemoved = openId !== null && leaving.has(openId)
  const { afterMoving } = shell.preferences.values
  const towards = afterMoving === 'previous' ? 'newer' : 'older'
  const next = threads.successorOf(isOpenThreadRemoved ? openId : threads.cursor.id, leaving, towards)
  return () => {
    if (next !== null && next !== threads.cursor.id) threads.goTo(next)
    if (!isOpenThreadRemoved) return
    // The user came from another list, such as All received, and is done here.
    if (navigator.isVisiting) navigator.back()
    else navigator.replaceOpen(afterMoving === 'list' ? null : next)
  }
}

/** Moves threads and shows what replaces them before the engine responds. */
const move = (context: CommandContext, folder: MoveTarget): void => {
  const found = findChosenThreads(context)
  if (found === null) return
  const chosen = filterChosenThreads(found, (thread) => canMoveTo(thread, folder))
  const { threads, actions } = context.session
  const leaving = new Set(chosen.threads.flatMap((thread) => (threads.loses(thread, { folder }) ? [thread.id] : [])))
  const moveOn = prepareRemoval(context, leaving)
  void actions.change(chosen.threads, { folder }, toCountedSentence(MOVE_SENTENCES[folder], chosen), chosen.matching)
  if (chosen.areSelected) threads.selection.clear()
  moveOn()
}

type MoveEntry = Pick<Command, 'name' | 'words' | 'icon' | 'keys' | 'isDestructive'> & {
  /** Past participle for sentences: `archived`. */
  readonly done: string
}

type MoveCommand = Command & { readonly folder: MoveTarget }

const moveCommand = (folder: MoveTarget, { done, ...entry }: MoveEntry): MoveCommand => ({
  ...entry,
  folder,
  id: `thread.${folder}`,
  group: 'Actions',
  when: (context) => canAnyMoveTo(findChosenThreads(context), folder),
  disabledReason: (context) => explainUnavailableMove(context, folder, done),
  run: (context) => move(context, folder),
})

/** Folders the user can choose, in toolbar order. Only the platform files mail in `sent` (platform.md 7.2). */
export const MOVE_COMMANDS: readonly MoveCommand[] = [
  moveCommand('inbox', {
    name: 'Move to inbox',
    words: 'restore not spam unarchive take out of trash',
    icon: Inbox,
    done: 'moved to the inbox',
  }),
  moveCommand('archive', { name: 'Archive', words: 'done file away', icon: Archive, keys: ['e'], done: 'archived' }),
  moveCommand('trash', {
    name: 'Move to trash',
    words: 'delete message thread mail remove bin',
    isDestructive: true,
    icon: Trash,
    keys: ['#', 'Delete'],
    done: 'moved to trash',
  }),
  moveCommand('spam', {
    name: 'Mark as spam',
    words: 'junk report',
    isDestructive: true,
    icon: OctagonAlert,
    keys: ['!'],
    done: 'marked as spam',
  }),
]

/** Folders for a toolbar or menu. If no move is possible, the usual ones, which then explain why. */
export const listOfferedMoves = (commands: Commands): typeof MOVE_COMMANDS => {
  const possible = MOVE_COMMANDS.filter((command) => commands.can(command))
  return possible.length > 0 ? possible : MOVE_COMMANDS.filter(({ folder }) => folder !== 'inbox')
}

const beginsAny = (text: string, wanted: string): boolean =>
  text
    .toLocaleLowerCase()
    .split(' ')
    .some((word) => word.startsWith(wanted))

/** Folders by name first, then by the command's other words. */
const findFolders = (context: CommandContext, typed: string): readonly PickerEntry[] => {
  const wanted = typed.trim().toLocaleLowerCase()
  const byName = MOVE_COMMANDS.filter(({ folder }) => beginsAny(folderName(folder), wanted))
  const others = MOVE_COMMANDS.filter((command) => !byName.includes(command))
  const byWords = others.filter(({ name, words }) => beginsAny(`${name} ${words}`, wanted))
  return [...byName, ...byWords].map((command) => {
    const isPossible = command.when?.(context) === true
    return {
      ...{ name: folderName(command.folder), icon: command.icon, isPossible },
      detail: isPossible ? '' : 'already there',
      caps: context.keymap.capsOf(command),
      choose: () => command.run(context),
    }
  })
}

export const moveTo: Command = {
  id: 'thread.move',
  name: 'Move to…',
  words: 'folder file put',
  group: 'Actions',
  icon: FolderInput,
  keys: ['v'],
  when: (context) => MOVE_COMMANDS.some(({ when }) => when?.(context) ?? true),
  disabledReason: (context) => explainMissingThread(context, 'moved'),
  run: (context) =>
    context.session.picker.open({
      title: 'Move to',
      label: 'Find a folder',
      placeholder: 'Move to…',
      listLabel: 'Folders',
      find: (typed) => ({ options: findFolders(context, typed), nothing: 'No folder has this name.' }),
    }),
}

const setRead = (context: CommandContext, read: boolean): void => {
  const found = findChosenThreads(context)
  if (found === null) return
  const chosen = filterChosenThreads(found, (thread) => thread.read !== read)
  const [state, other] = read ? ['read', 'unread'] : ['unread', 'read']
  const said: ThreadSentences = {
    done: (threads) => `Marked ${threads} as ${state}`,
    undone: (threads) => `Marked ${threads} as ${other} again`,
  }
  void context.session.actions.change(chosen.threads, { read }, toCountedSentence(said, chosen), chosen.matching)
}

const canAnyBecome = (chosen: ChosenThreads | null, read: boolean): boolean =>
  appliesToAnyThread(
    chosen,
    (thread) => thread.read !== read,
    (query) => query.read !== read,
  )

export const READ_COMMANDS: readonly Command[] = [
  {
    id: 'thread.read',
    name: 'Mark as read',
    words: 'seen',
    group: 'Actions',
    icon: MailOpen,
    keys: ['I'],
    when: (context) => canAnyBecome(findChosenThreads(context), true),
    disabledReason: (context) => explainMissingThread(context, 'marked as read') ?? 'Already marked as read.',
    run: (context) => setRead(context, true),
  },
  {
    id: 'thread.unread',
    name: 'Mark as unread',
    words: 'unseen new',
    group: 'Actions',
    icon: Mail,
    keys: ['U'],
    when: (context) => canAnyBecome(findChosenThreads(context), false),
    disabledReason: (context) => explainMissingThread(context, 'marked as unread') ?? 'Already marked as unread.',
    run: (context) => setRead(context, false),
  },
]

/** Permanently deletes threads that the platform has dropped, after a dialog that explains it. */
export const deleteLocalOnlyThreads: Command = {
  id: 'thread.deleteKept',
  name: 'Delete from this computer…',
  words: 'remove for good permanently forever erase kept only here dropped',
  isDestructive: true,
  group: 'Actions',
  icon: Shredder,
  keys: ['D'],
  when: (context) =>
    appliesToAnyThread(
      findChosenThreads(context),
      ({ onServer }) => !onServer,
      ({ dropped }) => dropped !== false,
    ),
  run: (context) => {
    const chosen = findChosenThreads(context)
    if (chosen === null) return
    const { threads } = context.session
    askToDeleteThreads(context, chosen, () => {
      const going = new Set(chosen.threads.flatMap(({ id, onServer }) => (onServer ? [] : [id])))
      const moveOn = prepareRemoval(context, going)
      if (chosen.areSelected) threads.selection.clear()
      moveOn()
    })
  },
}

export const THREAD_COMMANDS: readonly Command[] = [
  ...MOVE_COMMANDS,
  moveTo,
  ...READ_COMMANDS,
  deleteLocalOnlyThreads,
  {
    id: 'thread.undo',
    name: 'Undo',
    words: 'take back revert',
    group: 'Actions',
    icon: Undo,
    keys: ['z', 'Mod+z'],
    when: ({ session }) => session.actions.canUndo,
    disabledReason: 'There is nothing to undo.',
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
    disabledReason: 'There is nothing to redo.',
    run: ({ session }) => session.actions.redo(),
  },
]
