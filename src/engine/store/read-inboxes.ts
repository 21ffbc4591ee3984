import type { InboxName } from '../../shared/engine-link.ts'
import { CACHE_FILE } from './cache.ts'
import { InboxStore } from './inboxes.ts'
import { lookIntoDatabase } from './look-into-database.ts'

/**
 * The inboxes in a cache that need not be open, by which its account is known again; none for a file that is not
 * there, is no cache, or cannot be read. Nothing is changed or moved aside.
 */
export const readInboxes = (file: string): readonly InboxName[] =>
  lookIntoDatabase<readonly InboxName[]>(
    file,
    (database) => {
      if (database.pragma('application_id', { simple: true }) !== CACHE_FILE.applicationId) return []
      return new InboxStore(database).all().map(({ inbox: { id, emailAddress } }) => ({ id, address: emailAddress }))
    },
    [],
  )
