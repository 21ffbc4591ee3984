import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import BellRing from '@lucide/svelte/icons/bell-ring'
import Star from '@lucide/svelte/icons/star'
import StarOff from '@lucide/svelte/icons/star-off'
import Volume from '@lucide/svelte/icons/volume-2'
import VolumeOff from '@lucide/svelte/icons/volume-off'
import type { Thread, ThreadChange } from '../../../shared/model.ts'
import { isSpamOrTrash } from '../../../shared/thread-state.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { formatMoment } from '../../ui/format-date.ts'
import { chosenThreads } from './chosen-threads.ts'
import { prepareRemoval, fitsAny, narrowed, countedText, type Sentences } from './commands.ts'
import type { TimePurpose } from './time-picker.svelte.ts'
import { whyNoThread } from './why-no-thread.ts'

/** Changes local marks. When threads leave the list, moves on as after a move. */
const mark = (
  context: CommandContext,
  fits: (thread: Thread) => boolean,
  change: ThreadChange,
  said: Sentences,
): void => {
  const found = chosenThreads(context)
  if (found === null) return
  const chosen = narrowed(found, fits)
  const { threads, actions } = context.session
  const leaving = new Set(chosen.threads.flatMap((thread) => (threads.loses(thread, change) ? [thread.id] : [])))
  const moveOn = prepareRemoval(context, leaving)
  void actions.change(chosen.threads, change, countedText(said, chosen), chosen.matching)
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
  said: Sentences,
): Command => ({
  ...entry,
  group: 'Actions',
  when: (context) => fitsAny(chosenThreads(context), fits, always),
  disabledReason: (context) => whyNoThread(context, done),
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
    { id: 'thread.mute', name: 'Mute', words: 'ignore silence noise archive new mail', icon: VolumeOff, keys: ['m'] },
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

interface Later {
  readonly fits: (thread: Thread) => boolean
  readonly change: (at: number | null, context: CommandContext) => ThreadChange
  readonly said: (at: number | null, context: CommandContext) => Sentences
}

const dated = (at: number, { shell }: CommandContext): string => formatMoment(at, shell.clock.style)

const LATER: Readonly<Record<TimePurpose, Later>> = {
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
            done: (threads) => `Snoozed ${threads} until ${dated(at, context)}`,
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
            done: (threads) => `${threads} will come back ${dated(at, context)} if no one replies`,
            undone: (threads) => `Removed the reminder for ${threads}`,
          },
  },
}

const laterCommand = (
  purpose: TimePurpose,
  entry: Pick<Command, 'id' | 'name' | 'words' | 'icon' | 'keys'>,
  done: string,
): Command => {
  const { fits, change, said } = LATER[purpose]
  return {
    ...entry,
    group: 'Actions',
    when: (context) => fitsAny(chosenThreads(context), fits, always),
    disabledReason: (context) =>
      whyNoThread(context, done) ??
      (purpose === 'snooze'
        ? 'You can’t snooze mail in Spam or Trash.'
        : 'You can’t set a reminder for mail in Spam or Trash.'),
    run: (context) => {
      const chosen = chosenThreads(context)
      if (chosen === null) return
      context.session.timePicker.open(purpose, chosen, (at) =>
        mark(context, fits, change(at, context), said(at, context)),
      )
    },
  }
}

export const snooze = laterCommand(
  'snooze',
  {
    id: 'thread.snooze',
    name: 'Snooze…',
    words: 'later hide postpone defer remind tomorrow wait until',
    icon: AlarmClock,
    keys: ['h'],
  },
  'snoozed',
)

export const remind = laterCommand(
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
