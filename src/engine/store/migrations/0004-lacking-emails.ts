import type { Migration } from '../open-database.ts'

/**
 * The threads whose e-mails are to be fetched, by inbox. Linnet once took some for complete that were not, because a
 * platform's answer had gone astray: those are fetched again.
 */
export const lackingEmails: Migration = {
  version: 4,
  sql: `
    UPDATE threads SET emails_at = NULL
    WHERE emails_at IS NOT NULL AND on_server = 1 AND (
      SELECT count(*) FROM emails WHERE thread_key = threads.key
    ) < max(1, iif(json_valid(wire), coalesce(json_extract(wire, '$.email_count'), 1), 1));

    DROP INDEX threads_without_emails;
    CREATE INDEX threads_lacking_emails ON threads (inbox_key, received_at DESC)
      WHERE on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at);
  `,
}
