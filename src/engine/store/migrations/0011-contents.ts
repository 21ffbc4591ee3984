import type { Migration } from '../open-database.ts'

export const contents: Migration = {
  version: 11,
  sql: `
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
  `,
}
