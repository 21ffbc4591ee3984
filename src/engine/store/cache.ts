import type Database from 'better-sqlite3'
import { createProblem } from '../../shared/result.ts'
import { scheduleIndexRebuild, SearchIndex } from './search-index/search-index.ts'
import { IncomingMail } from './search-index/incoming-mail.ts'
import { createAnsweredThreads } from './search-index/answered-threads.ts'
import { ThreadSearch } from './search-index/search-threads.ts'
import { createReceivedEmailStore, createSentEmailStore } from './account-emails.ts'
import { createBacklog } from './backlog.ts'
import type { OnBrokenRow } from './broken-row.ts'
import { AccountListStore, type PendingTopicsReader } from './account-lists.ts'
import { ContactStore, type PendingContacts } from './contacts.ts'
import { createBlobRowStore } from './blob-rows.ts'
import { createDeliveryStore } from './deliveries.ts'
import { createDeletedMailStore } from './deleted-mail.ts'
import { EmailStore } from './emails.ts'
import { createAccountMetaStore } from './account-meta.ts'
import { InboxStore } from './inboxes.ts'
import { PrefetchQueueStore } from './prefetch-queue.ts'
import { LabelStore, NO_PENDING_LABELS, type PendingLabels } from './labels.ts'
import { createMailRows } from './mail-rows.ts'
import { openDatabase, openDatabaseReadOnly, type DatabaseFileKind, type OpenedDatabase } from './open-database.ts'
import { createRowCopier } from './row-copier.ts'
import { createIndexedRows } from './indexed-rows.ts'
import { cacheSchema, repairThreadCounts } from './schema.ts'
import type { PendingChanges } from './pending-changes.ts'
import { createThreadFinder } from './thread-finder.ts'
import { ThreadLists } from './thread-lists.ts'
import { ThreadStore } from './threads.ts'
import { SegmentStore } from './segments.ts'
import { createSuppressionStore } from './suppressions.ts'
import { createTemplateStore } from './templates.ts'
import { TopicStore, type PendingTopics } from './topics.ts'
import { createPayloadStore } from './payloads.ts'
import { createListProgressStore } from './list-progress.ts'
import { createWebhookEventStore } from './webhook-events.ts'
import { onDamage, runInTransaction, type PublicMembers } from './watch-database.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** The cache of one account. Everything on the screen comes from here. */
export interface Cache extends Stores {
  /** Runs writes to several stores in one transaction. */
  readonly inTransaction: <Value>(work: () => Value) => Value
  /** @param isDamaged true to check the file when it is next opened */
  readonly close: (isDamaged?: boolean) => void
}

/** SQLite application ID: `LNNC`. */
export const CACHE_FILE_KIND: DatabaseFileKind = {
  applicationId: 0x4c4e_4e43,
  migrations: [cacheSchema],
  isDurable: false,
  repair: scheduleIndexRebuild,
}

interface CacheListeners {
  /** Called if a row is damaged but the file is intact. */
  readonly onBroken: OnBrokenRow
  /** Called if the file itself is damaged and must be reopened. */
  readonly onCorrupt: () => void
  /** Called when an e-mail's kind changed because its headers arrived. */
  readonly onKind?: (inboxId: string, threadId: string) => void
}

const NO_LISTENERS: CacheListeners = { onBroken: () => undefined, onCorrupt: () => undefined }

interface Pending {
  readonly threads: PendingChanges
  readonly topics: PendingTopics
  readonly contacts?: PendingContacts
  readonly labels?: PendingLabels
  readonly accountTopics?: PendingTopicsReader
}

