/** The local search index. It is derived from the other tables and can be rebuilt. */
export const SEARCH_TABLES = `
  -- Tokens for each e-mail's words and other unchanging properties. Linnet creates them; FTS5 only splits the string.
  CREATE VIRTUAL TABLE search_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
  );

  CREATE TABLE search_documents (
    -- Rowid in search_words.
    document INTEGER PRIMARY KEY,
    thread_key INTEGER NOT NULL,
    email_key INTEGER NOT NULL UNIQUE,
    received_at INTEGER NOT NULL,
    is_outbound INTEGER NOT NULL,
    -- For example 'f1 t2 t3': the letter of a field, and a key of search_people.
    people TEXT NOT NULL,
    -- Checksum of the indexed content, so that unchanged e-mails aren't written again.
    digest INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE search_threads (
    thread_key INTEGER PRIMARY KEY,
    inbox_key INTEGER NOT NULL,
    -- Position in the inbox, latest activity first. Smaller places come earlier in lists.
    place INTEGER NOT NULL UNIQUE,
    -- Number of places reserved for the thread, starting at its place.
    room INTEGER NOT NULL,
    time INTEGER NOT NULL,
    -- First document number of its e-mails: its place, or negative for a very large thread.
    documents_from INTEGER NOT NULL,
    folder TEXT NOT NULL,
    read INTEGER NOT NULL,
    has_outbound INTEGER NOT NULL,
    -- The platform's count of its e-mails.
    email_count INTEGER NOT NULL,
    -- JSON.
    label_ids TEXT NOT NULL,
    -- Null once all e-mails are indexed. Until then, the key of the last one that a rebuild has indexed, or 0.
    unindexed_after INTEGER
  ) STRICT;
  CREATE INDEX search_threads_by_time ON search_threads (inbox_key, time DESC, place);
  CREATE INDEX search_threads_by_folder ON search_threads (inbox_key, folder, place);
  CREATE INDEX search_threads_by_read ON search_threads (inbox_key, read, place);
  CREATE INDEX search_threads_outbound ON search_threads (inbox_key, place) WHERE has_outbound = 1;
  CREATE INDEX search_threads_large ON search_threads (inbox_key, place) WHERE documents_from < 0;
  CREATE INDEX search_threads_unindexed ON search_threads (place) WHERE unindexed_after IS NOT NULL;

  CREATE TABLE search_labels (
    inbox_key INTEGER NOT NULL,
    label_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (inbox_key, label_id, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE search_people (
    key INTEGER PRIMARY KEY,
    -- Name and address in lower case, on a line each.
    text TEXT NOT NULL UNIQUE
  ) STRICT;
  -- Indexes the address, which is on the line after the name.
  CREATE INDEX search_people_by_address ON search_people (substr(text, instr(text, char(10)) + 1));
  CREATE VIRTUAL TABLE search_people_parts USING fts5 (
    text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1'
  );

  -- Completions for a word being typed: all words of four or more letters, and all two-letter prefixes.
  CREATE TABLE search_terms (
    term TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE search_kinds (
    -- Digest of a name shared by an e-mail's copies in its thread and the received list (search-index/mail-kinds.ts).
    name TEXT PRIMARY KEY,
    -- The received e-mail whose headers determine the kind.
    row_key INTEGER NOT NULL,
    kind TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_kinds_by_row ON search_kinds (row_key);

  CREATE TABLE search_state (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`
