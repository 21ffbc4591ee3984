import type { Migration } from '../../store/open-database.ts'

export const generations: Migration = {
  version: 2,
  sql: `
    -- The version of the file, a second time.
    CREATE TABLE version_stamp (version INTEGER NOT NULL) STRICT;

    -- Counts every write, so that of two copies the later one is known; and how many wishes there are.
    CREATE TABLE state (generation INTEGER NOT NULL, pending INTEGER NOT NULL) STRICT;
    INSERT INTO state (generation, pending) VALUES (0, (SELECT count(*) FROM intents));

    -- A checksum of the row's other columns; null for a row that is older than this custom.
    ALTER TABLE intents ADD COLUMN digest INTEGER;
  `,
}
