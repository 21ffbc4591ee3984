import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_NAME, OUTBOX_NAME, readOutboxPosition, saveOutboxMark } from './account-files.ts'
import { threadSubject } from './outbox/changes/thread-change-base.ts'
import { contactSubject } from './outbox/changes/contact-fields.ts'
import { openOutboxFile, type OpenedOutbox, type OutboxFile } from './outbox/outbox-file.ts'
import type { Outbox } from './outbox/outbox.ts'
import { openCache, type Cache } from '../store/cache.ts'
import type { LocalLists } from '../store/local-list.ts'
import type { PendingChanges } from '../store/pending-changes.ts'
import { toStorageError, isCorruptionError } from '../store/storage-problem.ts'
import type { Clock } from '../timing/clock.ts'

/** State of the cache file before it is opened: usable, to be set aside unread, or removed by the user. */
export type CacheFileState = 'kept' | 'untrusted' | 'cleared'

export interface AccountFiles {
  readonly outboxFile: OpenedOutbox
  /** Call once the outbox exists, before the cache is read. */
  readonly attach: (outbox: Outbox) => void
  readonly cache: Cache
  /** Pending changes that the cache applies to threads. */
  readonly pending: PendingChanges
  readonly own: LocalLists
  /** Stores the outbox's position in the cache. */
  readonly remember: () => void
  /** True if cache and outbox don't match: either file is an older copy, or has lost its log. */
  readonly isMismatched: boolean
  /** New path of an unusable cache, or null. */
  readonly setAside: string | null
  /** Reason for a new cache if there was one before. */
  readonly cacheDamage: 'damaged' | 'missing' | null
  /** True if no files of the account existed. */
  readonly isNewAccount: boolean
}

const ownListsIn = (
  file: Pick<OutboxFile, 'list' | 'writeList'>,
  remember: () => void,
  report: (thrown: unknown) => void,
): LocalLists => ({
  list: (name) => file.list(name),
  writeList: (name, entries) => {
    file.writeList(name, entries)
    try {
      remember()
    } catch (thrown) {
      // The list is saved; the cache's copy of the mark follows with the next write.
      if (!isCorruptionError(thrown)) report(thrown)
    }
  },
})

interface FilesToOpen extends NonNullable<Parameters<typeof openCache>[2]> {
  readonly directory: string
  readonly state: CacheFileState
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
}

/**
 * Opens an account's outbox and cache. The cache applies the outbox's changes; the outbox reads platform state from it.
 * @throws ProblemError `storage_failed`
 */
export const openAccountFiles = ({
  directory,
  state,
  onBroken,
  onCorrupt,
  onKind,
  report,
  clock,
}: FilesToOpen): AccountFiles => {
  let attached: Outbox | null = null
  const outbox = (): Outbox => {
    if (attached === null) throw new Error('The cache was read before the outbox was attached.')
    return attached
  }
  const pending: PendingChanges = {
    overlay: (inboxId, threadId) => outbox().threadOverlay(inboxId, threadId),
    marks: (inboxId, threadId) => outbox().marksOf(inboxId, threadId),
    confirmedSince: (inboxId, threadId, askedAt) => outbox().confirmedSince(threadSubject(inboxId, threadId), askedAt),
  }
  let openedOutbox: OpenedOutbox | null = null
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const outboxFile = openOutboxFile(join(directory, OUTBOX_NAME), onCorrupt, clock)
    openedOutbox = outboxFile
    const { cache, isNew, setAside } = openCache(
      join(directory, CACHE_NAME),
      {
        threads: pending,
        topics: (contactId) => outbox().topicOverlay(contactId),
        accountTopics: () => outbox().accountTopics(),
        contacts: {
          ofContact: (contactId) => outbox().contactOverlay(contactId),
          confirmedSince: (contactId, askedAt) => outbox().confirmedSince(contactSubject(contactId), askedAt),
        },
        labels: (inboxId) => outbox().labelOverlay(inboxId),
      },
      { onBroken, onCorrupt, ...(onKind && { onKind }) },
      state === 'untrusted',
      clock,
    )
    const remember = (): void => saveOutboxMark(cache.accountMeta, outboxFile.mark())
    const isMissing = isNew && !outboxFile.isNew && state !== 'cleared'
    return {
      ...{ outboxFile, cache, pending, setAside, remember },
      attach: (made) => {
        attached = made
      },
      own: ownListsIn(outboxFile.outbox, remember, report),
      isMismatched: readOutboxPosition(cache.accountMeta).generation !== outboxFile.mark().generation,
      cacheDamage: setAside !== null ? 'damaged' : isMissing ? 'missing' : null,
      isNewAccount: outboxFile.isNew && isNew,
    }
  } catch (thrown) {
    openedOutbox?.outbox.close()
    throw toStorageError(thrown)
  }
}
