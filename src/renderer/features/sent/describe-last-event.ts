/** What became of a sent e-mail, in words (platform facts 6, `last_event`). */
const WORDS: Readonly<Record<string, string>> = {
  bounced: 'Bounced',
  canceled: 'Cancelled',
  clicked: 'Clicked',
  complained: 'Marked as spam',
  delivered: 'Delivered',
  delivery_delayed: 'Delayed',
  failed: 'Failed',
  opened: 'Opened',
  queued: 'Queued',
  scheduled: 'Scheduled',
  sent: 'Sent',
  suppressed: 'Suppressed',
}

/** @param event an event that is not known yet is shown as the platform names it; null where none has happened */
export const describeLastEvent = (event: string | null): string => (event === null ? '' : (WORDS[event] ?? event))
