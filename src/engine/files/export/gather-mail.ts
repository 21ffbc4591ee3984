import { FOLDERS } from '../../../shared/model.ts'
import { toCachedList } from '../../../shared/thread-query.ts'
import type { ReadOnlyCache } from '../../store/cache.ts'
import type { MailThreadRef } from '../../store/mail-rows.ts'
import { resolveQuery } from '../../store/search-index/search-query.ts'
import { iterateMatchPages } from '../../store/search-index/search-threads.ts'
import { idsOfList } from '../../store/thread-lists.ts'
import { formatCrawlName } from '../../sync/thread-sync.ts'
import { createLocalClock } from '../../timing/clock.ts'
import { limitConcurrency } from '../../timing/limit-concurrency.ts'
import type { ExportEntryStore } from './export-entries.ts'
import type { ExportTask } from './write-export.ts'

type Cache = ReadOnlyCache['cache']

const PAGE_SIZE = 200
/** Threads fetched concurrently. */
const FETCHED_AT_ONCE = 3

const chooseThreads = (cache: Cache, { mail, searched }: ExportTask): readonly MailThreadRef[] => {
  if (mail.kind === 'everything') return cache.mailRows.threads()
  const { query } = mail
  const list = toCachedList(query)
  return query.inboxIds.flatMap((inboxId) => {
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) return []
    const own = { ...query, inboxIds: [inboxId] }
    const pages =
      list === null
        ? iterateMatchPages(cache.threadSearch, resolveQuery(own, createLocalClock()()))
        : idsOfList(cache.threadLists, inbox, list, PAGE_SIZE)
    const ids = new Set([...searched.ids, ...[...pages].flat()])
    return [...ids].flatMap((id) => cache.mailRows.thread(inbox.key, id) ?? [])
  })
}

/** True if the platform can't have matching threads that are unknown locally. */
const isWhole = (cache: Cache, { mail, searched }: ExportTask): boolean => {
  const isSearch = mail.kind === 'threads' && toCachedList(mail.query) === null
  if (isSearch && searched.isWhole) return true
  const inboxIds = mail.kind === 'threads' ? mail.query.inboxIds : cache.inboxes.all().map(({ inbox }) => inbox.id)
  return inboxIds.every((id) => {
    const inbox = cache.inboxes.get(id)
    const extent = inbox && cache.search.extent(inbox.key)
    if (extent === undefined || (isSearch && extent.emails < extent.of)) return false
    return FOLDERS.every((folder) => cache.listProgress.get(formatCrawlName({ id }, folder)).rounds > 0)
  })
}

export interface GatherResult {
  /** Threads with missing e-mails. */
  readonly missingThreads: number
  /** True if no more of this mail exists on the platform. */
  readonly isWhole: boolean
}

/**
 * Records matching mail, even if it leaves a list in the meantime; later arrivals are left out.
 * @param fetchThread fetches a thread's missing e-mails; null to use what is stored
 * @param onFetched called with the number of threads whose e-mails were missing: fetched so far, and in total
 */
export const gatherMail = async (
  cache: Cache,
  task: ExportTask,
  entries: Pick<ExportEntryStore, 'note'>,
  fetchThread: ((inboxId: string, threadId: string) => Promise<void>) | null,
  onFetched: (done: number, total: number) => void,
): Promise<GatherResult> => {
  const threads = chooseThreads(cache, task)
  const hasAll = ({ inboxKey, inboxId, id }: MailThreadRef): boolean =>
    cache.threads.emailsComplete({ key: inboxKey, id: inboxId }, id)
  if (fetchThread !== null) {
    const lacking = threads.filter((thread) => !hasAll(thread))
    const inTurn = limitConcurrency(FETCHED_AT_ONCE)
    let fetched = 0
    const fetchOne = async ({ inboxId, id }: MailThreadRef): Promise<void> => {
      await fetchThread(inboxId, id)
      onFetched((fetched += 1), lacking.length)
    }
    await Promise.all(lacking.map((thread) => inTurn(() => fetchOne(thread))))
  }

  // Threads first: other entries are deduplicated against them.
  let missingThreads = 0
  for (const thread of threads) {
    const { key, id: threadId, inboxId, inboxKey } = thread
    const emails = cache.mailRows.emailsOf(key)
    const isOnServer = cache.threads.currentState({ key: inboxKey, id: inboxId }, threadId)?.onServer === true
    if (emails.length === 0 || (isOnServer && !hasAll(thread))) missingThreads += 1
    entries.note(emails, { list: 'threads', inboxId, threadId })
  }
  if (task.mail.kind === 'everything') {
    for (const list of ['received', 'sent'] as const) {
      for (let page = cache.mailRows.accountEmails(list, -1, PAGE_SIZE); page.length > 0;) {
        entries.note(page, { list, inboxId: null, threadId: null })
        page = cache.mailRows.accountEmails(list, page.at(-1)?.key ?? 0, PAGE_SIZE)
      }
    }
  }
  return { missingThreads, isWhole: isWhole(cache, task) }
}
