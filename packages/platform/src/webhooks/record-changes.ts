import type { Database } from '../storage/database.ts'
import type { EventSource, WebhookEventType } from './webhook-types.ts'

/** `email` covers all events of one e-mail; each other change has one event type. */
export type ChangeKind = WebhookEventType | 'email'

export interface Change {
  readonly kind: ChangeKind
  readonly source: EventSource
  /** `seq` of the changed row. */
  readonly row: number
  /** JSON of values that the row doesn't have any more, or that identify the change; `null` for none. */
  readonly details: string | null
}

interface Trigger {
  readonly kind: ChangeKind
  /** SQL between the trigger's name and `BEGIN`. */
  readonly on: string
  readonly when?: string
  readonly row: string
  /** SQL expression. */
  readonly details?: string
}

const created = (kind: ChangeKind, table: string): Trigger => ({
  kind,
  on: `AFTER INSERT ON main.${table}`,
  row: 'NEW.seq',
})

/** Deleting a label, a thread or an inbox also deletes these rows, but is no event of a label (platform.md 23.10). */
const label = (sign: 1 | -1, row: 'NEW' | 'OLD'): Trigger => ({
  kind: 'inbox.thread.labels.updated',
  on: `AFTER ${sign === 1 ? 'INSERT' : 'DELETE'} ON main.thread_labels`,
  when: `EXISTS (SELECT 1 FROM main.labels WHERE seq = ${row}.label_seq)`,
  row: `${row}.thread_seq`,
  details: `json_object('label', ${row}.label_seq, 'sign', ${sign})`,
})

const assignment = (kind: ChangeKind, isAssigned: boolean): Trigger => ({
  kind,
  on: 'AFTER UPDATE OF assignee_email ON main.threads',
  when: `NEW.assignee_email IS NOT OLD.assignee_email AND NEW.assignee_email IS ${isAssigned ? 'NOT ' : ''}NULL`,
  row: 'NEW.seq',
  details: "json_object('assignee', OLD.assignee_email)",
})

const topic = (row: string, isDeleted: boolean): string =>
  `json_object('id', ${row}.id, 'name', ${row}.name, 'description', ${row}.description,
     'default_subscription', ${row}.default_subscription, 'deleted', json('${isDeleted}'), 'created_at', ${row}.created_at)`

/** A whole {@link DomainRow}. */
const domain = (row: string): string =>
  `json_object('seq', ${row}.seq, 'id', ${row}.id, 'name', ${row}.name, 'region', ${row}.region,
     'return_path', ${row}.return_path, 'sending', ${row}.sending, 'receiving', ${row}.receiving,
     'open_tracking', ${row}.open_tracking, 'click_tracking', ${row}.click_tracking,
     'tracking_subdomain', ${row}.tracking_subdomain, 'verified', ${row}.verified,
     'check_ends_at', ${row}.check_ends_at, 'created_at', ${row}.created_at)`

