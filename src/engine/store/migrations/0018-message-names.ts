import type { Migration } from '../open-database.ts'

/** The Message-ID in a row's words, behind their checksum where there is one. */
const nameIn = (wire: string): string => {
  const words = `iif(substr(${wire}, 1, 1) = '{', ${wire}, substr(${wire}, 9))`
  return `CASE WHEN json_valid(${words}) THEN trim(json_extract(${words}, '$.message_id'), ' <>') END`
}

/**
 * Message-IDs of the e-mails of threads, without brackets. By these an e-mail of the account's own lists finds its thread
 * where the platform gives the two copies different IDs.
 */
export const messageNames: Migration = {
  version: 18,
  sql: `
    CREATE TABLE message_names (
      email_key INTEGER PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT;
    CREATE INDEX message_names_by_name ON message_names (name);

    INSERT INTO message_names (email_key, name)
      SELECT key, name FROM (SELECT key, ${nameIn('wire')} AS name FROM emails) WHERE name <> '';

    CREATE TRIGGER name_message AFTER INSERT ON emails BEGIN
      INSERT OR REPLACE INTO message_names (email_key, name)
        SELECT NEW.key, name FROM (SELECT ${nameIn('NEW.wire')} AS name) WHERE name <> '';
    END;
    CREATE TRIGGER forget_message AFTER DELETE ON emails BEGIN
      DELETE FROM message_names WHERE email_key = OLD.key;
    END;
  `,
}
