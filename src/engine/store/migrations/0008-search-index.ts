import type { Migration } from '../open-database.ts'

/**
 * The index that the search of this computer reads (`engine/search-index`). All of it is made from the other tables and
 * can be made anew. An older file's mail is indexed in the background.
 */
export const searchIndex: Migration = {
  version: 8,
  sql: `
    -- The words of each e-mail and what else of it never changes, made by Linnet and only parted here.
    CREATE VIRTUAL TABLE search_words USING fts5 (
      words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
    );

    CREATE TABLE search_documents (
      -- The rowid in search_words.
      document INTEGER PRIMARY KEY,
      thread_key INTEGER NOT NULL,
      email_key INTEGER NOT NULL UNIQUE,
      received_at INTEGER NOT NULL,
      is_outbound INTEGER NOT NULL,
      -- Such as 'f1 t2 t3': a field's letter and a key of search_people.
      people TEXT NOT NULL,
      -- Of what was indexed: the same again is not written again.
      digest INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE search_threads (
      thread_key INTEGER PRIMARY KEY,
      inbox_key INTEGER NOT NULL,
      -- The order of an inbox's threads, latest activity first: the smaller, the earlier in a list.
      place INTEGER NOT NULL UNIQUE,
      -- Nothing else is from place up to place + room.
      room INTEGER NOT NULL,
      time INTEGER NOT NULL,
      -- Its e-mails' documents begin here: at its place, or below zero for a thread of very many.
      documents_from INTEGER NOT NULL,
      folder TEXT NOT NULL,
      read INTEGER NOT NULL,
      has_outbound INTEGER NOT NULL,
      -- As the platform counts them.
      email_count INTEGER NOT NULL,
      -- JSON.
      label_ids TEXT NOT NULL,
      -- 0 while e-mails of an older file wait to be indexed.
      indexed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX search_threads_by_time ON search_threads (inbox_key, time DESC, place);
    CREATE INDEX search_threads_by_folder ON search_threads (inbox_key, folder, place);
    CREATE INDEX search_threads_by_read ON search_threads (inbox_key, read, place);
    CREATE INDEX search_threads_outbound ON search_threads (inbox_key, place) WHERE has_outbound = 1;
    CREATE INDEX search_threads_large ON search_threads (inbox_key, place) WHERE documents_from < 0;
    CREATE INDEX search_threads_waiting ON search_threads (place) WHERE indexed = 0;

    CREATE TABLE search_labels (
      inbox_key INTEGER NOT NULL,
      label_id TEXT NOT NULL,
      place INTEGER NOT NULL,
      PRIMARY KEY (inbox_key, label_id, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE search_people (
      key INTEGER PRIMARY KEY,
      -- Name and address in lower case, a line each.
      text TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE VIRTUAL TABLE search_people_parts USING fts5 (
      text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1'
    );

    -- Every word of four letters and more, and every beginning of two: what a word that is typed may become.
    CREATE TABLE search_terms (
      term TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE search_state (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
