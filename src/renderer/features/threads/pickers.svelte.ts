import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import BellRing from '@lucide/svelte/icons/bell-ring'
import Clock from '@lucide/svelte/icons/clock'
import X from '@lucide/svelte/icons/x'
import type { Component } from 'svelte'
import type { Session, Shell } from '../../kernel/session.ts'
import { formatShortDateTime } from '../../ui/format-date.ts'
import {
  formatTypedTime,
  suggestTimes,
  parseLaterTime,
  MAX_RESURFACE_DAYS,
  MAX_SCHEDULE_DAYS,
} from '../../ui/later-times.ts'
import type { PickerOption } from '../../ui/picker-option.ts'

export interface PickerEntry extends PickerOption {
  /** Colour of the swatch before the name. */
  readonly color?: string
  /** Person whose badge stands before the name; null if the icon takes the place of a badge. */
  readonly person?: string | null
  readonly choose: () => void
}

/** Everything that one picker shows and does. `ThreadPicker.svelte` draws it. */
export interface PickerQuestion {
  readonly title: string
  readonly icon?: Component
  readonly label: string
  readonly placeholder?: string
  readonly listLabel: string
  /** The text at first, selected. */
  readonly prefill?: string
  /** Reactive. `nothing` is shown without options; `faults` say why the typed text can't be used. */
  readonly find: (typed: string) => {
    readonly options: readonly PickerEntry[]
    readonly nothing: string
    readonly faults?: readonly string[]
    /** Set if several options can be ticked. `count` is the number of changes so far. */
    readonly apply?: { readonly count: number; readonly run: () => void }
    readonly button?: { readonly label: string; readonly run: () => void }
  }
  readonly startAt?: number
  readonly about?: string
}

/** The picker in front of the mail: labels, people, folders, or times. */
export class PickerManager {
  isOpen = $state(false)
  typed = $state('')
  /** The question in the picker, or the last one. */
  asked = $state.raw<PickerQuestion | null>(null)

  open(asked: PickerQuestion): void {
    this.asked = asked
    this.isOpen = true
  }
}

const SEND = { icon: Clock, placeholder: 'Send… (e.g. tomorrow 9:00)', end: '', maxDays: MAX_SCHEDULE_DAYS } as const
const TIME_QUESTIONS = {
  snooze: {
    icon: AlarmClock,
    title: 'Snooze until',
    placeholder: 'Snooze until… (e.g. fri 9am)',
    end: 'Unsnooze',
    maxDays: MAX_RESURFACE_DAYS,
  },
  remind: {
    icon: BellRing,
    title: 'Remind me if no one replies',
    placeholder: 'Remind me… (e.g. in 3 days)',
    end: 'No reminder',
    maxDays: MAX_RESURFACE_DAYS,
  },
  send: { ...SEND, title: 'Send later' },
  reschedule: { ...SEND, title: 'Reschedule' },
} as const

interface TimeContext {
  readonly session: Pick<Session, 'picker'>
  readonly shell: Pick<Shell, 'clock'>
}

/**
 * Asks for a time. @param choose receives milliseconds since the epoch, or null to clear the current time @param hasTime
 * true if a time that the user may clear is already set @param current time to start from
 */
export const askForTime = (
  { session: { picker }, shell: { clock } }: TimeContext,
  purpose: keyof typeof TIME_QUESTIONS,
  choose: (at: number | null) => void,
  hasTime = false,
  current?: number,
): void => {
  const prefill = current === undefined ? '' : formatTypedTime(current)
  const { end, maxDays, ...question } = TIME_QUESTIONS[purpose]
  const entry = (name: string, at: number | null) => ({
    ...{ name, at },
    icon: at === null ? X : question.icon,
    detail: at === null ? '' : formatShortDateTime(at, clock.style),
    choose: () => choose(at),
  })
  picker.open({
    ...question,
    prefill,
    label: 'Type a time',
    listLabel: 'Times',
    find: (typed) => {
      const read = parseLaterTime(typed, clock.now, maxDays)
      const times = suggestTimes(clock.now, purpose === 'reschedule' ? 'send' : purpose)
      const offered = [...times.map(({ name, at }) => entry(name, at)), ...(hasTime ? [entry(end, null)] : [])]
      const words = typed === prefill ? '' : typed.trim().toLowerCase()
      const named = offered.filter(({ name }) => name.toLowerCase().includes(words))
      if (!('at' in read)) return { options: named, nothing: read.problem }
      return { options: [entry(typed.trim(), read.at), ...named.filter(({ at }) => at !== read.at)], nothing: '' }
    },
    ...(maxDays === MAX_SCHEDULE_DAYS && { about: 'The platform sends it, whether Linnet runs or not.' }),
  })
}

/** Asks when to send a message. @param choose receives milliseconds since the epoch @param current time to start from */
export const askForSendTime = (
  context: TimeContext,
  purpose: 'send' | 'reschedule',
  choose: (at: number) => void,
  current?: number,
): void =>
  askForTime(
    context,
    purpose,
    (at) => {
      if (at !== null) choose(at)
    },
    false,
    current,
  )

export class ThreadDrag {
  /** ID of the dragged row, or null for the selection. Null again after a drop, a cancelled drag or Escape. */
  dragged = $state.raw<{ readonly pointedId: string | null } | null>(null)

  drag(dragged: ThreadDrag['dragged']): void {
    this.dragged = dragged
  }
}
