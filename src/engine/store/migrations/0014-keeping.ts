import type { Migration } from '../open-database.ts'

/**
 * What of each e-mail is still to be fetched before the platform drops it: a row for each e-mail of a thread and of the
 * account's own lists, made and removed with it, whoever writes it.
 */
export const keeping: Migration = {
  version: 14,
  sql: `
    CREATE TABLE keeping (
      -- 0 received e-mails, 1 sent ones, 2 those of threads: what a thread holds is mostly here once the lists are.
      list INTEGER NOT NULL,
      -- The key of the e-mail in its own table.
      row_key INTEGER NOT NULL,
      id TEXT NOT NULL,
      -- When it came in or was sent, milliseconds since the epoch.
      at INTEGER NOT NULL,
      -- 0 to do; 1 here as a whole; 2 its text is here and there is no room for its files; 3 its text is here and the
      -- platform does not give the rest; 4 gone before its text was here.
      state INTEGER NOT NULL DEFAULT 0,
      -- 1 where a thread holds the same e-mail, which is then counted there.
      twin INTEGER NOT NULL DEFAULT 0,
      -- Tries in a row that failed, and when the next one is due.
      failures INTEGER NOT NULL DEFAULT 0,
      retry_at INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (list, row_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX keeping_to_do ON keeping (at DESC, list, row_key) WHERE state = 0;
    CREATE INDEX keeping_by_id ON keeping (id);
    CREATE INDEX keeping_counts ON keeping (twin, state, at);
    CREATE INDEX emails_gone ON emails (thread_key) WHERE on_server = 0;
    CREATE INDEX threads_gone ON threads (key) WHERE on_server = 0;
    CREATE INDEX received_emails_gone ON received_emails (key) WHERE on_server = 0;
    CREATE INDEX sent_emails_gone ON sent_emails (key) WHERE on_server = 0;
    -- Files that stay, each named by several keys perhaps: their bytes are counted once.
    CREATE INDEX contents_that_stay ON contents (digest, bytes) WHERE share IS NULL;

    INSERT INTO keeping (list, row_key, id, at) SELECT 2, key, id, received_at FROM emails;
    INSERT INTO keeping (list, row_key, id, at, twin)
      SELECT 0, key, id, created_at, id IN (SELECT id FROM emails) FROM received_emails;
    INSERT INTO keeping (list, row_key, id, at, twin)
      SELECT 1, key, id, created_at, id IN (SELECT id FROM emails) FROM sent_emails;

    CREATE TRIGGER keep_email AFTER INSERT ON emails BEGIN
      INSERT INTO keeping (list, row_key, id, at) VALUES (2, NEW.key, NEW.id, NEW.received_at);
      UPDATE keeping SET twin = 1 WHERE id = NEW.id AND list <> 2;
    END;
    CREATE TRIGGER keep_received_email AFTER INSERT ON received_emails BEGIN
      INSERT INTO keeping (list, row_key, id, at, twin)
        VALUES (0, NEW.key, NEW.id, NEW.created_at, EXISTS (SELECT 1 FROM keeping WHERE id = NEW.id AND list = 2));
    END;
    CREATE TRIGGER keep_sent_email AFTER INSERT ON sent_emails BEGIN
      INSERT INTO keeping (list, row_key, id, at, twin)
        VALUES (1, NEW.key, NEW.id, NEW.created_at, EXISTS (SELECT 1 FROM keeping WHERE id = NEW.id AND list = 2));
    END;
    CREATE TRIGGER forget_email AFTER DELETE ON emails BEGIN
      DELETE FROM keeping WHERE list = 2 AND row_key = OLD.key;
    END;
    CREATE TRIGGER forget_received_email AFTER DELETE ON received_emails BEGIN
      DELETE FROM keeping WHERE list = 0 AND row_key = OLD.key;
    END;
    CREATE TRIGGER forget_sent_email AFTER DELETE ON sent_emails BEGIN
      DELETE FROM keeping WHERE list = 1 AND row_key = OLD.key;
    END;
    -- An e-mail whose words were damaged is fetched again.
    CREATE TRIGGER keep_received_email_again AFTER UPDATE OF complete ON received_emails
      WHEN NEW.complete = 0 AND OLD.complete = 1 BEGIN
      UPDATE keeping SET state = 0, failures = 0, retry_at = 0 WHERE list = 0 AND row_key = NEW.key;
    END;
    CREATE TRIGGER keep_sent_email_again AFTER UPDATE OF complete ON sent_emails
      WHEN NEW.complete = 0 AND OLD.complete = 1 BEGIN
      UPDATE keeping SET state = 0, failures = 0, retry_at = 0 WHERE list = 1 AND row_key = NEW.key;
    END;
  `,
}
