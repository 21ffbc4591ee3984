import type { Migration } from '../open-database.ts'

export const trashedThreads: Migration = {
  version: 10,
  sql: `
    -- When a thread was first seen in the trash, milliseconds since the epoch: the platform deletes it 30 days after it came
    -- there (contract, Thread folders) and does not say when that was. Null elsewhere.
    ALTER TABLE threads ADD COLUMN trashed_at INTEGER;
    UPDATE threads SET trashed_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE folder = 'trash';

    CREATE TRIGGER threads_come_to_trash AFTER INSERT ON threads WHEN new.folder = 'trash' BEGIN
      UPDATE threads SET trashed_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE key = new.key;
    END;
    CREATE TRIGGER threads_change_folder AFTER UPDATE OF folder ON threads WHEN new.folder <> old.folder BEGIN
      UPDATE threads
      SET trashed_at = CASE new.folder WHEN 'trash' THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) END
      WHERE key = new.key;
    END;
  `,
}
