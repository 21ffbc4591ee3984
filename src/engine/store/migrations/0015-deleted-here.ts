import type { Migration } from '../open-database.ts'

export const deletedHere: Migration = {
  version: 15,
  sql: `
    -- What a person has deleted for good of the mail that only this computer had: it does not come back from a broken cache
    -- that is still being moved, and changes of it that wait have nothing to change any more.
    CREATE TABLE deleted_here (
      -- 'threads', 'received' or 'sent'.
      list TEXT NOT NULL,
      -- The ID of the thread's inbox; empty for the account's own lists.
      scope TEXT NOT NULL,
      id TEXT NOT NULL,
      -- Milliseconds since the epoch.
      at INTEGER NOT NULL,
      PRIMARY KEY (list, scope, id)
    ) STRICT, WITHOUT ROWID;

    -- A file that is damaged or missing is forgotten when somebody reads it: where the platform has its e-mail, it is kept anew.
    CREATE TRIGGER keep_file_again AFTER DELETE ON contents WHEN OLD.share IS NULL BEGIN
      UPDATE keeping SET state = 0, failures = 0, retry_at = 0
      WHERE state <> 0 AND id = CASE
        WHEN OLD.key GLOB 'original received:*' THEN substr(OLD.key, 19)
        WHEN OLD.key GLOB 'attachments of sent:*' THEN substr(OLD.key, 21)
        WHEN OLD.key GLOB 'attachment [[]*' AND json_valid(substr(OLD.key, 12))
          THEN json_extract(substr(OLD.key, 12), '$[#-2]')
      END;
    END;
  `,
}
