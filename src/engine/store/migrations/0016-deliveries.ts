import type { Migration } from '../open-database.ts'

export const deliveries: Migration = {
  version: 16,
  sql: `
    -- What became of the e-mails that the account has sent, by the IDs that they have among its sent ones. Times are milliseconds
    -- since the epoch.
    CREATE TABLE deliveries (
      sent_id TEXT PRIMARY KEY,
      -- In the platform's words; null where nothing has been heard of it yet.
      last_event TEXT,
      -- When that was first heard, and when it was last heard again.
      learned_at INTEGER,
      confirmed_at INTEGER,
      -- When it was sent from this computer, and where it can be seen; null for what was sent elsewhere.
      sent_at INTEGER,
      inbox_id TEXT,
      thread_id TEXT,
      -- Whether the person was told that it has come to nothing.
      is_told INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deliveries_followed ON deliveries (sent_at) WHERE sent_at IS NOT NULL AND is_told = 0;

    CREATE TRIGGER forget_delivery AFTER DELETE ON sent_emails BEGIN
      DELETE FROM deliveries WHERE sent_id = OLD.id;
    END;
  `,
}
