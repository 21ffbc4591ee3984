import type { Attachment } from './attachments.ts'
import type { Problem } from './result.ts'

export type CalendarTime =
  /** `2026-12-01` */
  | { readonly kind: 'day'; readonly day: string }
  | {
      readonly kind: 'moment'
      /** Milliseconds since the epoch; null if the time zone is unknown. */
      readonly at: number | null
      /** Local time as written: `2026-12-01T15:00`. */
      readonly local: string
      /** Time zone of `local`, as the calendar names it, mostly `Europe/Berlin`; null for UTC and floating times. */
      readonly zone: string | null
    }

export interface Recurrence {
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** Interval, in units. */
  readonly every: number
  /** 0 for Sunday; `nth` for the first (1), second or last (-1) of a month. */
  readonly weekdays: readonly { readonly day: number; readonly nth: number | null }[]
  /** From 1; -1 is the last day of the month. */
  readonly monthDays: readonly number[]
  /** From 1, for yearly rules. */
  readonly month?: number
  readonly count: number | null
  readonly until: CalendarTime | null
  /** True if some of its rules are missing here. */
  readonly isPartial: boolean
}

export type Answer = 'accepted' | 'declined' | 'tentative' | 'delegated'

/** A person in an invitation. Untrusted text. */
export interface Invitee {
  readonly name: string | null
  readonly address: string | null
  readonly answer: Answer | null
}

/** A calendar event (RFC 5545). Untrusted text. */
export interface CalendarEvent {
  readonly title: string | null
  readonly start: CalendarTime | null
  /** The last entire day, or the end time; null if not given. */
  readonly end: CalendarTime | null
  readonly recurrence: Recurrence | null
  /** True if this changes one occurrence of a recurring event. */
  readonly isOneOfSeries: boolean
  readonly place: string | null
  readonly description: string | null
  readonly organizer: Invitee | null
  readonly invited: readonly Invitee[]
  readonly moreInvited: number
  readonly isCancelled: boolean
  /** True if it was changed since it was first sent. */
  readonly isUpdate: boolean
}

/** Purpose of an invitation (RFC 5546, 1.4); `publish` requests nothing. */
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

export interface Invitation {
  readonly method: (typeof INVITATION_METHODS)[number]
  readonly events: readonly CalendarEvent[]
  readonly moreEvents: number
}

/** Parsed content of an e-mail's attachment. */
export type Reading =
  | { readonly kind: 'invitation'; readonly attachment: Attachment; readonly invitation: Invitation }
  /** The e-mail inside an S/MIME signature, which is not verified. */
  | {
      readonly kind: 'signed'
      readonly attachment: Attachment
      readonly html: string | null
      readonly text: string | null
    }
  /** Not read at all. */
  | { readonly kind: 'encrypted'; readonly attachment: Attachment; readonly by: 'PGP' | 'S/MIME' }
  /** Machine-readable report by a mail server or program about an e-mail sent to it. */
  | {
      readonly kind: 'report'
      readonly attachment: Attachment
      readonly about: 'delivery' | 'reading' | 'headers' | 'complaint'
      readonly text: string
      readonly isCut: boolean
    }
  /** Files packed by Outlook (`winmail.dat`). */
  | { readonly kind: 'packed'; readonly attachment: Attachment }
  | {
      readonly kind: 'unreadable'
      readonly attachment: Attachment
      /** `file` if the attachment's type is unknown. */
      readonly what: 'invitation' | 'signed' | 'report' | 'encrypted' | 'file'
      readonly problem: Problem
    }
