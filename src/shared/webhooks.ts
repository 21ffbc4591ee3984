/** The only events that tell about the dashboard's assignees. */
export const ASSIGNMENT_EVENTS: readonly string[] = ['inbox.thread.assigned', 'inbox.thread.unassigned']

/** The events that tell of changes in inboxes and of sent mail (platform.md 23.7 and 23.9). */
export const FEED_EVENTS = [
  ...['inbox.created', 'inbox.updated', 'inbox.deleted'],
  ...['inbox.email.received', 'inbox.email.sent'],
  ...['inbox.thread.created', 'inbox.thread.folder.updated', 'inbox.thread.labels.updated'],
  ...ASSIGNMENT_EVENTS,
  ...['inbox.draft.created', 'inbox.draft.updated', 'inbox.draft.sent', 'inbox.draft.deleted'],
  ...[
    'email.delivered',
    'email.delivery_delayed',
    'email.complained',
    'email.bounced',
    'email.failed',
    'email.suppressed',
  ],
] as const

/** How Linnet learns of changes. `endpoint` is a webhook's address without its query. */
export type FeedState =
  /** Not asked yet, no webhook with these events, or none that the key may read. */
  | { readonly kind: 'unknown' | 'none' | 'not offered' }
  | { readonly kind: 'disabled'; readonly endpoint: string }
  /** The log can't be read at the moment. */
  | { readonly kind: 'failing'; readonly endpoint: string | null; readonly reason: string }
  /**
   * The log is read. `partial`: it lacks events, so the lists are polled as usual. `distrusted`: likewise, as it recently
   * had a gap or a burst of events.
   */
  | { readonly kind: 'read' | 'partial' | 'distrusted'; readonly endpoint: string; readonly readAt: number }
