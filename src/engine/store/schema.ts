import type Database from 'better-sqlite3'
import type { Migration } from './open-database.ts'
import { runInTransaction } from './watch-database.ts'
import { PAYLOAD_JSON_SQL } from './checksummed-payload.ts'
import { ASSIGNMENT_TYPES } from './webhook-events.ts'
import { SEARCH_TABLES } from './search-index/schema.ts'

/**
 * A column with the Message-ID of a row's payload, without brackets; null if it has none or is damaged. It leads from an
 * e-mail to its copies, if the platform uses different IDs for them.
 */
const MESSAGE_ID = `message_id TEXT AS (CASE WHEN json_valid(${PAYLOAD_JSON_SQL})
      THEN nullif(trim(${PAYLOAD_JSON_SQL} ->> '$.message_id', ' <>'), '') END) STORED`

/** SQL: true for a thread whose e-mails still have to be fetched. */
export const lacksEmails = (row: '' | 'threads.' | 'NEW.' | 'OLD.'): string =>
  `${row}on_server = 1 AND ${row}emails_at IS NOT ${row}received_at`

const accountList = (table: 'received_emails' | 'sent_emails'): string => `
  CREATE TABLE ${table} (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    -- 1 if \`wire\` holds the whole e-mail, 0 if only the list's fields.
    complete INTEGER NOT NULL,
    wire TEXT NOT NULL,
    ${MESSAGE_ID}
  ) STRICT;
  CREATE INDEX ${table}_by_message_id ON ${table} (message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX ${table}_by_time ON ${table} (created_at DESC, key DESC);
  CREATE INDEX ${table}_gone ON ${table} (key) WHERE on_server = 0;`

/** SQL for the label IDs of a thread; none if they are damaged. */
const labelsOf = (row: 'NEW' | 'OLD'): string =>
  `SELECT DISTINCT value FROM json_each(iif(json_valid(${row}.label_ids), ${row}.label_ids, '[]')) WHERE type = 'text'`
const LIST_LABELS = `
    INSERT INTO thread_labels SELECT NEW.inbox_key, value, NEW.listed_at, NEW.key, NEW.on_server
      FROM (${labelsOf('NEW')}) WHERE NEW.folder NOT IN ('spam', 'trash')
      ON CONFLICT DO NOTHING;`
const UNLIST_LABELS = `
    DELETE FROM thread_labels WHERE inbox_key = OLD.inbox_key AND listed_at = OLD.listed_at AND thread_key = OLD.key
      AND label_id IN (${labelsOf('OLD')});`

/**
 * Tables of the cache. `wire` columns hold the platform's latest state, including unknown fields. The other columns
 * hold the state shown to the user, with pending changes applied.
 */
