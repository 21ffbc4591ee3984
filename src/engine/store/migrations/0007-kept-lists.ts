import type { Migration } from '../open-database.ts'

/**
 * How long each list is, and how many of its rows lie in which span of time, so that neither a count nor a place in the
 * middle of a list has to be counted. What an older file has is counted once, when it is opened (list-index.ts).
 */
export const keptLists: Migration = {
  version: 7,
  sql: `
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
  `,
}
