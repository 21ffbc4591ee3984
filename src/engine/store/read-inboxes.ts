import type { InboxName } from '../../shared/engine-link.ts'
import { CACHE_FILE } from './cache.ts'
import { InboxStore } from './inboxes.ts'
import { readDatabaseFile } from './read-database-file.ts'

/** Identifies a cache file's account by its inboxes; none if missing, no cache, or unreadable. */
export const readInboxes = (file: string): readonly InboxName[] =>
  readDatabaseFile<readonly InboxName[]>(
    file,
    (database) => {
      if (database.pragma('application_id', { simple: true }) !== CACHE_FILE.applicationId) return []
      return new InboxStore(database).all().map(({ inbox: { id, emailAddress } }) => ({ id, address: emailAddress }))
    },
    [],
  )
