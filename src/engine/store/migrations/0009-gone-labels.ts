import type { Migration } from '../open-database.ts'

export const goneLabels: Migration = {
  version: 9,
  sql: `
    -- Labels that the platform had and has no more: the words of threads may name them until those are fetched again.
    CREATE TABLE gone_labels (
      inbox_key INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (inbox_key, id)
    ) STRICT, WITHOUT ROWID;
  `,
}
