import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_NAME, OUTBOX_NAME, readOutboxFact, rememberOutbox } from './account-files.ts'
import { threadSubject } from './outbox/changes/thread-answers.ts'
import { contactSubject } from './outbox/changes/topic.ts'
import { openOutboxFile, type OpenedOutbox, type OutboxFile } from './outbox/outbox-file.ts'
import type { Outbox } from './outbox/outbox.ts'
import { openCache, type Cache } from './store/cache.ts'
import type { OwnLists } from './store/own-list.ts'
import type { PendingChanges } from './store/pending-changes.ts'
import { inStorageWords, isCorrupt } from './store/storage-problem.ts'
import type { Clock } from './timing/clock.ts'

/**
 * What is known of the cache's file before it is opened: nothing, that it is to be set aside without a look, or that a
 * person had it removed.
 */
export type CacheFileState = 'kept' | 'condemned' | 'cleared'

export interface AccountFiles {
  readonly outboxFile: OpenedOutbox
  readonly cache: Cache
  /** The waiting changes that the cache lays over the platform's threads. */
  readonly pending: PendingChanges
  /** A person's own lists. */
  readonly own: OwnLists
  /** Has the cache remember how far the outbox is. */
  readonly remember: () => void
  /** Whether the cache shows the outbox of another time: one of them is an older copy, or has lost its log. */
  readonly areApart: boolean
  /** Where a cache that could not be used was moved to. */
  readonly setAside: string | null
  /** Why the cache is a new one, if there was one before. */
  readonly cacheDamage: 'damaged' | 'missing' | null
  /** Whether nothing of the account was here. */
  readonly areNew: boolean
}

const ownListsIn = (
  file: Pick<OutboxFile, 'list' | 'writeList'>,
  remember: () => void,
  report: (thrown: unknown) => void,
): OwnLists => ({
  list: (name) => file.list(name),
  writeList: (name, entries) => {
    file.writeList(name, entries)
    try {
      remember()
    } catch (thrown) {
      // It is kept: what the cache remembers catches up with the next write.
      if (!isCorrupt(thrown)) report(thrown)
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
 * Open the outbox's file and the cache of an account. The cache lays the outbox's changes over what the platform says, and
 * the outbox asks the cache what the platform has said.
 * @param outbox the outbox, which is made later
 * @throws ProblemError `storage_failed`
 */
export const openAccountFiles = (
  { directory, state, onBroken, onCorrupt, onKind, report, clock }: FilesToOpen,
  outbox: () => Outbox,
): AccountFiles => {
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
          inSegment: (segmentId) => outbox().segmentMembers(segmentId),
          confirmedSince: (contactId, askedAt) => outbox().confirmedSince(contactSubject(contactId), askedAt),
        },
        labels: (inboxId) => outbox().labelOverlay(inboxId),
      },
      { onBroken, onCorrupt, ...(onKind && { onKind }) },
      state === 'condemned',
      clock,
    )
    const remember = (): void => rememberOutbox(cache.facts, outboxFile.mark())
    const isMissing = isNew && !outboxFile.isNew && state !== 'cleared'
    return {
      ...{ outboxFile, cache, pending, setAside, remember },
      own: ownListsIn(outboxFile.outbox, remember, report),
      areApart: readOutboxFact(cache.facts).generation !== outboxFile.mark().generation,
      cacheDamage: setAside !== null ? 'damaged' : isMissing ? 'missing' : null,
      areNew: outboxFile.isNew && isNew,
    }
  } catch (thrown) {
    openedOutbox?.outbox.close()
    throw inStorageWords(thrown)
  }
}
