import type { Migration } from '../../store/open-database.ts'

export const intents: Migration = {
  version: 1,
  sql: `
    -- What a person wants a field to be, until the platform has confirmed it: one row a field, whatever was changed in
    -- between.
    CREATE TABLE intents (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      -- The inbox of a thread; empty for a contact.
      scope TEXT NOT NULL,
      id TEXT NOT NULL,
      field TEXT NOT NULL,
      wanted TEXT NOT NULL,
      -- The value that was sent and not answered yet: written before the request goes out.
      sending TEXT,
      UNIQUE (kind, scope, id, field)
    ) STRICT;

    -- What each change was, so that it can be undone.
    CREATE TABLE changes (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      steps TEXT NOT NULL
    ) STRICT;
  `,
}
