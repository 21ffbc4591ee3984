import type { InboxIdentity } from '../../shared/engine-api.ts'
import { CACHE_FILE_KIND } from './cache.ts'
import { InboxStore } from './inboxes.ts'
import { readDatabaseFile } from './read-database-file.ts'

/** The inboxes in a cache file, which identify its account. Empty if the file is missing, unreadable or not a cache. */
export const readInboxNames = (file: string): readonly InboxIdentity[] =>
  readDatabaseFile<readonly InboxIdentity[]>(
    file,
    (database) => {
      if (database.pragma('application_id', { simple: true }) !== CACHE_FILE_KIND.applicationId) return []
      return new InboxStore(database).all().map(({ inbox: { id, emailAddress } }) => ({ id, address: emailAddress }))
    },
    [],
  )
