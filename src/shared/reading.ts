import type { Attachment } from './attachments.ts'
import type { Problem } from './result.ts'

/** A time in a calendar: a whole day, or one on a clock. */
export type CalendarTime =
  /** `2026-12-01` */
  | { readonly kind: 'day'; readonly day: string }
  | {
      readonly kind: 'moment'
      /** Milliseconds since the epoch; null for a clock of which it is not known where it hangs. */
      readonly at: number | null
      /** As whoever wrote it reads it from a clock: `2026-12-01T15:00`. */
      readonly local: string
      /** Where that clock hangs, as the calendar names it: mostly `Europe/Berlin`; null for UTC and for no place at all. */
      readonly zone: string | null
    }

export interface Recurrence {
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** Every so many of them. */
  readonly every: number
  /** 0 for Sunday; `nth` for the first (1), second or last (-1) of a month. */
  readonly weekdays: readonly { readonly day: number; readonly nth: number | null }[]
  /** From 1; from the end of the month, -1. */
  readonly monthDays: readonly number[]
  /** From 1, for the days of a year. */
  readonly month?: number
  readonly count: number | null
  readonly until: CalendarTime | null
  /** Whether it has more rules than are here. */
  readonly isPartial: boolean
}

export type Answer = 'accepted' | 'declined' | 'tentative' | 'delegated'

/** Somebody in an invitation, as a stranger names them. */
export interface Invited {
  readonly name: string | null
  readonly address: string | null
  /** Null where none was given. */
  readonly answer: Answer | null
}

/** An event of a calendar (RFC 5545): a stranger's words. */
export interface CalendarEvent {
  readonly title: string | null
  readonly start: CalendarTime | null
  /** The last whole day, or the moment at which it ends; null where it is not said. */
  readonly end: CalendarTime | null
  readonly recurrence: Recurrence | null
  /** Whether this changes one time of an event that repeats. */
  readonly isOneOfSeries: boolean
  readonly place: string | null
  readonly description: string | null
  readonly organizer: Invited | null
  readonly invited: readonly Invited[]
  readonly moreInvited: number
  readonly isCancelled: boolean
  /** Whether it was changed since it was first sent. */
  readonly isUpdate: boolean
}

/** What an invitation is for (RFC 5546, 1.4); `publish` for an event that asks for nothing. */
export const INVITATION_METHODS = [
  'publish',
  'request',
  'reply',
  'add',
  'cancel',
  'refresh',
  'counter',
  'declinecounter',
] as const

/** What a calendar file in an e-mail says. */
export interface Invitation {
  readonly method: (typeof INVITATION_METHODS)[number]
  readonly events: readonly CalendarEvent[]
  /** How many more events are in the file. */
  readonly moreEvents: number
}

/** What Linnet reads of an e-mail out of its attachments, each with the one that says it. */
export type Reading =
  | { readonly kind: 'invitation'; readonly attachment: Attachment; readonly invitation: Invitation }
  /** The e-mail itself, within its signature (S/MIME). The signature is not checked. */
  | {
      readonly kind: 'signed'
      readonly attachment: Attachment
      readonly html: string | null
      readonly text: string | null
    }
  /** Of which nothing is read. */
  | { readonly kind: 'encrypted'; readonly attachment: Attachment; readonly by: 'PGP' | 'S/MIME' }
  /** What a mail server or program tells of an e-mail that was sent to it, written for programs. */
  | {
      readonly kind: 'report'
      readonly attachment: Attachment
      readonly about: 'delivery' | 'reading' | 'headers' | 'complaint'
      readonly text: string
      readonly isCut: boolean
    }
  /** Files that Outlook has packed into one of its own (`winmail.dat`). */
  | { readonly kind: 'packed'; readonly attachment: Attachment }
  /** What could not be read, and why. */
  | {
      readonly kind: 'unreadable'
      readonly attachment: Attachment
      /** `file` for an attachment of which it is not known what it is. */
      readonly what: 'invitation' | 'signed' | 'report' | 'encrypted' | 'file'
      readonly problem: Problem
    }