const MAIL = `
  CREATE TABLE inboxes (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    -- 1 if the user added it by ID: a platform may not list all of its inboxes.
    added INTEGER NOT NULL DEFAULT 0,
    wire TEXT NOT NULL
  ) STRICT;

  CREATE TABLE labels (
    inbox_key INTEGER NOT NULL REFERENCES inboxes (key),
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    -- 0 if the platform has deleted the label. Thread payloads may name it until the threads are fetched again.
    on_server INTEGER NOT NULL DEFAULT 1,
    wire TEXT NOT NULL,
    PRIMARY KEY (inbox_key, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE threads (
    key INTEGER PRIMARY KEY,
    inbox_key INTEGER NOT NULL REFERENCES inboxes (key),
    id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    -- Sort key in folder and label lists: received_at, or the time of the thread's return to the inbox if later.
    listed_at INTEGER NOT NULL,
    -- The folder as displayed. 'snoozed' exists only on this computer.
    folder TEXT NOT NULL,
    read INTEGER NOT NULL,
    -- JSON. Includes the user's marks, as labels that no platform has ('mark:starred').
    label_ids TEXT NOT NULL,
    -- 1 if any of the thread's e-mails was sent from the inbox.
    has_outbound INTEGER NOT NULL,
    -- 1 if the sent list shows the thread, which may also be in another folder.
    in_sent INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    snippet TEXT,
    -- E-mails up to this activity time are cached. If it equals received_at, none are missing.
    emails_at INTEGER,
    -- Senders of the thread's cached e-mails, newest first (JSON, thread-rows.ts); null until they are read.
    writers TEXT,
    -- 1 if the newest cached e-mail is from a person outside the account, so that the thread waits in the inbox.
    waits INTEGER NOT NULL DEFAULT 0,
    -- Time at which the thread was first seen in the trash, milliseconds since the epoch. The platform doesn't say when
    -- it moved there, but deletes it 30 days later (platform.md 7.3). Null in other folders.
    trashed_at INTEGER,
    wire TEXT NOT NULL,
    UNIQUE (inbox_key, id)
  ) STRICT;
  -- Covering indexes: with all columns of their conditions, rows are counted and skipped without being read.
  CREATE INDEX threads_by_folder ON threads (inbox_key, folder, listed_at DESC, on_server);
  CREATE INDEX threads_in_sent ON threads (inbox_key, listed_at DESC, on_server, in_sent) WHERE in_sent = 1;
  CREATE INDEX threads_lacking_emails ON threads (inbox_key, received_at DESC, on_server, emails_at)
    WHERE ${lacksEmails('')};
  CREATE INDEX threads_only_here ON threads (inbox_key, listed_at DESC, on_server, folder)
    WHERE on_server = 0 AND folder NOT IN ('spam', 'trash');
  CREATE INDEX threads_gone ON threads (key) WHERE on_server = 0;
  CREATE INDEX threads_waiting ON threads (inbox_key, received_at DESC, on_server) WHERE waits = 1 AND folder = 'inbox';

  -- Rows of label lists: one per thread and label, except for threads in spam and trash (platform.md 9.12). Kept by
  -- triggers.
  CREATE TABLE thread_labels (
    inbox_key INTEGER NOT NULL,
    label_id TEXT NOT NULL,
    listed_at INTEGER NOT NULL,
    thread_key INTEGER NOT NULL REFERENCES threads (key),
    on_server INTEGER NOT NULL,
    PRIMARY KEY (inbox_key, label_id, listed_at DESC, thread_key DESC)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER label_new_thread AFTER INSERT ON threads WHEN NEW.label_ids <> '[]' BEGIN ${LIST_LABELS}
  END;
  CREATE TRIGGER label_removed_thread AFTER DELETE ON threads WHEN OLD.label_ids <> '[]' BEGIN ${UNLIST_LABELS}
  END;
  CREATE TRIGGER label_changed_thread AFTER UPDATE ON threads
    WHEN (NEW.label_ids <> '[]' OR OLD.label_ids <> '[]')
      AND (NEW.label_ids, NEW.listed_at, NEW.on_server, NEW.folder IN ('spam', 'trash'))
        <> (OLD.label_ids, OLD.listed_at, OLD.on_server, OLD.folder IN ('spam', 'trash')) BEGIN
    ${UNLIST_LABELS} ${LIST_LABELS}
  END;

  CREATE TABLE emails (
    key INTEGER PRIMARY KEY,
    thread_key INTEGER NOT NULL REFERENCES threads (key),
    id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    wire TEXT NOT NULL,
    ${MESSAGE_ID},
    UNIQUE (thread_key, id)
  ) STRICT;
  CREATE INDEX emails_by_message_id ON emails (message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX emails_gone ON emails (thread_key) WHERE on_server = 0;

${accountList('received_emails')}
${accountList('sent_emails')}
  -- The event log of the team's webhook, as far as it was read (event-feed.ts). state 0: to be handled; 1: only its payload
  -- is missing; 2: done. payload: the part that Linnet uses (JSON).
  CREATE TABLE webhook_events (
    id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    state INTEGER NOT NULL,
    inbox_id TEXT,
    thread_id TEXT,
    email_id TEXT,
    payload TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_events_by_time ON webhook_events (at DESC);
  CREATE INDEX webhook_events_of_assignments ON webhook_events (inbox_id, thread_id, at DESC) WHERE type IN ${ASSIGNMENT_TYPES};
  CREATE INDEX webhook_events_by_state ON webhook_events (state, at DESC);
  CREATE INDEX webhook_events_by_thread ON webhook_events (inbox_id, thread_id, at) WHERE thread_id IS NOT NULL;
  CREATE INDEX webhook_events_by_email ON webhook_events (email_id, at DESC) WHERE email_id IS NOT NULL;

  CREATE TABLE account_meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Bodies of over half a million characters. Their e-mails' payloads have only their lengths and checksums.
  CREATE TABLE large_bodies (
    email_key INTEGER NOT NULL REFERENCES emails (key) ON DELETE CASCADE,
    -- 'html' or 'text'.
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (email_key, name)
  ) STRICT;

`

