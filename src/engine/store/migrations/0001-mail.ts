import type { Migration } from '../open-database.ts'

/**
 * `wire` columns hold what the platform last said, unknown fields included. The columns beside `wire` are what the
 * person sees: the platform's word with the changes that are still on their way laid over it.
 */
export const mail: Migration = {
  version: 1,
  sql: `
    CREATE TABLE inboxes (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      position INTEGER NOT NULL,
      on_server INTEGER NOT NULL,
      wire TEXT NOT NULL
    ) STRICT;

    CREATE TABLE labels (
      inbox_key INTEGER NOT NULL REFERENCES inboxes (key),
      id TEXT NOT NULL,
      position INTEGER NOT NULL,
      wire TEXT NOT NULL,
      PRIMARY KEY (inbox_key, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE threads (
      key INTEGER PRIMARY KEY,
      inbox_key INTEGER NOT NULL REFERENCES inboxes (key),
      id TEXT NOT NULL,
      received_at INTEGER NOT NULL,
      folder TEXT NOT NULL,
      read INTEGER NOT NULL,
      label_ids TEXT NOT NULL,
      -- 1 where one of the thread's e-mails was sent from the inbox.
      has_outbound INTEGER NOT NULL,
      -- 1 where the list of sent threads holds the thread, whatever its folder is.
      in_sent INTEGER NOT NULL,
      on_server INTEGER NOT NULL,
      snippet TEXT,
      -- The received_at for which the thread's e-mails are all in the cache.
      emails_at INTEGER,
      wire TEXT NOT NULL,
      UNIQUE (inbox_key, id)
    ) STRICT;
    CREATE INDEX threads_by_folder ON threads (inbox_key, folder, received_at DESC, id DESC);
    CREATE INDEX threads_in_sent ON threads (inbox_key, received_at DESC, id DESC) WHERE in_sent = 1;
    CREATE INDEX threads_unread ON threads (inbox_key) WHERE read = 0 AND folder = 'inbox';
    CREATE INDEX threads_without_emails ON threads (received_at DESC)
      WHERE on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at);

    -- One row for each label of a thread that a label's list shows: spam and trash are left out of those.
    CREATE TABLE thread_labels (
      inbox_key INTEGER NOT NULL,
      label_id TEXT NOT NULL,
      received_at INTEGER NOT NULL,
      thread_key INTEGER NOT NULL REFERENCES threads (key),
      PRIMARY KEY (inbox_key, label_id, received_at DESC, thread_key DESC)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE emails (
      key INTEGER PRIMARY KEY,
      thread_key INTEGER NOT NULL REFERENCES threads (key),
      id TEXT NOT NULL,
      received_at INTEGER NOT NULL,
      on_server INTEGER NOT NULL,
      wire TEXT NOT NULL,
      UNIQUE (thread_key, id)
    ) STRICT;

    CREATE TABLE received_emails (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      on_server INTEGER NOT NULL,
      -- 1 where wire holds the whole e-mail and not only what the list says of it.
      complete INTEGER NOT NULL,
      wire TEXT NOT NULL
    ) STRICT;
    CREATE INDEX received_emails_by_time ON received_emails (created_at DESC, key DESC);

    CREATE TABLE contacts (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      -- The walk of the list that last met the contact.
      round INTEGER NOT NULL,
      wire TEXT NOT NULL
    ) STRICT;
    CREATE INDEX contacts_by_time ON contacts (created_at DESC, id DESC);

    CREATE TABLE contact_topics (
      contact_id TEXT PRIMARY KEY,
      fetched_at INTEGER NOT NULL,
      wire TEXT NOT NULL
    ) STRICT;

    -- How far each list of the platform has been walked, so that a walk goes on where it was ended.
    CREATE TABLE walks (
      list TEXT PRIMARY KEY,
      -- The last ID of the last page; null at the top.
      cursor TEXT,
      cursor_time INTEGER,
      -- IDs at cursor_time that the walk has met: those with the same time may follow on the next page.
      cursor_ties TEXT NOT NULL,
      rounds INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE facts (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
