import type { Migration } from '../open-database.ts'

export const onlyHere: Migration = {
  version: 13,
  sql: `
    -- The list of the threads that the platform has dropped, and the others of each list without them.
    CREATE INDEX threads_only_here ON threads (inbox_key, received_at DESC, id DESC)
      WHERE on_server = 0 AND folder NOT IN ('spam', 'trash');
    CREATE INDEX threads_dropped ON threads (inbox_key, folder) WHERE on_server = 0;
    -- Counted anew when the file is opened.
    DELETE FROM facts WHERE name = 'lists kept';
  `,
}