/** Columns of the table `thread_counts`, for a row of `threads`. */
const countedColumns = (row: '' | 'NEW.' | 'OLD.'): string =>
  `${row}inbox_key, ${row}folder, ${row}read, ${row}in_sent, ${row}on_server, ${lacksEmails(row)}`

const countThread = (row: 'NEW.' | 'OLD.', difference: 1 | -1): string => `
    INSERT INTO thread_counts VALUES (${countedColumns(row)}, ${difference})
      ON CONFLICT DO UPDATE SET threads = threads + excluded.threads;`

/** Numbers of threads in each state, kept by triggers, so that a list is counted from a few rows. */
const COUNTS = `
  CREATE TABLE thread_counts (
    inbox_key INTEGER NOT NULL,
    folder TEXT NOT NULL,
    read INTEGER NOT NULL,
    in_sent INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    -- 1 if the thread's e-mails still have to be fetched.
    lacks_emails INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    PRIMARY KEY (inbox_key, folder, read, in_sent, on_server, lacks_emails)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER count_new_thread AFTER INSERT ON threads BEGIN ${countThread('NEW.', 1)}
  END;
  CREATE TRIGGER count_removed_thread AFTER DELETE ON threads BEGIN ${countThread('OLD.', -1)}
  END;
  CREATE TRIGGER count_changed_thread AFTER UPDATE ON threads
    WHEN (${countedColumns('NEW.')}) <> (${countedColumns('OLD.')}) BEGIN ${countThread('OLD.', -1)} ${countThread('NEW.', 1)}
  END;
`

const COUNTED = `SELECT ${countedColumns('')}, count(*) FROM threads GROUP BY 1, 2, 3, 4, 5, 6`
const STORED = 'SELECT * FROM thread_counts WHERE threads <> 0'

/** Counts all threads again if damage to the file changed their numbers. On a full disk, intact files must open. */
export const repairThreadCounts = (database: Database.Database): void => {
  const findDifference = database.prepare(
    `SELECT 1 FROM (${COUNTED} EXCEPT ${STORED}) UNION ALL SELECT 1 FROM (${STORED} EXCEPT ${COUNTED}) LIMIT 1`,
  )
  if (findDifference.get() === undefined) return
  runInTransaction(database, () => database.exec(`DELETE FROM thread_counts; INSERT INTO thread_counts ${COUNTED};`))
}

/** Triggers that add a row to the queue for each e-mail of a table, and remove it. */
const queueEmails = (table: string, list: 0 | 1 | 2, time: string): string => `
  CREATE TRIGGER queue_${table} AFTER INSERT ON ${table} BEGIN
    INSERT INTO prefetch_queue (list, row_key, id, at, is_duplicate)
      VALUES (${list}, NEW.key, NEW.id, NEW.${time},
        ${list} <> 2 AND EXISTS (SELECT 1 FROM prefetch_queue WHERE id = NEW.id AND list = 2));
  END;
  CREATE TRIGGER unqueue_${table} AFTER DELETE ON ${table} BEGIN
    DELETE FROM prefetch_queue WHERE list = ${list} AND row_key = OLD.key;
  END;`

