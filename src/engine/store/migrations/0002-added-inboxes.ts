import type { Migration } from '../open-database.ts'

/** A platform may know inboxes without listing them: a person then adds one by its ID. */
export const addedInboxes: Migration = {
  version: 2,
  sql: 'ALTER TABLE inboxes ADD COLUMN added INTEGER NOT NULL DEFAULT 0',
}
