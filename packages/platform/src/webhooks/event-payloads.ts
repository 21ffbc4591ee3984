import { showDomainInEvent } from '../endpoints/domains.ts'
import { showDraftWithoutBody } from '../endpoints/drafts.ts'
import { showInbox } from '../endpoints/inboxes.ts'
import { parseStringArray } from '../endpoints/shapes.ts'
import { showThreadEmailWithoutBody } from '../endpoints/thread-emails.ts'
import { showSummary } from '../endpoints/threads.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { parseMailboxes } from '../mail/addresses.ts'
import type { ContactRow } from '../storage/contacts.ts'
import type { Database } from '../storage/database.ts'
import type { DomainRow } from '../storage/domains.ts'
import { type DraftRow, SELECT_DRAFTS } from '../storage/drafts.ts'
import { type EmailRow, type LastEvent, loadAttachments } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import type { SuppressionRow } from '../storage/suppressions.ts'
import type { LabelRow, ThreadRow } from '../storage/threads.ts'
import type { WebhookEventType } from './webhook-types.ts'
import type { Change, ChangeKind } from './record-changes.ts'

export interface NewEvent {
  readonly type: WebhookEventType
  readonly data: object
}

interface Context {
  readonly db: Database
  /** Milliseconds since 1970: time of the event. */
  readonly now: number
}

type Builder = (context: Context, change: Change) => readonly NewEvent[]

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the trigger determines the type
const detailsOf = <Details>({ details }: Change): Details => JSON.parse(details ?? '{}') as Details

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows the table's row type
const rowOf = <Row>(db: Database, table: string, seq: number | null): Row | undefined =>
  db.get<Row>(`SELECT * FROM ${table} WHERE seq = ?`, seq)

/** An event of an inbox that may be gone. */
const inboxEvent: Builder = ({ db }, { kind, source, row }) => {
  const inbox = rowOf<InboxRow>(db, 'inboxes', row)
  return inbox ? [event(kind, { source, inbox_id: inbox.id, inbox: showInbox(db, inbox) })] : []
}

/** An event of a thread. A thread that is gone has none. */
const threadEvent =
  (extra: (context: Context, change: Change, thread: ThreadRow) => object | null): Builder =>
  (context, change) => {
    const place = placeOf(context.db, change.row)
    const data = place && extra(context, change, place.thread)
    return place && data ? [event(change.kind, { source: change.source, ...place.shown, ...data })] : []
  }

const draftEvent: Builder = ({ db }, { kind, source, row }) => {
  const draft = db.get<DraftRow & { readonly thread_seq: number | null }>(`${SELECT_DRAFTS} WHERE drafts.seq = ?`, row)
  const inbox = draft && rowOf<InboxRow>(db, 'inboxes', draft.inbox_seq)
  if (!draft || !inbox) return []
  const email =
    draft.email_id === null ? undefined : db.get<EmailRow>('SELECT * FROM emails WHERE id = ?', draft.email_id)
  const sent = email ? { email_id: email.id, email: showThreadEmailWithoutBody(db, email) } : {}
  const place = placeOf(db, draft.thread_seq)?.shown ?? {}
  const shown = showDraftWithoutBody(db, draft)
  return [event(kind, { source, inbox_id: inbox.id, ...place, draft_id: draft.id, ...sent, draft: shown })]
}

const topicEvent: Builder = ({ now }, change) => {
  const topic = detailsOf<{ created_at: number }>(change)
  const times = { created_at: formatIsoTimestamp(topic.created_at), updated_at: formatIsoTimestamp(now) }
  return [event(change.kind, { ...topic, ...times })]
}

const domainEvent: Builder = (_, change) => [event(change.kind, showDomainInEvent(detailsOf<DomainRow>(change)))]

const contactEvent: Builder = ({ db, now }, { kind, row }) => {
  const contact = rowOf<ContactRow>(db, 'contacts', row)
  if (!contact) return []
  const segments = db.all<{ id: string }>(
    'SELECT segments.id FROM contact_segments JOIN segments ON segments.seq = segment_seq WHERE contact_seq = ?',
    row,
  )
  return [
    event(
      kind,
      showContact(
        contact,
        segments.map(({ id }) => id),
        now,
      ),
    ),
  ]
}

const suppressionEvent = (kind: ChangeKind, row: Omit<SuppressionRow, 'seq'>): NewEvent =>
  event(kind, {
    id: row.id,
    email: row.email,
    origin: row.origin,
    source_id: row.source_id,
    created_at: formatIsoTimestamp(row.created_at),
  })