/** A trigger that has an e-mail fetched again if its payload was damaged. */
const fetchAgain = (table: string, list: 0 | 1): string => `
  CREATE TRIGGER fetch_${table}_again AFTER UPDATE OF complete ON ${table}
    WHEN NEW.complete = 0 AND OLD.complete = 1 BEGIN
    UPDATE prefetch_queue SET state = 0, failures = 0, retry_at = 0 WHERE list = ${list} AND row_key = NEW.key;
  END;`

/** More tables about the mail: its files, data still to be fetched, permanent local deletions, and deliveries. */
const OTHER_TABLES = `
  -- Files next to this one, each named by the digest of its bytes.
  CREATE TABLE blobs (
    key TEXT NOT NULL UNIQUE,
    -- SHA-256 in hexadecimal.
    digest TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    content_type TEXT,
    -- The LRU disk quota that the file belongs to; null if it is never evicted.
    share TEXT,
    -- Milliseconds since the epoch.
    fetched_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX blobs_by_digest ON blobs (digest);
  CREATE INDEX blobs_by_use ON blobs (share, used_at) WHERE share IS NOT NULL;
  -- Files that are never evicted. If several keys refer to one file, its bytes count once.
  CREATE INDEX permanent_blobs ON blobs (digest, bytes) WHERE share IS NULL;

  -- Archiving progress: e-mails to fetch completely before the platform deletes them. Triggers add and remove a row for
  -- each e-mail in a thread or an account-wide list.
  CREATE TABLE prefetch_queue (
    -- 0 received, 1 sent, 2 in a thread. Threads come last: once the lists are done, most of their e-mails are stored.
    list INTEGER NOT NULL,
    -- Key of the e-mail in its own table.
    row_key INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- Time at which it was received or sent, milliseconds since the epoch.
    at INTEGER NOT NULL,
    -- 0 to do; 1 complete; 2 text stored, but no space for its files; 3 text stored, but the platform doesn't provide
    -- the rest; 4 removed by the platform before its text was stored.
    state INTEGER NOT NULL DEFAULT 0,
    -- 1 if a thread has the same e-mail, which is then counted there.
    is_duplicate INTEGER NOT NULL DEFAULT 0,
    -- Number of consecutive failures, and the time of the next retry.
    failures INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (list, row_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX prefetch_queue_to_do ON prefetch_queue (at DESC, list, row_key) WHERE state = 0;
  CREATE INDEX prefetch_queue_by_id ON prefetch_queue (id);
  CREATE INDEX prefetch_queue_counts ON prefetch_queue (is_duplicate, state, at);

  ${queueEmails('emails', 2, 'received_at')}
  CREATE TRIGGER count_once AFTER INSERT ON emails BEGIN
    UPDATE prefetch_queue SET is_duplicate = 1 WHERE id = NEW.id AND list <> 2;
  END;
  ${queueEmails('received_emails', 0, 'created_at')}
  ${queueEmails('sent_emails', 1, 'created_at')}
  ${fetchAgain('received_emails', 0)}
  ${fetchAgain('sent_emails', 1)}

  -- Mail that the user permanently deleted when this computer had the only copy. Salvaging a broken cache must not
  -- restore it, and its pending changes are obsolete.
  CREATE TABLE deleted_mail (
    -- 'threads', 'received' or 'sent'.
    list TEXT NOT NULL,
    -- ID of the thread's inbox; empty for account-wide lists.
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Milliseconds since the epoch.
    at INTEGER NOT NULL,
    PRIMARY KEY (list, scope, id)
  ) STRICT, WITHOUT ROWID;

  -- Reading a damaged or missing file deletes its row. Fetch it again if the platform still has the e-mail.
  CREATE TRIGGER keep_file_again AFTER DELETE ON blobs WHEN OLD.share IS NULL BEGIN
    UPDATE prefetch_queue SET state = 0, failures = 0, retry_at = 0
    WHERE state <> 0 AND id = CASE
      WHEN OLD.key GLOB 'original received:*' THEN substr(OLD.key, 19)
      WHEN OLD.key GLOB 'attachments of sent:*' THEN substr(OLD.key, 21)
      WHEN OLD.key GLOB 'attachment [[]*' AND json_valid(substr(OLD.key, 12))
        THEN json_extract(substr(OLD.key, 12), '$[#-2]')
    END;
  END;

  -- Delivery state of sent e-mails, by their ID in the account's sent list. Times are in milliseconds since the epoch.
  CREATE TABLE deliveries (
    sent_id TEXT PRIMARY KEY,
    -- The platform's event name; null if none is known yet.
    last_event TEXT,
    -- Times at which this event was first received and last confirmed.
    learned_at INTEGER,
    confirmed_at INTEGER,
    -- Time and thread of a message sent from this computer; null for messages sent elsewhere.
    sent_at INTEGER,
    inbox_id TEXT,
    thread_id TEXT,
    -- 1 once the user has been notified of the failed delivery.
    is_notified INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_followed ON deliveries (sent_at) WHERE sent_at IS NOT NULL AND is_notified = 0;

  CREATE TRIGGER forget_delivery AFTER DELETE ON sent_emails BEGIN
    DELETE FROM deliveries WHERE sent_id = OLD.id;
  END;
`

