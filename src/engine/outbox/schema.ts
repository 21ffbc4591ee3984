import type { Migration } from '../store/open-database.ts'

/** The first version of the file. Once released it is never edited: what comes is a migration of its own. */
export const outboxSchema: Migration = {
  version: 1,
  sql: `
  -- What a person wants a field to be, until the platform has confirmed it: one row a field, whatever was changed in
  -- between.
  CREATE TABLE waiting (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    -- The inbox of a thread; empty for a contact.
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    wanted TEXT NOT NULL,
    -- The value that was sent and not answered yet: written before the request goes out.
    sending TEXT,
    -- A checksum of the row's other columns.
    digest INTEGER NOT NULL,
    -- The large change of which this is a part; null for what a person changed by itself.
    large TEXT,
    UNIQUE (kind, scope, id, field)
  ) STRICT;

  -- What was changed at once, so that it can be undone.
  CREATE TABLE made (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    changes TEXT NOT NULL
  ) STRICT;

  -- What was made here before the platform knew of it, and has the platform's ID since.
  CREATE TABLE replaced_ids (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    was TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, scope, was)
  ) STRICT;

  -- Changes of many threads at once that are not over: some of their parts are still to be taken in, or wait to be sent.
  CREATE TABLE large_changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    -- What it is, in JSON.
    about TEXT NOT NULL
  ) STRICT;

  -- What a large change is made of, some threads each: what is wanted of them ('wanted', 'undo', 'unsend'), and once that
  -- waits, what there was before and after it ('made'). A change whose naming was cut off has no row above.
  CREATE TABLE parts (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    part INTEGER NOT NULL,
    state TEXT NOT NULL,
    -- How many threads it is of.
    subjects INTEGER NOT NULL,
    changes TEXT NOT NULL,
    UNIQUE (id, part)
  ) STRICT;

  -- Subjects of which something waits no more, and that the cache may still show as if it did: with the write that took it
  -- away.
  CREATE TABLE unshown (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    UNIQUE (kind, scope, id)
  ) STRICT;

  -- What a person keeps of something on this computer alone, such as the star of a thread: one row a field.
  CREATE TABLE own_fields (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    -- A checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (kind, scope, id, field)
  ) STRICT;

  -- The short lists of a person: saved searches, canned replies, choices. An entry is JSON of its list's own shape.
  CREATE TABLE lists (
    list TEXT NOT NULL,
    place INTEGER NOT NULL,
    entry TEXT NOT NULL,
    -- A checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (list, place)
  ) STRICT;

  -- What rules did: one row for each thread with which a rule had its turn, so that it has none again.
  CREATE TABLE rule_runs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    -- The inbox of the thread.
    scope TEXT NOT NULL,
    thread TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The change that it was a part of; null where the thread was so already, or was left alone.
    change_id TEXT,
    -- What it did, in JSON.
    did TEXT NOT NULL,
    -- A checksum of the row's other columns.
    digest INTEGER NOT NULL,
    UNIQUE (scope, thread, rule)
  ) STRICT;
  CREATE INDEX rule_runs_by_rule ON rule_runs (rule, sequence);
  CREATE INDEX rule_runs_by_change ON rule_runs (change_id) WHERE change_id IS NOT NULL;

  -- Counts every write, so that of two copies the later one is known; how many changes wait, entries are listed, fields a
  -- person keeps here, and runs of rules are kept.
  CREATE TABLE state (
    generation INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    own INTEGER NOT NULL,
    runs INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state (generation, pending, listed, own, runs) VALUES (0, 0, 0, 0, 0);

  -- The version of the file, a second time.
  CREATE TABLE version_stamp (version INTEGER NOT NULL) STRICT;
`,
}

/** Rules act on each message of a thread instead of once on the thread. */
export const messageRunsSchema: Migration = {
  version: 2,
  sql: `
  ALTER TABLE rule_runs RENAME TO thread_runs;
  DROP INDEX rule_runs_by_rule;
  DROP INDEX rule_runs_by_change;
  CREATE TABLE rule_runs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    -- The inbox of the thread.
    scope TEXT NOT NULL,
    thread TEXT NOT NULL,
    -- The message that matched; empty for all messages up to "at"; "*" exempts the thread from the rule.
    email TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The change that the rule made, or the undo that exempted the thread; null if nothing changed.
    change_id TEXT,
    -- What the rule did, as JSON.
    did TEXT NOT NULL,
    -- A checksum of the other columns.
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
