import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../shared/result.ts'
import { CACHE_NAME, lockAccount, readOwnRevision, saveOwnRevision } from './account-files.ts'
import { threadSubject } from './outbox/changes/thread-change-base.ts'
import { accountTopicSubject, buildAccountTopicOverlay } from './outbox/changes/account-topic.ts'
import { buildContactOverlay } from './outbox/changes/contact.ts'
import { contactSubject } from './outbox/changes/contact-fields.ts'
import { OwnFile } from './own-file.ts'
import type { Outbox } from './outbox/outbox.ts'
import { openCache } from '../store/cache.ts'
import type { PendingChanges } from '../store/pending-changes.ts'
import { attempt, toStorageError } from '../store/storage-problem.ts'
import type { Clock } from '../timing/clock.ts'

/** State of the cache file before it is opened: usable, to be set aside unread, or removed by the user. */
export type CacheFileState = 'kept' | 'untrusted' | 'cleared'

const OWN_LOST =
  'Linnet’s file with your unsent changes, drafts, rules and lists was damaged or missing. Linnet recovered what it could. Check whether your latest changes are there.'

/** There is no record of what was pending. */
const FOLDER_MISSING =
  'Linnet’s folder for this account was missing. Unsent changes and drafts may be lost. Check your latest ones. Your mail is downloading again.'

const CACHE_MESSAGES = {
  damaged:
    'Linnet’s copy of your mail was damaged and set aside. Linnet will recover what it can and download the rest again.',
  missing: 'Linnet’s copy of your mail was missing. Your mail is downloading again.',
} as const

interface FilesToOpen extends NonNullable<Parameters<typeof openCache>[2]> {
  readonly directory: string
  readonly state: CacheFileState
  /** True if the account has been open before. */
  readonly isKnown: boolean
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
  isKnown,
  onBroken,
  onCorrupt,
  onKind,
  report,
  clock,
}: FilesToOpen) => {
  let attached: Outbox | null = null
  const outbox = (): Outbox => {
    if (attached === null) throw new Error('The cache was read before the outbox was attached.')
    return attached
  }
  /** Pending changes that the cache applies to threads. */
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
        accountTopics: () => buildAccountTopicOverlay(outbox().waiting.within(accountTopicSubject(''))),
        contacts: {
          ofContact: (contactId) => buildContactOverlay(outbox().waiting.of(contactSubject(contactId))),
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
      // The write itself is done; if this fails, the cache's record of it follows with the next one.
      attempt(() => saveOwnRevision(cache.accountMeta, revision), report)
    }
    const isOwnLost = own.wasRecovered || own.revision() < revisionInCache
    const ownMessage = isKnown && own.isNew && isNew ? FOLDER_MISSING : isOwnLost ? OWN_LOST : null
    const isMissing = isNew && !own.isNew && state !== 'cleared'
    const cacheDamage = setAside !== null ? 'damaged' : isMissing ? 'missing' : null
    const messages = { 'own-damaged': ownMessage, 'cache-damaged': cacheDamage && CACHE_MESSAGES[cacheDamage] }
    return {
      ...{ own, cache, pending },
      /** New path of an unusable cache, or null. */
      setAside,
      /** Reason for a new cache if there was one before. */
      cacheDamage,
      /** Call once the outbox exists, before the cache is read. */
      attach: (made: Outbox): void => {
        attached = made
      },
      /** True if the cache may not show the user's own data: either file is an older copy, or has lost its log. */
      isMismatched: own.revision() !== revisionInCache,
      /** Call once the cache shows the user's own data. From then on, the cache records the number of each write. */
      recordWrites: (): void => {
        rememberOwn(own.revision())
        own.onWrite = rememberOwn
      },
      /** Damaged or missing files, to be reported to the user. */
      problems: Object.entries(messages).flatMap(([id, message]): (Problem & { readonly id: string })[] =>
        message === null ? [] : [{ id, code: 'storage_failed', message }],
      ),
      /** @param isDamaged true to check the files when they are next opened */
      close: async (isDamaged?: boolean): Promise<void> => {
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

export type AccountFiles = ReturnType<typeof openAccountFiles>
