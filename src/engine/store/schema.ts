import type { Migration } from './open-database.ts'
import { jsonOfPayload } from './checksummed-payload.ts'

/** SQL for the Message-ID in a row's checksummed payload. */
const nameIn = (wire: string): string => {
  const words = jsonOfPayload(wire)
  return `CASE WHEN json_valid(${words}) THEN trim(json_extract(${words}, '$.message_id'), ' <>') END`
}

const accountList = (table: 'received_emails' | 'sent_emails'): string => `
  CREATE TABLE ${table} (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    -- 1 where wire holds the whole e-mail and not only what the list says of it.
    complete INTEGER NOT NULL,
    wire TEXT NOT NULL
  ) STRICT;
  CREATE INDEX ${table}_by_time ON ${table} (created_at DESC, key DESC);
  CREATE INDEX ${table}_gone ON ${table} (key) WHERE on_server = 0;`

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
    -- 1 where a person added it by its ID: a platform may know inboxes without listing them.
    added INTEGER NOT NULL DEFAULT 0,
    wire TEXT NOT NULL
  ) STRICT;

  CREATE TABLE labels (
    inbox_key INTEGER NOT NULL REFERENCES inboxes (key),
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    wire TEXT NOT NULL,
    PRIMARY KEY (inbox_key, id)
  ) STRICT, WITHOUT ROWID;
  -- Labels that the platform had and has no more: the words of threads may name them until those are fetched again.
  CREATE TABLE gone_labels (
    inbox_key INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (inbox_key, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE threads (
    key INTEGER PRIMARY KEY,
    inbox_key INTEGER NOT NULL REFERENCES inboxes (key),
    id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    -- By which lists of folders and labels are ordered: received_at, or when the thread came back to the inbox by itself.
    listed_at INTEGER NOT NULL,
    -- As it is seen here: 'snoozed' is a folder of this computer alone.
    folder TEXT NOT NULL,
    read INTEGER NOT NULL,
    -- JSON; a person's marks are among them, as labels that no platform has ('mark:starred').
    label_ids TEXT NOT NULL,
    -- 1 where one of the thread's e-mails was sent from the inbox.
    has_outbound INTEGER NOT NULL,
    -- 1 where the list of sent threads holds the thread, whatever its folder is.
    in_sent INTEGER NOT NULL,
    on_server INTEGER NOT NULL,
    snippet TEXT,
    -- The received_at for which the thread's e-mails are all in the cache.
    emails_at INTEGER,
    -- Who wrote in the thread, newest first (JSON, thread-writers.ts), as of the reading of its e-mails; null before that.
    writers TEXT,
    -- When a thread was first seen in the trash, milliseconds since the epoch: the platform deletes it 30 days after it came
    -- there (contract, Thread folders) and does not say when that was. Null elsewhere.
    trashed_at INTEGER,
    wire TEXT NOT NULL,
    UNIQUE (inbox_key, id)
  ) STRICT;
  CREATE INDEX threads_by_folder ON threads (inbox_key, folder, listed_at DESC, id DESC);
  CREATE INDEX threads_in_sent ON threads (inbox_key, listed_at DESC, id DESC) WHERE in_sent = 1;
  CREATE INDEX threads_unread ON threads (inbox_key) WHERE read = 0 AND folder = 'inbox';
  CREATE INDEX threads_lacking_emails ON threads (inbox_key, received_at DESC)
    WHERE on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at);
  -- The list of the threads that the platform has dropped, and the others of each list without them.
  CREATE INDEX threads_only_here ON threads (inbox_key, listed_at DESC, id DESC)
    WHERE on_server = 0 AND folder NOT IN ('spam', 'trash');
  CREATE INDEX threads_dropped ON threads (inbox_key, folder) WHERE on_server = 0;
  CREATE INDEX threads_gone ON threads (key) WHERE on_server = 0;

  CREATE TRIGGER threads_come_to_trash AFTER INSERT ON threads WHEN new.folder = 'trash' BEGIN
    UPDATE threads SET trashed_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE key = new.key;
  END;
  CREATE TRIGGER threads_change_folder AFTER UPDATE OF folder ON threads WHEN new.folder <> old.folder BEGIN
    UPDATE threads
    SET trashed_at = CASE new.folder WHEN 'trash' THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) END
    WHERE key = new.key;
  END;

  -- One row for each label of a thread that a label's list shows: spam and trash are left out of those.
  CREATE TABLE thread_labels (
    inbox_key INTEGER NOT NULL,
    label_id TEXT NOT NULL,
    listed_at INTEGER NOT NULL,
    thread_key INTEGER NOT NULL REFERENCES threads (key),
    PRIMARY KEY (inbox_key, label_id, listed_at DESC, thread_key DESC)
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
  CREATE INDEX emails_gone ON emails (thread_key) WHERE on_server = 0;

${accountList('received_emails')}
${accountList('sent_emails')}
  CREATE TABLE contacts (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    -- The walk of the list that last met the contact.
    round INTEGER NOT NULL,
    -- As canonicalAddress writes it.
    address TEXT NOT NULL DEFAULT '',
    -- The change by which this computer made the contact; null for one that was there before.
    made_by TEXT,
    wire TEXT NOT NULL
  ) STRICT;
  CREATE INDEX contacts_by_address ON contacts (address);
  CREATE INDEX contacts_by_time ON contacts (created_at DESC, id DESC);

  CREATE TABLE contact_topics (
    contact_id TEXT PRIMARY KEY,
    fetched_at INTEGER NOT NULL,
    wire TEXT NOT NULL
  ) STRICT;

  CREATE TABLE contact_segments (
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

  -- A body of many megabytes is written and read in pieces, so that lists are answered in between.
  CREATE TABLE body_pieces (
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (name, place)
  ) STRICT;

  -- The version of the file, a second time: where it differs from the one in the header, the header is damaged, and not the
  -- work of a newer Linnet.
  CREATE TABLE version_stamp (version INTEGER NOT NULL) STRICT;

  -- Message-IDs of the e-mails of threads, without brackets. By these an e-mail of the account's own lists finds its thread
  -- where the platform gives the two copies different IDs.
  CREATE TABLE message_names (
    email_key INTEGER PRIMARY KEY,
    name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX message_names_by_name ON message_names (name);

  CREATE TRIGGER name_message AFTER INSERT ON emails BEGIN
    INSERT OR REPLACE INTO message_names (email_key, name)
      SELECT NEW.key, name FROM (SELECT ${nameIn('NEW.wire')} AS name) WHERE name <> '';
  END;
  CREATE TRIGGER forget_message AFTER DELETE ON emails BEGIN
    DELETE FROM message_names WHERE email_key = OLD.key;
  END;
`

/**
 * Stored list lengths, and numbers of rows per time span, so that counts and offsets don't read the rows
 * (list-index.ts).
 */
const LISTS = `
  CREATE TABLE lists (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    rows INTEGER NOT NULL
  ) STRICT;

  -- A span reaches from its start up to the start of the next one. One without rows is left out: the span below it
  -- reaches further then.
  CREATE TABLE list_spans (
    list_key INTEGER NOT NULL,
    start INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    -- With more rows than this it is parted; more than usual where its rows are all of one time.
    most INTEGER NOT NULL,
    PRIMARY KEY (list_key, start DESC)
  ) STRICT, WITHOUT ROWID;
`

/** The local search index (`engine/search-index`). It is derived from the other tables and can be rebuilt. */
const SEARCH = `
  -- The words of each e-mail and what else of it never changes, made by Linnet and only parted here.
  CREATE VIRTUAL TABLE search_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
  );

  CREATE TABLE search_documents (
    -- The rowid in search_words.
    document INTEGER PRIMARY KEY,
    thread_key INTEGER NOT NULL,
    email_key INTEGER NOT NULL UNIQUE,
    received_at INTEGER NOT NULL,
    is_outbound INTEGER NOT NULL,
    -- Such as 'f1 t2 t3': a field's letter and a key of search_people.
    people TEXT NOT NULL,
    -- Of what was indexed: the same again is not written again.
    digest INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE search_threads (
    thread_key INTEGER PRIMARY KEY,
    inbox_key INTEGER NOT NULL,
    -- The order of an inbox's threads, latest activity first: the smaller, the earlier in a list.
    place INTEGER NOT NULL UNIQUE,
    -- Nothing else is from place up to place + room.
    room INTEGER NOT NULL,
    time INTEGER NOT NULL,
    -- Its e-mails' documents begin here: at its place, or below zero for a thread of very many.
    documents_from INTEGER NOT NULL,
    folder TEXT NOT NULL,
    read INTEGER NOT NULL,
    has_outbound INTEGER NOT NULL,
    -- As the platform counts them.
    email_count INTEGER NOT NULL,
    -- JSON.
    label_ids TEXT NOT NULL,
    -- 0 while its e-mails wait to be indexed.
    indexed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_threads_by_time ON search_threads (inbox_key, time DESC, place);
  CREATE INDEX search_threads_by_folder ON search_threads (inbox_key, folder, place);
  CREATE INDEX search_threads_by_read ON search_threads (inbox_key, read, place);
  CREATE INDEX search_threads_outbound ON search_threads (inbox_key, place) WHERE has_outbound = 1;
  CREATE INDEX search_threads_large ON search_threads (inbox_key, place) WHERE documents_from < 0;
  CREATE INDEX search_threads_waiting ON search_threads (place) WHERE indexed = 0;

  CREATE TABLE search_labels (
    inbox_key INTEGER NOT NULL,
    label_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (inbox_key, label_id, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE search_people (
    key INTEGER PRIMARY KEY,
    -- Name and address in lower case, a line each.
    text TEXT NOT NULL UNIQUE
  ) STRICT;
  -- The address behind the name, a line of its own.
  CREATE INDEX search_people_by_address ON search_people (substr(text, instr(text, char(10)) + 1));
  CREATE VIRTUAL TABLE search_people_parts USING fts5 (
    text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1'
  );

  -- Every word of four letters and more, and every beginning of two: what a word that is typed may become.
  CREATE TABLE search_terms (
    term TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE search_state (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** More tables about the mail: its files, data still to be fetched, permanent local deletions, and deliveries. */
const MORE = `
  -- What lies in files of its own beside this one: each file is named by the digest of its bytes.
  CREATE TABLE contents (
    key TEXT NOT NULL UNIQUE,
    -- SHA-256, in hexadecimal digits.
    digest TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    content_type TEXT,
    -- Null for what stays; else the share of the disk from which the least recently used goes first.
    share TEXT,
    -- Milliseconds since the epoch.
    fetched_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX contents_by_digest ON contents (digest);
  CREATE INDEX contents_by_use ON contents (share, used_at) WHERE share IS NOT NULL;
  -- Files that stay, each named by several keys perhaps: their bytes are counted once.
  CREATE INDEX contents_that_stay ON contents (digest, bytes) WHERE share IS NULL;

  -- What of each e-mail is still to be fetched before the platform drops it: a row for each e-mail of a thread and of the
  -- account's own lists, made and removed with it, whoever writes it.
  CREATE TABLE keeping (
    -- 0 received e-mails, 1 sent ones, 2 those of threads: what a thread holds is mostly here once the lists are.
    list INTEGER NOT NULL,
    -- The key of the e-mail in its own table.
    row_key INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- When it came in or was sent, milliseconds since the epoch.
    at INTEGER NOT NULL,
    -- 0 to do; 1 here as a whole; 2 its text is here and there is no room for its files; 3 its text is here and the
    -- platform does not give the rest; 4 gone before its text was here.
    state INTEGER NOT NULL DEFAULT 0,
    -- 1 where a thread holds the same e-mail, which is then counted there.
    twin INTEGER NOT NULL DEFAULT 0,
    -- Tries in a row that failed, and when the next one is due.
    failures INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (list, row_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keeping_to_do ON keeping (at DESC, list, row_key) WHERE state = 0;
  CREATE INDEX keeping_by_id ON keeping (id);
  CREATE INDEX keeping_counts ON keeping (twin, state, at);

  CREATE TRIGGER keep_email AFTER INSERT ON emails BEGIN
    INSERT INTO keeping (list, row_key, id, at) VALUES (2, NEW.key, NEW.id, NEW.received_at);
    UPDATE keeping SET twin = 1 WHERE id = NEW.id AND list <> 2;
  END;
  CREATE TRIGGER keep_received_email AFTER INSERT ON received_emails BEGIN
    INSERT INTO keeping (list, row_key, id, at, twin)
      VALUES (0, NEW.key, NEW.id, NEW.created_at, EXISTS (SELECT 1 FROM keeping WHERE id = NEW.id AND list = 2));
  END;
  CREATE TRIGGER keep_sent_email AFTER INSERT ON sent_emails BEGIN
    INSERT INTO keeping (list, row_key, id, at, twin)
      VALUES (1, NEW.key, NEW.id, NEW.created_at, EXISTS (SELECT 1 FROM keeping WHERE id = NEW.id AND list = 2));
  END;
  CREATE TRIGGER forget_email AFTER DELETE ON emails BEGIN
    DELETE FROM keeping WHERE list = 2 AND row_key = OLD.key;
  END;
  CREATE TRIGGER forget_received_email AFTER DELETE ON received_emails BEGIN
    DELETE FROM keeping WHERE list = 0 AND row_key = OLD.key;
  END;
  CREATE TRIGGER forget_sent_email AFTER DELETE ON sent_emails BEGIN
    DELETE FROM keeping WHERE list = 1 AND row_key = OLD.key;
  END;
  -- An e-mail whose words were damaged is fetched again.
  CREATE TRIGGER keep_received_email_again AFTER UPDATE OF complete ON received_emails
    WHEN NEW.complete = 0 AND OLD.complete = 1 BEGIN
    UPDATE keeping SET state = 0, failures = 0, retry_at = 0 WHERE list = 0 AND row_key = NEW.key;
  END;
  CREATE TRIGGER keep_sent_email_again AFTER UPDATE OF complete ON sent_emails
    WHEN NEW.complete = 0 AND OLD.complete = 1 BEGIN
    UPDATE keeping SET state = 0, failures = 0, retry_at = 0 WHERE list = 1 AND row_key = NEW.key;
  END;

  -- What a person has deleted for good of the mail that only this computer had: it does not come back from a broken cache
  -- that is still being moved, and changes of it that wait have nothing to change any more.
  CREATE TABLE deleted_here (
    -- 'threads', 'received' or 'sent'.
    list TEXT NOT NULL,
    -- The ID of the thread's inbox; empty for the account's own lists.
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Milliseconds since the epoch.
    at INTEGER NOT NULL,
    PRIMARY KEY (list, scope, id)
  ) STRICT, WITHOUT ROWID;

  -- A file that is damaged or missing is forgotten when somebody reads it: where the platform has its e-mail, it is kept anew.
  CREATE TRIGGER keep_file_again AFTER DELETE ON contents WHEN OLD.share IS NULL BEGIN
    UPDATE keeping SET state = 0, failures = 0, retry_at = 0
    WHERE state <> 0 AND id = CASE
      WHEN OLD.key GLOB 'original received:*' THEN substr(OLD.key, 19)
      WHEN OLD.key GLOB 'attachments of sent:*' THEN substr(OLD.key, 21)
      WHEN OLD.key GLOB 'attachment [[]*' AND json_valid(substr(OLD.key, 12))
        THEN json_extract(substr(OLD.key, 12), '$[#-2]')
    END;
  END;

  -- What became of the e-mails that the account has sent, by the IDs that they have among its sent ones. Times are milliseconds
  -- since the epoch.
  CREATE TABLE deliveries (
    sent_id TEXT PRIMARY KEY,
    -- In the platform's words; null where nothing has been heard of it yet.
    last_event TEXT,
    -- When that was first heard, and when it was last heard again.
    learned_at INTEGER,
    confirmed_at INTEGER,
    -- When it was sent from this computer, and where it can be seen; null for what was sent elsewhere.
    sent_at INTEGER,
    inbox_id TEXT,
    thread_id TEXT,
    -- Whether the person was told that it has come to nothing.
    is_told INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_followed ON deliveries (sent_at) WHERE sent_at IS NOT NULL AND is_told = 0;

  CREATE TRIGGER forget_delivery AFTER DELETE ON sent_emails BEGIN
    DELETE FROM deliveries WHERE sent_id = OLD.id;
  END;
`

/** First version of the file. Never edit it: it was released. Add a migration instead. */
export const cacheSchema: Migration = { version: 1, sql: [MAIL, LISTS, SEARCH, MORE].join('') }

/** Kinds of e-mails as determined by their headers, for searching. The migration rebuilds the index. */
export const mailKindsSchema: Migration = {
  version: 2,
  sql: `
  CREATE TABLE search_kinds (
    -- Of an e-mail that came in, in its thread as among the account's received ones (search-index/mail-kinds.ts).
    name TEXT PRIMARY KEY,
    -- The received e-mail whose headers say it.
    row_key INTEGER NOT NULL,
    kind TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_kinds_by_row ON search_kinds (row_key);
`,
}

export const contactCatalogSchema: Migration = {
  version: 3,
  sql: `
  -- Short lists of the whole account, whole each time: its segments, its contacts' properties, its topics.
  CREATE TABLE account_lists (
    name TEXT PRIMARY KEY,
    -- Milliseconds since the epoch.
    fetched_at INTEGER NOT NULL,
    wire TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Which contacts are in a segment, as far as that is known.
  CREATE TABLE segment_members (
    segment_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    -- The walk of the segment that last met the contact.
    round INTEGER NOT NULL,
    PRIMARY KEY (segment_id, contact_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX segment_members_by_contact ON segment_members (contact_id);

  -- When a segment was last walked from end to end, and how often.
  CREATE TABLE segment_walks (
    segment_id TEXT PRIMARY KEY,
    fetched_at INTEGER NOT NULL,
    round INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`,
}

/** Suppressed addresses, as far as the platform has been asked about them. */
export const suppressionsSchema: Migration = {
  version: 4,
  sql: `
  CREATE TABLE suppressions (
    -- As \`canonicalAddress\` writes it.
    address TEXT PRIMARY KEY,
    -- Milliseconds since the epoch.
    asked_at INTEGER NOT NULL,
    -- Why it is on the list; null where it is not.
    origin TEXT,
    -- Milliseconds since the epoch; null where the platform does not say.
    since INTEGER
  ) STRICT, WITHOUT ROWID;
`,
}
