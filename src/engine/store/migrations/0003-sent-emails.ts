import type { Migration } from '../open-database.ts'

/** The account's own list of sent e-mails, kept as its received ones are. */
export const sentEmails: Migration = {
  version: 3,
  sql: `
    CREATE TABLE sent_emails (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      on_server INTEGER NOT NULL,
      -- 1 where wire holds the whole e-mail and not only what the list says of it.
      complete INTEGER NOT NULL,
      wire TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sent_emails_by_time ON sent_emails (created_at DESC, key DESC);
  `,
}
