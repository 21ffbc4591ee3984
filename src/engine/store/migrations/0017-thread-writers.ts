import type { Migration } from '../open-database.ts'

export const threadWriters: Migration = {
  version: 17,
  sql: `
    -- Who wrote in the thread, newest first (JSON, thread-writers.ts), as of the reading of its e-mails. Null until the next one.
    ALTER TABLE threads ADD COLUMN writers TEXT;
  `,
}
