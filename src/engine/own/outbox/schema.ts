import type { Migration } from '../../store/open-database.ts'

/** Never edit a released version's SQL, except its comments. Add a migration. */
export const outboxSchema: Migration = {
  version: 1,
  sql: `
  -- Pending changes: the wanted value of each field until the platform confirms it.
  CREATE TABLE waiting (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    -- ID of the subject's inbox; empty for account-wide subjects, such as contacts.
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    wanted TEXT NOT NULL,
    -- The value in flight, written before the request is sent; null if there is none.
    sending TEXT,
    -- Checksum of the row's other columns.
    digest INTEGER NOT NULL,
    -- The large change that this belongs to; null for individual changes.
    large TEXT,
    UNIQUE (kind, scope, id, field)
  ) STRICT;

  -- Applied changes, for undo.
  CREATE TABLE made (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    -- Packed: equal changes of several subjects are one entry.
    changes TEXT NOT NULL,
    -- Number of subjects of a large change that must be sent; null for individual changes.
    subjects INTEGER,
    -- The change that this one undoes, wholly or in part.
    undoes TEXT
  ) STRICT;

  -- Subjects created here whose local ID the platform has replaced.
  CREATE TABLE replaced_ids (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    was TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, scope, was)
  ) STRICT;

  -- Old values that only the platform knows: null until they are read, right before a large change is sent.
  CREATE TABLE old_values (
    change_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT,
    UNIQUE (kind, scope, id, field, change_id)
  ) STRICT;
  CREATE INDEX old_values_by_change ON old_values (change_id);

  -- Subjects whose pending change was removed but may still be displayed, with the write that removed it.
  CREATE TABLE unshown (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    UNIQUE (kind, scope, id)
  ) STRICT;

  -- Local-only fields, such as a thread's star.
  CREATE TABLE own_fields (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    -- Checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (kind, scope, id, field)
  ) STRICT;

  -- The user's own lists: saved searches, canned replies, choices. Each list has its own JSON format.
  CREATE TABLE lists (
    list TEXT NOT NULL,
    place INTEGER NOT NULL,
    entry TEXT NOT NULL,
    -- Checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (list, place)
  ) STRICT;

  -- Rule runs, one row per rule and thread, so that no rule runs twice on a thread.
  CREATE TABLE rule_runs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    -- ID of the thread's inbox.
    scope TEXT NOT NULL,
    thread TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The change that included this run; null if the thread didn't change.
    change_id TEXT,
    -- The run's outcome, as JSON.
    did TEXT NOT NULL,
    -- Checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (scope, thread, rule)
  ) STRICT;
  CREATE INDEX rule_runs_by_rule ON rule_runs (rule, sequence);
  CREATE INDEX rule_runs_by_change ON rule_runs (change_id) WHERE change_id IS NOT NULL;

  -- Number of writes, to find the newer of two copies, and row counts of the tables above.
  CREATE TABLE state (
    generation INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    own INTEGER NOT NULL,
    runs INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state (generation, pending, listed, own, runs) VALUES (0, 0, 0, 0, 0);

  -- Second copy of the file's version.
  CREATE TABLE version_stamp (version INTEGER NOT NULL) STRICT;
`,
}

/** From this version on, rules act on each message of a thread instead of once per thread. */
export const messageRunsSchema: Migration = {
  version: 2,
  sql: `
  ALTER TABLE rule_runs RENAME TO thread_runs;
  DROP INDEX rule_runs_by_rule;
  DROP INDEX rule_runs_by_change;
  CREATE TABLE rule_runs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    -- ID of the thread's inbox.
    scope TEXT NOT NULL,
    thread TEXT NOT NULL,
    -- The message that matched; empty for all messages up to "at"; "*" exempts the thread from the rule.
    email TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The change that the rule made, or the undo that exempted the thread; null if nothing changed.
    change_id TEXT,
    -- The run's outcome, as JSON.
    did TEXT NOT NULL,
    -- Checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (scope, thread, rule, email)
  ) STRICT;
  INSERT INTO rule_runs (sequence, rule, scope, thread, email, at, change_id, did, digest)
    SELECT sequence, rule, scope, thread, '', at, change_id, did, digest FROM thread_runs ORDER BY sequence;
  DROP TABLE thread_runs;
  CREATE INDEX rule_runs_by_rule ON rule_runs (rule, sequence);
  CREATE INDEX rule_runs_by_change ON rule_runs (change_id) WHERE change_id IS NOT NULL;
`,
}
