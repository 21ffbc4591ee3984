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
import { canMoveTo } from '../../../shared/thread-moves.ts'
import { scopeOf, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { Command, CommandContext, Commands } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import { chosenThreads, type ChosenThreads } from './chosen-threads.ts'
import { namedThreads } from './named-threads.ts'
import type { CountedSentence } from './thread-actions-manager.svelte.ts'
import { whyNoThread, whyNotTo } from './why-no-thread.ts'

/** Sentences about threads, which are named in them: `“Berth four”`, `3 threads`. */
export interface Sentences {
  readonly done: (threads: string) => string
  readonly undone: (threads: string) => string
}

export const sayOf = (
  { done, undone }: Sentences,
  { threads, count }: Pick<ChosenThreads, 'threads' | 'count'>,
): CountedSentence => ({
  count,
  of: (changed) => {
    const named = namedThreads(threads, changed)
    return { done: done(named), undone: undone(named) }
  },
})

/**
 * Those of them for which the change makes sense. Of those that are not at hand the engine leaves alone what it makes none
 * for, and says how many there were.
 */
export const narrowed = (chosen: ChosenThreads, fits: (thread: Thread) => boolean): ChosenThreads => {
  const threads = chosen.threads.filter(fits)
  return { ...chosen, threads, count: chosen.hasOthers ? chosen.count : threads.length }
}

/**
 * Whether it makes sense for any of them.
 * @param mayFit whether it may for those that were never read, by what they were found by
 */
export const fitsAny = (
  chosen: ChosenThreads | null,
  fits: (thread: Thread) => boolean,
  mayFit: (query: ThreadQuery) => boolean,
): boolean =>
  chosen !== null &&
  (chosen.threads.some(fits) || (chosen.hasOthers && chosen.matching !== null && mayFit(chosen.matching.query)))

const canAnyMoveTo = (chosen: ChosenThreads | null, folder: MoveTarget): boolean =>
  fitsAny(
    chosen,
    (thread) => canMoveTo(thread, folder),
    (query) => scopeOf(query).some((from) => canMoveTo({ folder: from }, folder)),
  )

/**
 * Threads are about to leave their list.
 * @returns puts in their place what a person has chosen for that: a row of the list, open where one of them was, or the list
 */
export const beforeLeaving = (
  { session: { threads }, shell, navigator }: CommandContext,
  leaving: ReadonlySet<string>,
): (() => void) => {
  const { current: route } = shell.route
  const openId = isThreadRoute(route) ? route.threadId : null
  const isOpenLeaving = openId !== null && leaving.has(openId)
  const { afterMoving } = shell.preferences.values
  const towards = afterMoving === 'previous' ? 'newer' : 'older'
  const next = threads.inPlaceOf(isOpenLeaving ? openId : threads.cursor.id, leaving, towards)
  return () => {
    if (next !== null && next !== threads.cursor.id) threads.goTo(next)
    if (!isOpenLeaving) return
    // Who came from another list, such as All received, is done here.
    if (navigator.isVisiting) navigator.back()
    else navigator.openInstead(afterMoving === 'list' ? null : next)
  }
}

/** Moves threads. What takes their place is there before the engine answers. */
const move = (context: CommandContext, folder: MoveTarget, said: Sentences): void => {
  const found = chosenThreads(context)
  if (found === null) return
  const chosen = narrowed(found, (thread) => canMoveTo(thread, folder))
  const { threads, actions } = context.session
  const leaving = new Set(chosen.threads.flatMap((thread) => (threads.loses(thread, { folder }) ? [thread.id] : [])))
  const goOn = beforeLeaving(context, leaving)
  void actions.change(chosen.threads, { folder }, sayOf(said, chosen), chosen.matching)
  if (chosen.areSelected) threads.selection.clear()
  goOn()
}

type MoveEntry = Pick<Command, 'name' | 'words' | 'icon' | 'keys'> & {
  /** What becomes of the thread: `archived`. */
  readonly done: string
}

/** A command that moves threads to a folder, with the sentences about that. */
type MoveCommand = Command & { readonly folder: MoveTarget; readonly said: Sentences }

const moveCommand = (folder: MoveTarget, said: Sentences, { done, ...entry }: MoveEntry): MoveCommand => ({
  ...entry,
  folder,
  said,
  id: `thread.${folder}`,
  group: 'Actions',
  when: (context) => canAnyMoveTo(chosenThreads(context), folder),
  otherwise: (context) => whyNotTo(context, folder, done),
  run: (context) => move(context, folder, said),
})

/** The folders that a person can choose, in the order of the toolbar; `sent` is the platform's own (contract, Thread folders). */
export const MOVE_COMMANDS: readonly MoveCommand[] = [
  moveCommand(
    'inbox',
    { done: (threads) => `Moved ${threads} to inbox`, undone: (threads) => `Moved ${threads} back` },
    {
      name: 'Move to inbox',
      words: 'restore not spam unarchive take out of trash',
      icon: Inbox,
      keys: [],
      done: 'moved to the inbox',
    },
  ),
  moveCommand(
    'archive',
    { done: (threads) => `Archived ${threads}`, undone: (threads) => `Restored ${threads}` },
    { name: 'Archive', words: 'done file away', icon: Archive, keys: ['e'], done: 'archived' },
  ),
  moveCommand(
    'trash',
    { done: (threads) => `Moved ${threads} to trash`, undone: (threads) => `Restored ${threads}` },
    { name: 'Move to trash', words: 'delete remove bin', icon: Trash, keys: ['#', 'Delete'], done: 'moved to trash' },
  ),
  moveCommand(
    'spam',
    { done: (threads) => `Marked ${threads} as spam`, undone: (threads) => `Restored ${threads}` },
    { name: 'Mark as spam', words: 'junk report', icon: OctagonAlert, keys: ['!'], done: 'marked as spam' },
  ),
]

/**
 * The folders that a toolbar or a menu offers: where there is nothing to move, those that mail usually goes to, which then say
 * why.
 */
export const offeredMoves = (commands: Commands): typeof MOVE_COMMANDS => {
  const possible = MOVE_COMMANDS.filter((command) => commands.can(command))
  return possible.length > 0 ? possible : MOVE_COMMANDS.filter(({ folder }) => folder !== 'inbox')
}

/** Opens the picker of folders: whatever the commands of the folders act on is moved. */
export const moveTo: Command = {
  id: 'thread.move',
  name: 'Move to…',
  words: 'folder file put',
  group: 'Actions',
  icon: FolderInput,
  keys: ['v'],
  when: (context) => MOVE_COMMANDS.some(({ when }) => when?.(context) ?? true),
  otherwise: (context) => whyNoThread(context, 'moved'),
  run: ({ session, pointedId = null, pointedMail = null }) => session.movePicker.open({ pointedId, pointedMail }),
}

const setRead = (context: CommandContext, read: boolean): void => {
  const found = chosenThreads(context)
  if (found === null) return
  const chosen = narrowed(found, (thread) => thread.read !== read)
  const [state, other] = read ? ['read', 'unread'] : ['unread', 'read']
  const said: Sentences = {
    done: (threads) => `Marked ${threads} as ${state}`,
    undone: (threads) => `Marked ${threads} as ${other} again`,
  }
  void context.session.actions.change(chosen.threads, { read }, sayOf(said, chosen), chosen.matching)
}

const canAnyBecome = (chosen: ChosenThreads | null, read: boolean): boolean =>
  fitsAny(
    chosen,
    (thread) => thread.read !== read,
    (query) => query.read !== read,
  )

/** Whichever makes a difference to the thread. */
export const READ_COMMANDS: readonly Command[] = [
  {
    id: 'thread.read',
    name: 'Mark as read',
    words: 'seen',
    group: 'Actions',
    icon: MailOpen,
    keys: ['I'],
    when: (context) => canAnyBecome(chosenThreads(context), true),
    otherwise: (context) => whyNoThread(context, 'marked as read') ?? 'It is already read.',
    run: (context) => setRead(context, true),
  },
  {
    id: 'thread.unread',
    name: 'Mark as unread',
    words: 'unseen new',
    group: 'Actions',
    icon: Mail,
    keys: ['U'],
    when: (context) => canAnyBecome(chosenThreads(context), false),
    otherwise: (context) => whyNoThread(context, 'marked as unread') ?? 'It is already unread.',
    run: (context) => setRead(context, false),
  },
]

/** Those of them that the platform has dropped go for good, once a person has read what that means. */
export const deleteKept: Command = {
  id: 'thread.deleteKept',
  name: 'Delete from this computer…',
  words: 'remove for good permanently forever erase kept only here dropped',
  group: 'Actions',
  icon: Shredder,
  keys: ['D'],
  when: (context) =>
    fitsAny(
      chosenThreads(context),
      ({ onServer }) => !onServer,
      ({ dropped }) => dropped !== false,
    ),
  run: (context) => {
    const chosen = chosenThreads(context)
    if (chosen === null) return
    const { threads, keptDeletion } = context.session
    keptDeletion.askAboutThreads(chosen, () => {
      const going = new Set(chosen.threads.flatMap(({ id, onServer }) => (onServer ? [] : [id])))
      const goOn = beforeLeaving(context, going)
      if (chosen.areSelected) threads.selection.clear()
      goOn()
    })
  },
}

export const THREAD_COMMANDS: readonly Command[] = [
  ...MOVE_COMMANDS,
  moveTo,
  ...READ_COMMANDS,
  deleteKept,
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