const builders: Readonly<Partial<Record<ChangeKind, Builder>>> = {
  'inbox.created': inboxEvent,
  'inbox.updated': inboxEvent,
  'inbox.deleted': (_, change) => [
    event(change.kind, { source: change.source, inbox_id: detailsOf<{ id: string }>(change).id }),
  ],
  'inbox.thread.created': threadEvent(({ db }, _, thread) => {
    const first = db.get<EmailRow>('SELECT * FROM emails WHERE thread_seq = ? ORDER BY seq LIMIT 1', thread.seq)
    // The mail pipeline creates threads, whoever sent the e-mail (vendor documentation, "inbox.thread.created").
    return first ? { source: 'system', email_id: first.id, email: showThreadEmailWithoutBody(db, first) } : null
  }),
  'inbox.thread.folder.updated': threadEvent((_, change) => detailsOf(change)),
  'inbox.thread.assigned': threadEvent((_, change, thread) => ({
    assignee_email: thread.assignee_email,
    assigned_by_email: thread.assigned_by_email,
    previous_assignee_email: detailsOf<{ assignee: string | null }>(change).assignee,
  })),
  'inbox.thread.unassigned': threadEvent((_, change) => ({
    previous_assignee_email: detailsOf<{ assignee: string | null }>(change).assignee,
  })),
  'inbox.thread.labels.updated': threadEvent(({ db }, change) => {
    const details = detailsOf<{ label: number; sign: 1 | -1 }>(change)
    const label = rowOf<LabelRow>(db, 'labels', details.label)
    if (!label) return null
    const labels = [{ id: label.id, name: label.name, color: label.color }]
    return details.sign === 1 ? { added: labels, removed: [] } : { added: [], removed: labels }
  }),
  email: buildEmailEvents,
  'inbox.draft.created': draftEvent,
  'inbox.draft.updated': draftEvent,
  'inbox.draft.sent': draftEvent,
  'inbox.draft.deleted': ({ db }, change) => {
    const { id, inbox, thread } = detailsOf<{ id: string; inbox: number; thread: number | null }>(change)
    const inboxId = rowOf<InboxRow>(db, 'inboxes', inbox)?.id
    const data = { source: change.source, inbox_id: inboxId, ...placeOf(db, thread)?.shown, draft_id: id }
    return inboxId === undefined ? [] : [event(change.kind, data)]
  },
  'contact.created': contactEvent,
  'contact.updated': contactEvent,
  'contact.deleted': ({ now }, change) => {
    const contact = detailsOf<ContactRow & { readonly segments: readonly string[] }>(change)
    return [event(change.kind, showContact(contact, contact.segments, now))]
  },
  'contact.topics.updated': ({ db }, change) => {
    const contact = rowOf<ContactRow>(db, 'contacts', change.row)
    const topics = detailsOf<readonly { readonly topic: number; readonly subscription: string }[]>(change).flatMap(
      ({ topic, subscription }) => {
        const id = rowOf<{ id: string }>(db, 'topics', topic)?.id
        return id === undefined ? [] : [{ id, subscription }]
      },
    )
    return contact && topics.length > 0 ? [event(change.kind, { email: contact.email, topics })] : []
  },
  'suppression.added': ({ db }, { kind, row }) => {
    const suppression = rowOf<SuppressionRow>(db, 'suppressions', row)
    return suppression ? [suppressionEvent(kind, suppression)] : []
  },
  'suppression.removed': (_, change) => [suppressionEvent(change.kind, detailsOf<SuppressionRow>(change))],
  'topic.created': topicEvent,
  'topic.updated': topicEvent,
  'topic.deleted': topicEvent,
  'domain.created': domainEvent,
  'domain.updated': domainEvent,
  'domain.deleted': domainEvent,
}

/** The events of a change, with payloads as in the vendor's documentation, "Event Types". */
export function buildEvents(context: Context, change: Change): readonly NewEvent[] {
  return builders[change.kind]?.(context, change) ?? []
}

function event(kind: ChangeKind, data: object): NewEvent {
  if (kind === 'email') throw new Error('A change of an e-mail has no event type of its own.')
  return { type: kind, data }
}

/** A thread with the fields that locate it in a payload. */
function placeOf(db: Database, threadSeq: number | null) {
  const thread = rowOf<ThreadRow>(db, 'threads', threadSeq)
  const inbox = thread && rowOf<InboxRow>(db, 'inboxes', thread.inbox_seq)
  if (!thread || !inbox) return null
  return { thread, shown: { inbox_id: inbox.id, thread_id: thread.id, thread: showSummary(db, thread) } }
}

