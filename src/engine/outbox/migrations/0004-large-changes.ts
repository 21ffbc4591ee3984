import type { Migration } from '../../store/open-database.ts'

export const largeChanges: Migration = {
  version: 4,
  sql: `
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

    -- The large change of which this is a part; null for what a person changed by itself.
    ALTER TABLE waiting ADD COLUMN large TEXT;
  `,
}
