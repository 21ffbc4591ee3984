import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import BellRing from '@lucide/svelte/icons/bell-ring'
import Star from '@lucide/svelte/icons/star'
import StarOff from '@lucide/svelte/icons/star-off'
import Volume from '@lucide/svelte/icons/volume-2'
import VolumeOff from '@lucide/svelte/icons/volume-off'
import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { ThreadSentences } from '../../../shared/thread-moves.ts'
import { isSpamOrTrash } from '../../../shared/thread-state.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { formatShortDateTime } from '../../ui/format-date.ts'
import { findChosenThreads, explainMissingThread } from './chosen-threads.ts'
import { askForTime } from './pickers.svelte.ts'
import { prepareRemoval, appliesToAnyThread, filterChosenThreads, toCountedSentence } from './commands.ts'

/** Changes local marks. When threads leave the list, moves on as after a move. */
const mark = (
  context: CommandContext,
  fits: (thread: Thread) => boolean,
  change: ThreadChange,
  said: ThreadSentences,
): void => {
  const found = findChosenThreads(context)
  if (found === null) return
  const chosen = filterChosenThreads(found, fits)
  const { threads, actions } = context.session
  const leaving = new Set(chosen.threads.flatMap((thread) => (threads.loses(thread, change) ? [thread.id] : [])))
  const moveOn = prepareRemoval(context, leaving)
  void actions.change(chosen.threads, change, toCountedSentence(said, chosen), chosen.matching)
  if (chosen.areSelected && leaving.size > 0) threads.selection.clear()
  moveOn()
}

const always = (): boolean => true

/** A command and its reverse share a key: the one with an effect runs. */
const markCommand = (
  entry: Pick<Command, 'id' | 'name' | 'words' | 'icon' | 'keys'>,
  done: string,
  fits: (thread: Thread) => boolean,
  change: ThreadChange,
  said: ThreadSentences,
): Command => ({
  ...entry,
  group: 'Actions',
  when: (context) => appliesToAnyThread(findChosenThreads(context), fits, always),
  disabledReason: (context) => explainMissingThread(context, done),
  run: (context) => mark(context, fits, change, said),
})

const isStarred = ({ marks }: Thread): boolean => marks?.isStarred === true
const isMuted = ({ marks }: Thread): boolean => marks?.isMuted === true

export const STAR_COMMANDS: readonly Command[] = [
  markCommand(
    { id: 'thread.star', name: 'Star', words: 'flag favourite favorite mark important', icon: Star, keys: ['s'] },
    'starred',
    (thread) => !isStarred(thread),
    { star: true },
    { done: (threads) => `Starred ${threads}`, undone: (threads) => `Removed the star from ${threads}` },
  ),
  markCommand(
    { id: 'thread.unstar', name: 'Remove star', words: 'unstar unflag', icon: StarOff, keys: ['s'] },
    'unstarred',
    isStarred,
    { star: false },
    { done: (threads) => `Removed the star from ${threads}`, undone: (threads) => `Starred ${threads} again` },
  ),
]

export const MUTE_COMMANDS: readonly Command[] = [
  markCommand(
    { id: 'thread.mute', name: 'Mute', words: 'ignore silence noise archive replies', icon: VolumeOff, keys: ['m'] },
    'muted',
    (thread) => !isMuted(thread),
    { mute: true },
    {
      done: (threads) => `Muted ${threads}. While Linnet is running, it archives new replies`,
      undone: (threads) => `Unmuted ${threads}`,
    },
  ),
  markCommand(
    { id: 'thread.unmute', name: 'Unmute', words: 'hear notice', icon: Volume, keys: ['m'] },
    'unmuted',
    isMuted,
    { mute: false },
    { done: (threads) => `Unmuted ${threads}`, undone: (threads) => `Muted ${threads} again` },
  ),
]

/** Mail in spam or trash is dealt with, so there is nothing to put off. */
const canWait = ({ folder }: Thread): boolean => !isSpamOrTrash(folder)

interface TimedAction {
  readonly fits: (thread: Thread) => boolean
  readonly change: (at: number | null, context: CommandContext) => ThreadChange
  readonly said: (at: number | null, context: CommandContext) => ThreadSentences
}

const formatTime = (at: number, { shell }: CommandContext): string => formatShortDateTime(at, shell.clock.style)

const TIMED_ACTIONS: Readonly<Record<'snooze' | 'remind', TimedAction>> = {
  snooze: {
    fits: canWait,
    change: (at, { shell }) => ({
      snoozedUntil: at,
      ...(at !== null && shell.preferences.values.snoozedThere === 'archive' && { folder: 'archive' }),
    }),
    said: (at, context) =>
      at === null
        ? { done: (threads) => `Moved ${threads} back to the inbox`, undone: (threads) => `Snoozed ${threads} again` }
        : {
            done: (threads) => `Snoozed ${threads} until ${formatTime(at, context)}`,
            undone: (threads) => `Moved ${threads} back`,
          },
  },
  remind: {
    fits: canWait,
    change: (at) => ({ remindAt: at }),
    said: (at, context) =>
      at === null
        ? {
            done: (threads) => `Removed the reminder for ${threads}`,
            undone: (threads) => `Set the reminder for ${threads} again`,
          }
        : {
            done: (threads) => `${threads} will come back ${formatTime(at, context)} if no one replies`,
            undone: (threads) => `Removed the reminder for ${threads}`,
          },
  },
}

const timedCommand = (
  purpose: 'snooze' | 'remind',
  entry: Pick<Command, 'id' | 'name' | 'words' | 'icon' | 'keys'>,
  done: string,
): Command => {
  const { fits, change, said } = TIMED_ACTIONS[purpose]
  return {
    ...entry,
    group: 'Actions',
    when: (context) => appliesToAnyThread(findChosenThreads(context), fits, always),
    disabledReason: (context) =>
      explainMissingThread(context, done) ??
      (purpose === 'snooze'
        ? 'You can’t snooze mail in Spam or Trash.'
        : 'You can’t set a reminder for mail in Spam or Trash.'),
    run: (context) => {
      const chosen = findChosenThreads(context)
      if (chosen === null) return
      const field = purpose === 'snooze' ? 'snoozedUntil' : 'remindAt'
      const hasTime = chosen.threads.some(({ marks }) => typeof marks?.[field] === 'number')
      askForTime(context, purpose, (at) => mark(context, fits, change(at, context), said(at, context)), hasTime)
    },
  }
}

export const snooze = timedCommand(
  'snooze',
  {
    id: 'thread.snooze',
    name: 'Snooze…',
    words: 'later hide postpone defer remind tomorrow wait until unsnooze',
    icon: AlarmClock,
    keys: ['h'],
  },
  'snoozed',
)

export const remind = timedCommand(
  'remind',
  {
    id: 'thread.remind',
    name: 'Remind me if no one replies…',
    words: 'reminder follow up nudge answer boomerang',
    icon: BellRing,
    keys: ['H'],
  },
  'followed up',
)

export const MARK_COMMANDS: readonly Command[] = [snooze, remind, ...STAR_COMMANDS, ...MUTE_COMMANDS]
