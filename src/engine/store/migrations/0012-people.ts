import type { Migration } from '../open-database.ts'
import { JSON_OF_WORDS } from '../sealed-words.ts'

/** What is asked of one person: found by their address, without a walk over everybody. */
export const people: Migration = {
  version: 12,
  sql: `
    -- As canonicalAddress writes it; of rows of an older version only their ASCII letters are folded, until
    -- the list of contacts is next walked.
    ALTER TABLE contacts ADD COLUMN address TEXT NOT NULL DEFAULT '';
    -- The change by which this computer made the contact; null for one that was there before.
    ALTER TABLE contacts ADD COLUMN made_by TEXT;
    UPDATE contacts SET address = lower(coalesce(
      iif(json_valid(${JSON_OF_WORDS}), json_extract(${JSON_OF_WORDS}, '$.email'), ''), ''
    ));
    CREATE INDEX contacts_by_address ON contacts (address);

    CREATE TABLE contact_segments (
      contact_id TEXT PRIMARY KEY,
      fetched_at INTEGER NOT NULL,
      wire TEXT NOT NULL
    ) STRICT;

    -- The address behind the name, a line of its own.
    CREATE INDEX search_people_by_address ON search_people (substr(text, instr(text, char(10)) + 1));
  `,
}
