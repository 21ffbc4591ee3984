import type { Migration } from '../open-database.ts'

/**
 * The version of the file, a second time: where it differs from the one in the header, the header is damaged, and not
 * the work of a newer Linnet.
 */
export const versionStamp: Migration = {
  version: 6,
  sql: 'CREATE TABLE version_stamp (version INTEGER NOT NULL) STRICT',
}
