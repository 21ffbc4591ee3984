import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import AlarmClockCheck from '@lucide/svelte/icons/alarm-clock-check'
import BellRing from '@lucide/svelte/icons/bell-ring'
import MessageCircleOff from '@lucide/svelte/icons/message-circle-off'
import Star from '@lucide/svelte/icons/star'
import VolumeOff from '@lucide/svelte/icons/volume-off'
import type { Component } from 'svelte'
import type { ThreadMark, ThreadMarks } from '../../../shared/thread-marks.ts'
import { formatShortDateTime, type DateStyle } from '../../ui/format-date.ts'

export interface MarkDescription {
  readonly mark: ThreadMark
  readonly icon: Component
  readonly short: string
  readonly long: string
}

export const describeMarks = (marks: ThreadMarks | undefined, style: DateStyle): readonly MarkDescription[] => {
  if (marks === undefined) return []
  const { isStarred, isMuted, snoozedUntil, remindAt, back } = marks
  const isUnanswered = back?.why === 'unanswered'
  return [
    ...(back === null
      ? []
      : [
          {
            mark: 'back',
            icon: isUnanswered ? MessageCircleOff : AlarmClockCheck,
            short: isUnanswered ? 'no reply' : 'back from snooze',
            long: isUnanswered
              ? `No reply by ${formatShortDateTime(back.at, style)}`
              : `Back since ${formatShortDateTime(back.at, style)}`,
          } as const,
        ]),
    ...(snoozedUntil === null
      ? []
      : [
          {
            mark: 'snoozed',
            icon: AlarmClock,
            short: `snoozed until ${formatShortDateTime(snoozedUntil, style)}`,
            long: `Snoozed until ${formatShortDateTime(snoozedUntil, style)}`,
          } as const,
        ]),
    ...(remindAt === null
      ? []
      : [
          {
            mark: 'reminder',
            icon: BellRing,
            short: `comes back ${formatShortDateTime(remindAt, style)} if no one replies`,
            long: `Comes back ${formatShortDateTime(remindAt, style)} if no one replies`,
          } as const,
        ]),
    ...(isMuted
      ? [
          {
            mark: 'muted',
            icon: VolumeOff,
            short: 'muted',
            long: 'Muted: while Linnet is running on this computer, it archives new mail in this thread and marks it as read',
          } as const,
        ]
      : []),
    ...(isStarred ? [{ mark: 'starred', icon: Star, short: 'starred', long: 'Starred' } as const] : []),
  ]
}
