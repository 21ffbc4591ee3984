import type { Migration } from '../open-database.ts'

/** A body of many megabytes is written and read in pieces, so that lists are answered in between. */
export const bodyPieces: Migration = {
  version: 5,
  sql: `
    CREATE TABLE body_pieces (
      name TEXT NOT NULL,
      place INTEGER NOT NULL,
      text TEXT NOT NULL,
      UNIQUE (name, place)
    ) STRICT;
  `,
}
