import type { Migration } from '../../store/open-database.ts'

export const typedChanges: Migration = {
  version: 3,
  sql: `
    ALTER TABLE intents RENAME TO waiting;

    -- What was changed at once, so that it can be undone.
    ALTER TABLE changes RENAME TO made;
    ALTER TABLE made RENAME COLUMN steps TO changes;

    -- What was made here before the platform knew of it, and has the platform's ID since.
    CREATE TABLE replaced_ids (
      kind TEXT NOT NULL,
      scope TEXT NOT NULL,
      was TEXT NOT NULL,
      id TEXT NOT NULL,
      UNIQUE (kind, scope, was)
    ) STRICT;
  `,
}
