import type { Migration } from '../../store/open-database.ts'

export const unshownSubjects: Migration = {
  version: 5,
  sql: `
    -- Subjects of which something waits no more, and that the cache may still show as if it did: with the write that took it
    -- away.
    CREATE TABLE unshown (
      kind TEXT NOT NULL,
      scope TEXT NOT NULL,
      id TEXT NOT NULL,
      generation INTEGER NOT NULL,
      UNIQUE (kind, scope, id)
    ) STRICT;
  `,
}
