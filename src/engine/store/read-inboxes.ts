import type { InboxName } from '../../shared/engine-link.ts'
import { CACHE_FILE } from './cache.ts'
import { InboxStore } from './inboxes.ts'
import { readDatabaseFile } from './read-database-file.ts'

/** The inboxes in a cache file, which identify its account. Empty if the file is missing, unreadable or not a cache. */
export const readInboxes = (file: string): readonly InboxName[] =>
  readDatabaseFile<readonly InboxName[]>(
    file,
    (database) => {
      if (database.pragma('application_id', { simple: true }) !== CACHE_FILE.applicationId) return []
      return new InboxStore(database).all().map(({ inbox: { id, emailAddress } }) => ({ id, address: emailAddress }))
    },
    [],
  )