/** Contacts as displayed, and other data of the account that isn't mail. */
const ACCOUNT = `
  CREATE TABLE contacts (
    key INTEGER PRIMARY KEY,
    -- Until the platform has the contact, the address in \`canonicalizeAddress\` form, or the former ID of a deleted one.
    id TEXT NOT NULL UNIQUE,
    -- In \`canonicalizeAddress\` form.
    address TEXT NOT NULL,
    -- Number of the last list crawl that found the contact.
    round INTEGER NOT NULL,
    -- The change that created the contact here; null for all others.
    made_by TEXT,
    -- Null until the platform has the contact.
    wire TEXT,
    -- The payload with pending changes applied; null if nothing is pending.
    shown TEXT,
    -- The other columns hold the displayed state. Sort key of the list; null while the contact is about to be deleted.
    listed_at INTEGER,
    unsubscribed INTEGER NOT NULL,
    -- Text to search, and sort key by name (contacts.ts).
    folded TEXT NOT NULL,
    sort_name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX contacts_by_address ON contacts (address);
  -- Covering indexes, as a search reads all contacts.
  CREATE INDEX contacts_by_time ON contacts (listed_at DESC, id DESC, unsubscribed, folded)
    WHERE listed_at IS NOT NULL;
  CREATE INDEX contacts_by_name ON contacts (sort_name, id, listed_at, unsubscribed, folded)
    WHERE listed_at IS NOT NULL;

  -- Small responses, each under a name: segments, contact properties and topics, the segments and topics of each
  -- contact, and suppressed addresses.
  CREATE TABLE payloads (
    name TEXT PRIMARY KEY,
    -- Milliseconds since the epoch.
    fetched_at INTEGER NOT NULL,
    wire TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Known members of segments.
  CREATE TABLE segment_members (
    segment_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    -- Number of the last crawl of the segment that found the contact.
    round INTEGER NOT NULL,
    -- Pending change: 1 to add the contact, 0 to remove it; null for none. A round of -1 means that the platform doesn't
    -- have the membership.
    pending INTEGER,
    PRIMARY KEY (segment_id, contact_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX segment_members_by_contact ON segment_members (contact_id);

  -- The platform's published templates, with the contents fetched so far.
  CREATE TABLE templates (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The platform's timestamp. Content stored for an earlier one is outdated.
    updated_at TEXT NOT NULL,
    -- Value of updated_at when the body was requested; null if it never was.
    body_version TEXT,
    -- Null if the content is too large or complex for Linnet.
    body TEXT,
    -- Stored outside the body because lists show it.
    subject TEXT
  ) STRICT, WITHOUT ROWID;
`

export const cacheSchema: Migration = { version: 1, sql: [MAIL, COUNTS, SEARCH_TABLES, OTHER_TABLES, ACCOUNT].join('') }