/** One row for each change of the database that is an event. */
const triggers: readonly Trigger[] = [
  created('inbox.created', 'inboxes'),
  {
    kind: 'inbox.updated',
    on: 'AFTER UPDATE ON main.inboxes',
    row: 'NEW.seq',
  },
  {
    kind: 'inbox.deleted',
    on: 'AFTER DELETE ON main.inboxes',
    row: 'OLD.seq',
    details: "json_object('id', OLD.id)",
  },
  created('inbox.thread.created', 'threads'),
  {
    kind: 'inbox.thread.folder.updated',
    on: 'AFTER UPDATE OF folder ON main.threads',
    when: 'NEW.folder <> OLD.folder',
    row: 'NEW.seq',
    details: "json_object('from', OLD.folder, 'to', NEW.folder)",
  },
  assignment('inbox.thread.assigned', true),
  assignment('inbox.thread.unassigned', false),
  label(1, 'NEW'),
  label(-1, 'OLD'),
  created('email', 'emails'),
  {
    kind: 'email',
    on: 'AFTER UPDATE OF last_event, event_details ON main.emails',
    when: 'NEW.last_event IS NOT OLD.last_event OR NEW.event_details IS NOT OLD.event_details',
    row: 'NEW.seq',
    details: "json_object('event', OLD.last_event)",
  },
  created('inbox.draft.created', 'drafts'),
  {
    kind: 'inbox.draft.updated',
    on: 'AFTER UPDATE OF updated_at ON main.drafts',
    when: 'NEW.sent_at IS NULL',
    row: 'NEW.seq',
  },
  {
    kind: 'inbox.draft.sent',
    on: 'AFTER UPDATE OF sent_at ON main.drafts',
    when: 'OLD.sent_at IS NULL AND NEW.sent_at IS NOT NULL',
    row: 'NEW.seq',
  },
  {
    kind: 'inbox.draft.deleted',
    on: 'AFTER DELETE ON main.drafts',
    // Drafts that are deleted with their inbox or thread have no event.
    when: `OLD.sent_at IS NULL AND EXISTS (SELECT 1 FROM main.inboxes WHERE seq = OLD.inbox_seq)
      AND (OLD.thread_seq IS NULL OR EXISTS (SELECT 1 FROM main.threads WHERE seq = OLD.thread_seq))`,
    row: 'OLD.seq',
    details: "json_object('id', OLD.id, 'inbox', OLD.inbox_seq, 'thread', OLD.thread_seq)",
  },
  created('contact.created', 'contacts'),
  {
    kind: 'contact.updated',
    // Deleting a contact property changes only the column `properties`, of all contacts, and is no event.
    on: 'AFTER UPDATE OF first_name ON main.contacts',
    row: 'NEW.seq',
  },
  {
    kind: 'contact.deleted',
    // Before, because the contact's segments are deleted with it.
    on: 'BEFORE DELETE ON main.contacts',
    row: 'OLD.seq',
    details: `json_object('id', OLD.id, 'email', OLD.email, 'first_name', OLD.first_name, 'last_name', OLD.last_name,
      'unsubscribed', OLD.unsubscribed, 'created_at', OLD.created_at, 'segments', json((
        SELECT json_group_array(segments.id) FROM main.contact_segments JOIN main.segments ON segments.seq = segment_seq
        WHERE contact_seq = OLD.seq)))`,
  },
  {
    kind: 'contact.topics.updated',
    on: 'AFTER INSERT ON main.contact_topics',
    row: 'NEW.contact_seq',
    details: `json_object('topic', NEW.topic_seq, 'subscription', NEW.subscription)`,
  },
  created('suppression.added', 'suppressions'),
  {
    kind: 'suppression.removed',
    on: 'AFTER DELETE ON main.suppressions',
    row: 'OLD.seq',
    details: `json_object('id', OLD.id, 'email', OLD.email, 'origin', OLD.origin, 'source_id', OLD.source_id,
      'created_at', OLD.created_at)`,
  },
  { ...created('topic.created', 'topics'), details: topic('NEW', false) },
  {
    kind: 'topic.updated',
    on: 'AFTER UPDATE ON main.topics',
    row: 'NEW.seq',
    details: topic('NEW', false),
  },
  { kind: 'topic.deleted', on: 'AFTER DELETE ON main.topics', row: 'OLD.seq', details: topic('OLD', true) },
  { ...created('domain.created', 'domains'), details: domain('NEW') },
  { kind: 'domain.updated', on: 'AFTER UPDATE ON main.domains', row: 'NEW.seq', details: domain('NEW') },
  { kind: 'domain.deleted', on: 'AFTER DELETE ON main.domains', row: 'OLD.seq', details: domain('OLD') },
]

/**
 * Records changes in a temporary table, so a rolled-back change leaves no record. Triggers do it, so no code that writes
 * can forget an event. Without an enabled webhook, nothing is recorded.
 */
export function createChangeTriggers(db: Database, currentSource: () => EventSource): void {
  db.define('change_source', () => currentSource())
  db.run(
    'CREATE TEMP TABLE changes (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL, row INTEGER NOT NULL, details TEXT)',
  )
  triggers.forEach(({ kind, on, when = 'TRUE', row, details = 'NULL' }, number) => {
    db.run(
      `CREATE TEMP TRIGGER record_change_${number} ${on}
       WHEN (${when}) AND EXISTS (SELECT 1 FROM main.webhooks WHERE status = 'enabled')
       BEGIN INSERT INTO changes (kind, source, row, details) VALUES ('${kind}', change_source(), ${row}, ${details}); END`,
    )
  })
}

/** The changes recorded since the last call, in order. */
export function takeChanges(db: Database): readonly Change[] {
  const changes = db.all<Change>('SELECT kind, source, row, details FROM temp.changes ORDER BY seq')
  if (changes.length > 0) db.run('DELETE FROM temp.changes')
  return changes
}

/** Runs `work` without recording its changes. */
export function withoutRecording<Result>(db: Database, work: () => Result): Result {
  const last = db.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM temp.changes')?.seq ?? 0
  const result = work()
  db.run('DELETE FROM temp.changes WHERE seq > ?', last)
  return result
}