const createStores = (
  database: Database.Database,
  pending: Pending,
  { onBroken, onKind }: Omit<CacheListeners, 'onCorrupt'>,
  clock: Clock,
) => {
  const labels = new LabelStore(database, pending.labels ?? (() => NO_PENDING_LABELS))
  const accountMeta = createAccountMetaStore(database)
  const indexedRows = createIndexedRows(database)
  const selectPlace = database.prepare<[number], { readonly inboxId: string; readonly threadId: string }>(
    `SELECT inboxes.id AS inboxId, threads.id AS threadId FROM threads
     JOIN inboxes ON inboxes.key = inbox_key WHERE threads.key = ?`,
  )
  const reclassified = (threadKey: number): void => {
    const place = onKind === undefined ? undefined : selectPlace.get(threadKey)
    if (place !== undefined) onKind?.(place.inboxId, place.threadId)
  }
  const search = new SearchIndex(database, indexedRows, reclassified)
  const threadSearch = new ThreadSearch(database, indexedRows, search)
  const deliveryStore = createDeliveryStore(database)
  const webhookEvents = createWebhookEventStore(database)
  const inboxes = new InboxStore(database)
  const threadLists = new ThreadLists(database)
  const threads = new ThreadStore({
    events: webhookEvents,
    ...{ database, labels, inboxes, search, onBroken, clock },
    lists: threadLists,
    pending: pending.threads,
  })
  const payloads = createPayloadStore(database)
  const accountLists = new AccountListStore(payloads, pending.accountTopics)
  const segments = new SegmentStore(database, payloads, accountLists, accountMeta)
  const accountEmails = { database, index: search, search: threadSearch, onBroken, clock }
  return {
    inboxes,
    labels,
    threads,
    threadLists,
    backlog: createBacklog(database),
    emails: new EmailStore(database, search, onBroken),
    receivedEmails: createReceivedEmailStore(accountEmails),
    sentEmails: createSentEmailStore(accountEmails, deliveryStore, webhookEvents),
    deliveries: deliveryStore,
    mailRows: createMailRows(database),
    rowCopier: createRowCopier(database),
    contacts: new ContactStore(database, segments, onBroken, pending.contacts),
    topics: new TopicStore(database, payloads, pending.topics, accountLists),
    blobs: createBlobRowStore(database),
    keeping: new PrefetchQueueStore(database),
    deleted: createDeletedMailStore(database, clock.now),
    threadFinder: createThreadFinder(database),
    segments,
    accountLists,
    suppressions: createSuppressionStore(payloads),
    templates: createTemplateStore(database),
    listProgress: createListProgressStore(accountMeta),
    webhookEvents,
    accountMeta,
    search,
    threadSearch,
    answeredThreads: createAnsweredThreads(database),
    incoming: new IncomingMail(database, search),
  }
}

type CreatedStores = ReturnType<typeof createStores>
type Stores = { readonly [Name in keyof CreatedStores]: PublicMembers<CreatedStores[Name]> }

/** A read-only cache that another process may be writing. */
export interface ReadOnlyCache {
  readonly cache: Stores
  readonly findEmail: (emailId: string) => { readonly inboxId: string; readonly threadId: string } | undefined
  /** Runs several reads on one consistent snapshot. */
  readonly inReadTransaction: <Value>(work: () => Value) => Value
  readonly close: () => void
}

/**
 * Pending changes for a read-only cache: none, because stored thread rows already include them. Only the writing
 * process needs the outbox.
 */
const NO_PENDING_CHANGES: Pending = {
  threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
  topics: () => new Map(),
}

/** True if the file needs a write, such as crash recovery, before it can be read. */
const isWriteNeeded = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_READONLY'

/**
 * Opens a cache read-only.
 * @throws ProblemError `not_found`, or `storage_failed` if it must be opened in Linnet first
 */
export const openCacheReadOnly = (file: string): ReadOnlyCache => {
  const database = openDatabaseReadOnly(file, CACHE_FILE_KIND)
  try {
    const selectEmail = database.prepare<[string], { readonly inboxId: string; readonly threadId: string }>(
      `SELECT inboxes.id AS inboxId, threads.id AS threadId FROM emails
       JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key WHERE emails.id = ? LIMIT 1`,
    )
    return {
      cache: createStores(database, NO_PENDING_CHANGES, NO_LISTENERS, systemClock),
      findEmail: (emailId) => selectEmail.get(emailId),
      inReadTransaction: (work) => database.transaction(work)(),
      close: () => void database.close(),
    }
  } catch (thrown) {
    database.close()
    if (!isWriteNeeded(thrown)) throw thrown
    const message =
      'This account’s mail is still being prepared for search. Open the account in Linnet once, then try again.'
    throw createProblem('storage_failed', message, thrown)
  }
}

/**
 * Opens or creates a cache file.
 * @param isKnownDamaged true to set the file aside without checking it
 * @returns the cache, whether it is new, and the new path of an unusable file
 */
export const openCache = (
  file: string,
  pending: Pending,
  listeners = NO_LISTENERS,
  isKnownDamaged = false,
  clock: Clock = systemClock,
): { readonly cache: Cache } & Pick<OpenedDatabase, 'isNew' | 'setAside'> => {
  const { database, isNew, wasChecked, setAside, close } = openDatabase(file, CACHE_FILE_KIND, isKnownDamaged)
  try {
    if (wasChecked) repairThreadCounts(database)
    const cache: Cache = {
      ...createStores(database, pending, listeners, clock),
      inTransaction: (work) => runInTransaction(database, work),
      close,
    }
    onDamage(database, listeners.onCorrupt)
    return { cache, isNew, setAside }
  } catch (thrown) {
    close(true)
    // The statements are valid for every intact file, so an SQL error means that a table is damaged.
    const isBroken = thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_ERROR'
    if (isBroken && !isKnownDamaged) return openCache(file, pending, listeners, true, clock)
    throw thrown
  }
}
