import type { DatabaseFileKind } from '../store/open-database.ts'

/**
 * Each row also has the number of the write that stored it, and a checksum of its columns (own-table.ts): SQLite checks
 * the structure of a file, but not the data in it.
 */
const ROW = `
    revision INTEGER NOT NULL,
    checksum INTEGER NOT NULL`

/** Application ID: `LNOw`. */
export const OWN_FILE: DatabaseFileKind = {
  applicationId: 0x4c4e_4f77,
  isDurable: true,
  migrations: [
    {
      version: 1,
      sql: `
  -- A single row, whose revision is the number of the newest write.
  CREATE TABLE state (
    name TEXT PRIMARY KEY, ${ROW}
  ) STRICT;

  -- Pending changes: the wanted value of each field until the platform confirms it.
  CREATE TABLE pending_changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    -- ID of the subject's inbox; empty for account-wide subjects, such as contacts.
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    wanted TEXT NOT NULL,
    -- The value in flight, written before the request is sent; null if there is none.
    sending TEXT,
    -- The large change that this belongs to; null for individual changes.
    large TEXT, ${ROW},
    UNIQUE (kind, scope, id, field)
  ) STRICT;

  -- Applied changes, for undo.
  CREATE TABLE applied_changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    -- Packed: equal changes of several subjects are one entry.
    changes TEXT NOT NULL,
    -- Number of subjects of a large change that must be sent; null for individual changes.
    subjects INTEGER,
    -- The change that this one undoes, wholly or in part.
    undoes TEXT, ${ROW}
  ) STRICT;

  -- Subjects created here whose local ID the platform has replaced.
  CREATE TABLE replaced_ids (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    was TEXT NOT NULL,
    id TEXT NOT NULL, ${ROW},
    UNIQUE (kind, scope, was)
  ) STRICT;

  -- Old values that only the platform knows: null until they are read, right before a large change is sent.
  CREATE TABLE old_values (
    change_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT, ${ROW},
    UNIQUE (kind, scope, id, field, change_id)
  ) STRICT;
  CREATE INDEX old_values_by_change ON old_values (change_id);

  -- Subjects whose pending change was removed, or whose local field was written, but which may not be displayed so.
  CREATE TABLE unprojected (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL, ${ROW},
    UNIQUE (kind, scope, id)
  ) STRICT;

  -- Local-only fields, such as a thread's star.
  CREATE TABLE local_fields (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL, ${ROW},
    UNIQUE (kind, scope, id, field)
  ) STRICT;

  -- Rule runs, one row per rule and message, so that no rule runs twice on a message.
  CREATE TABLE rule_runs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    -- ID of the thread's inbox.
    scope TEXT NOT NULL,
    thread TEXT NOT NULL,
    -- The message that matched; "*" exempts the thread from the rule.
    email TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The change that the rule made, or the undo that exempted the thread; null if nothing changed.
    change_id TEXT,
    -- The run's outcome, as JSON.
    did TEXT NOT NULL, ${ROW},
    UNIQUE (scope, thread, rule, email)
  ) STRICT;
  CREATE INDEX rule_runs_by_rule ON rule_runs (rule, sequence);
  CREATE INDEX rule_runs_by_change ON rule_runs (change_id) WHERE change_id IS NOT NULL;

  -- Short lists and settings: saved searches, canned replies, rules, choices.
  CREATE TABLE lists (
    name TEXT PRIMARY KEY,
    -- JSON array.
    entries TEXT NOT NULL, ${ROW}
  ) STRICT;

  -- Drafts with their send records. Their attachments are files (drafts/draft-attachment-store.ts).
  CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    -- JSON.
    draft TEXT NOT NULL, ${ROW}
  ) STRICT;

  -- A single row: the mail that assistants may read.
  CREATE TABLE assistant_access (
    name TEXT PRIMARY KEY,
    -- JSON.
    access TEXT NOT NULL, ${ROW}
  ) STRICT;

  -- Log of assistants' calls.
  CREATE TABLE assistant_calls (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    client TEXT NOT NULL,
    tool TEXT NOT NULL,
    asked TEXT NOT NULL,
    answer TEXT NOT NULL,
    is_refused INTEGER NOT NULL, ${ROW}
  ) STRICT;

  CREATE TABLE assistant_proposals (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    client TEXT NOT NULL,
    inbox_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- JSON.
    change TEXT NOT NULL,
    state TEXT NOT NULL, ${ROW}
  ) STRICT;
  CREATE INDEX assistant_proposals_by_state ON assistant_proposals (state, sequence);
`,
    },
  ],
}

/** Large tables, whose rows are read and checked on demand unless the last end was unclean. */
export const TABLES_READ_LATER: ReadonlySet<string> = new Set([
  'applied_changes',
  'old_values',
  'rule_runs',
  'assistant_calls',
])

/** Taken only from the account's own file, never from a snapshot, in which an access may be on that is now off. */
export const TABLES_NOT_RESTORED: ReadonlySet<string> = new Set(['assistant_access'])

/** Removes from a backup what must not be restored from it. */
export const STRIP_BACKUP = `
  DELETE FROM assistant_access;
  DELETE FROM assistant_calls;
  DELETE FROM assistant_proposals;
  DELETE FROM lists WHERE name = 'backups';
`
