import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_NAME, lockAccount, readOwnRevision, saveOwnRevision } from './account-files.ts'
import { threadSubject } from './outbox/changes/thread-change-base.ts'
import { contactSubject } from './outbox/changes/contact-fields.ts'
import { OwnFile } from './own-file.ts'
import type { Outbox } from './outbox/outbox.ts'
import { openCache, type Cache } from '../store/cache.ts'
import type { PendingChanges } from '../store/pending-changes.ts'
import { toStorageError, isCorruptionError } from '../store/storage-problem.ts'
import type { Clock } from '../timing/clock.ts'

/** State of the cache file before it is opened: usable, to be set aside unread, or removed by the user. */
export type CacheFileState = 'kept' | 'untrusted' | 'cleared'

export interface AccountFiles {
  readonly own: OwnFile
  /** Call once the outbox exists, before the cache is read. */
  readonly attach: (outbox: Outbox) => void
  readonly cache: Cache
  /** Pending changes that the cache applies to threads. */
  readonly pending: PendingChanges
  /** True if the cache may not show the user's own data: either file is an older copy, or has lost its log. */
  readonly isMismatched: boolean
  /** True if the cache knows of newer writes to the user's own data than its file has. */
  readonly isOwnOlder: boolean
  /** New path of an unusable cache, or null. */
  readonly setAside: string | null
  /** Reason for a new cache if there was one before. */
  readonly cacheDamage: 'damaged' | 'missing' | null
  /** True if no files of the account existed. */
  readonly isNewAccount: boolean
  /** @param isDamaged true to check the files when they are next opened */
  readonly close: (isDamaged?: boolean) => Promise<void>
}

interface FilesToOpen extends NonNullable<Parameters<typeof openCache>[2]> {
  readonly directory: string
  readonly state: CacheFileState
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
}

/**
 * Locks an account and opens its files. The cache applies the outbox's changes; the outbox reads platform state from it.
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
  const opened: (() => unknown)[] = []
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const unlock = lockAccount(directory)
    opened.unshift(unlock)
    const own = new OwnFile({ directory, onCorrupt, report, clock })
    opened.unshift(() => own.close(true))
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
    const revisionInCache = readOwnRevision(cache.accountMeta)
    const rememberOwn = (revision: number): void => {
      try {
        saveOwnRevision(cache.accountMeta, revision)
      } catch (thrown) {
        // The write itself is done; the cache's record of it follows with the next one.
        if (!isCorruptionError(thrown)) report(thrown)
      }
    }
    own.onWrite = rememberOwn
    const isMissing = isNew && !own.isNew && state !== 'cleared'
    return {
      ...{ own, cache, pending, setAside },
      attach: (made) => {
        attached = made
      },
      isMismatched: own.revision() !== revisionInCache,
      isOwnOlder: own.revision() < revisionInCache,
      cacheDamage: setAside !== null ? 'damaged' : isMissing ? 'missing' : null,
      isNewAccount: own.isNew && isNew,
      close: async (isDamaged) => {
        try {
          if (isDamaged !== true) rememberOwn(own.revision())
          await own.close(isDamaged)
        } finally {
          try {
            cache.close(isDamaged)
          } finally {
            unlock()
          }
        }
      },
    }
  } catch (thrown) {
    for (const close of opened) close()
    throw toStorageError(thrown)
  }
}