function showContact(
  contact: Omit<ContactRow, 'seq' | 'properties'>,
  segments: readonly string[],
  now: number,
): object {
  return {
    id: contact.id,
    audience_id: segments[0] ?? '',
    segment_ids: segments,
    created_at: formatIsoTimestamp(contact.created_at),
    updated_at: formatIsoTimestamp(now),
    email: contact.email,
    first_name: contact.first_name,
    last_name: contact.last_name,
    unsubscribed: contact.unsubscribed === 1,
  }
}

/** Delivery events with a type of their own; `queued` and `canceled` have none. */
const emailEvents: Readonly<Partial<Record<LastEvent, WebhookEventType>>> = {
  sent: 'email.sent',
  scheduled: 'email.scheduled',
  delivered: 'email.delivered',
  delivery_delayed: 'email.delivery_delayed',
  complained: 'email.complained',
  bounced: 'email.bounced',
  opened: 'email.opened',
  clicked: 'email.clicked',
  failed: 'email.failed',
  suppressed: 'email.suppressed',
}

function buildEmailEvents({ db }: Context, change: Change): readonly NewEvent[] {
  const email = rowOf<EmailRow>(db, 'emails', change.row)
  if (!email) return []
  // The mail pipeline sends these, so the source is always `system` (vendor documentation, "inbox.email.sent").
  const place = placeOf(db, email.thread_seq)?.shown
  const inInbox = (type: WebhookEventType): readonly NewEvent[] =>
    place
      ? [
          {
            type,
            data: { source: 'system', ...place, email_id: email.id, email: showThreadEmailWithoutBody(db, email) },
          },
        ]
      : []
  if (email.direction === 'inbound') {
    return [{ type: 'email.received', data: showReceived(db, email) }, ...inInbox('inbox.email.received')]
  }
  const { event: previous } = detailsOf<{ event?: LastEvent | null }>(change)
  const isNew = previous === undefined || previous === 'scheduled'
  const types = [
    ...(isNew && email.last_event === 'delivered' ? ['email.sent' as const] : []),
    ...(email.last_event === null ? [] : [emailEvents[email.last_event] ?? []].flat()),
  ]
  const isLeaving = isNew && email.last_event !== 'scheduled' && email.last_event !== 'canceled'
  const data = showSent(email)
  return [
    ...types.map((type) => ({ type, data: type === 'email.sent' ? data : { ...data, ...eventDetails(email) } })),
    ...(isLeaving ? inInbox('inbox.email.sent') : []),
  ]
}

function showSent(email: EmailRow): object {
  const tags = JSON.parse(email.tags ?? '[]') as readonly { readonly name: string; readonly value: string }[]
  return {
    created_at: formatIsoTimestamp(email.received_at),
    email_id: email.id,
    message_id: email.message_id ?? '',
    from: email.sender,
    to: parseStringArray(email.recipients),
    subject: email.subject ?? '',
    ...(email.template_id === null ? {} : { template_id: email.template_id }),
    ...(tags.length === 0 ? {} : { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) }),
  }
}

const suppressedMessage =
  'This address is on the suppression list of the account, so the email was not sent. This does not count as a bounce.'

function eventDetails({ last_event: name, event_details: details }: EmailRow): object {
  const suppressed = { message: suppressedMessage, type: 'OnAccountSuppressionList' }
  return { ...(name === 'suppressed' ? { suppressed } : {}), ...(JSON.parse(details ?? '{}') as object) }
}

function showReceived(db: Database, email: EmailRow): object {
  return {
    email_id: email.id,
    created_at: formatIsoTimestamp(email.received_at),
    // Only the address; the name is in the headers (vendor documentation, "email.received").
    from: parseMailboxes(email.sender)[0]?.address ?? '',
    to: parseStringArray(email.recipients),
    bcc: parseStringArray(email.bcc),
    cc: parseStringArray(email.cc),
    received_for: parseStringArray(email.delivered_to),
    message_id: email.message_id ?? '',
    subject: email.subject ?? '',
    attachments: loadAttachments(db, email.seq).map((attachment) => ({
      id: attachment.id,
      filename: attachment.filename,
      content_type: attachment.content_type,
      content_disposition: attachment.content_disposition,
      content_id: attachment.content_id,
    })),
  }
}
