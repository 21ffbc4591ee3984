import type { Attachment } from './attachments.ts'
import type { Problem } from './result.ts'

export type CalendarTime =
  /** For example `2026-12-01`. */
  | { readonly kind: 'day'; readonly day: string }
  | {
      readonly kind: 'moment'
      /** Milliseconds since the epoch; null if the time zone is unknown. */
      readonly at: number | null
      /** Local time as written, such as `2026-12-01T15:00`. */
      readonly local: string
      /**
       * Time zone of `local` as named by the calendar, usually like `Europe/Berlin`; null for UTC and floating times.
       */
      readonly zone: string | null
    }

export interface Recurrence {
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** Interval in units, for example 2 for every second week. */
  readonly every: number
  /** `day` is 0 for Sunday. `nth` selects the first (1), second or last (-1) such day of a month. */
  readonly weekdays: readonly { readonly day: number; readonly nth: number | null }[]
  /** Days from 1; -1 is the last day of the month. */
  readonly monthDays: readonly number[]
  /** Month from 1, for yearly rules. */
  readonly month?: number
  readonly count: number | null
  readonly until: CalendarTime | null
  /** True if the original has further rules that aren't included here. */
  readonly isPartial: boolean
}

export type InvitationResponse = 'accepted' | 'declined' | 'tentative' | 'delegated'

/** A person in an invitation. The text is untrusted. */
export interface Invitee {
  readonly name: string | null
  readonly address: string | null
  readonly answer: InvitationResponse | null
}

/** A calendar event (RFC 5545). The text is untrusted. */
export interface CalendarEvent {
  readonly title: string | null
  readonly start: CalendarTime | null
  /** The last full day, or the end time; null if not given. */
  readonly end: CalendarTime | null
  readonly recurrence: Recurrence | null
  /** True if the event changes one occurrence of a recurring event. */
  readonly isOneOfSeries: boolean
  readonly place: string | null
  readonly description: string | null
  readonly organizer: Invitee | null
  readonly invited: readonly Invitee[]
  readonly moreInvited: number
  readonly isCancelled: boolean
  /** True if the event was changed since it was first sent. */
  readonly isUpdate: boolean
}

/** Purposes of an invitation (RFC 5546, 1.4). `publish` doesn't ask for a reply. */
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
export type ParsedAttachment =
  | { readonly kind: 'invitation'; readonly attachment: Attachment; readonly invitation: Invitation }
  /** The e-mail inside an S/MIME signed message. The signature is not verified. */
  | {
      readonly kind: 'signed'
      readonly attachment: Attachment
      readonly html: string | null
      readonly text: string | null
    }
  /** Encrypted content, which isn't read. */
  | { readonly kind: 'encrypted'; readonly attachment: Attachment; readonly by: 'PGP' | 'S/MIME' }
  /** Machine-readable report by a mail server or program about an e-mail that was sent to it. */
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
      /** `file` if the type of the attachment is unknown. */
      readonly what: 'invitation' | 'signed' | 'report' | 'encrypted' | 'file'
      readonly problem: Problem
    }
