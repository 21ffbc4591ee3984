import { setImmediate as nextTurn } from 'node:timers/promises'
import { toCachedList, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { ExportScope } from '../../../shared/export.ts'
import { toProblem } from '../../../shared/result.ts'
import type { Outbox } from '../../own/outbox/outbox.ts'
import type { SearchSessions } from '../../mail/search/sessions.ts'
import type { Cache } from '../../store/cache.ts'
import { idsOfList } from '../../store/thread-lists.ts'
import type { MailRow, MailThreadRef } from '../../store/mail-rows.ts'
import type { ThreadSync } from '../../sync/thread-sync.ts'
import type { ExportEntryStore, ExportEmailEntry } from './export-entries.ts'
import type { ExportRequest } from './export-request.ts'
import { createYielder } from '../../timing/turns.ts'

export interface GatherSources {
  readonly cache: Pick<Cache, 'inboxes' | 'threads' | 'threadLists' | 'mailRows'>
  readonly threads: Pick<ThreadSync, 'emails' | 'isListed' | 'mayOfferEmails'>
  readonly searches: Pick<SearchSessions, 'everything' | 'isWhole'>
  readonly outbox: Pick<Outbox, 'labelIdNow'>
  readonly isOnline: () => boolean
  readonly signal: AbortSignal
}

export interface GatherResult {
  /** Threads with missing e-mails. */
  readonly missingThreads: number
  /** True if no more of this mail exists on the platform. */
  readonly isWhole: boolean
}

const PAGE_SIZE = 50
/** Threads fetched concurrently. */
const FETCHED_AT_ONCE = 3

const toNoted = (
  { key: _key, id, ...mail }: MailRow,
  place: Pick<ExportEmailEntry, 'list' | 'inboxId' | 'threadId'>,
): ExportEmailEntry => ({
  ...mail,
  ...place,
  emailId: id,
})

const threadsOfQuery = function* (
  { cache, searches, outbox }: GatherSources,
  query: ThreadQuery,
): Generator<readonly MailThreadRef[]> {
  for (const inboxId of query.inboxIds) {
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) continue
    const own = { ...query, inboxIds: [inboxId] }
    const kept = toCachedList(own)
    const list = kept !== null && 'labelId' in kept ? { labelId: outbox.labelIdNow(inboxId, kept.labelId) } : kept
    const seen = new Set<string>()
    for (const ids of list === null ? searches.everything(own) : idsOfList(cache.threadLists, inbox, list, PAGE_SIZE)) {
      const fresh = ids.filter((id) => !seen.has(id))
      for (const id of fresh) seen.add(id)
      yield fresh.flatMap((id) => cache.mailRows.thread(inbox.key, id) ?? [])
    }
  }
}

const allThreads = function* ({ cache }: GatherSources): Generator<readonly MailThreadRef[]> {
  for (let page = cache.mailRows.threads(-1, PAGE_SIZE); page.length > 0;) {
    yield page
    page = cache.mailRows.threads(page.at(-1)?.key ?? 0, PAGE_SIZE)
  }
}

/** True if the platform can't have matching threads that are unknown locally. */
const isWhole = ({ cache, threads, searches }: GatherSources, mail: ExportScope): boolean => {
  const isListed = (inboxId: string): boolean => {
    const inbox = cache.inboxes.get(inboxId)
    return (
      inbox !== undefined &&
      (['inbox', 'archive', 'sent', 'spam', 'trash'] as const).every((folder) => threads.isListed(inbox, folder))
    )
  }
  if (mail.kind === 'everything') return cache.inboxes.all().every(({ inbox }) => isListed(inbox.id))
  if (toCachedList(mail.query) === null) return searches.isWhole(mail.query)
  return mail.query.inboxIds.every(isListed)
}

/**
 * Records matching mail, even if it leaves a list in the meantime; later arrivals are left out. Optionally fetches
 * missing e-mails.
 * @param onProgress called with the number of threads whose e-mails were missing: fetched so far, and in total
 */
export const gatherMail = async (
  sources: GatherSources,
  { mail, isFetching }: Pick<ExportRequest, 'mail' | 'isFetching'>,
  entries: Pick<ExportEntryStore, 'note'>,
  onProgress: (done: number, total: number) => void,
): Promise<GatherResult> => {
  const { cache, threads, signal, isOnline } = sources
  const yieldTurn = createYielder()

  const pages = mail.kind === 'everything' ? allThreads(sources) : threadsOfQuery(sources, mail.query)
  const targets: MailThreadRef[] = []
  const lacking: MailThreadRef[] = []
  for (const page of pages) {
    signal.throwIfAborted()
    for (const thread of page) {
      targets.push(thread)
      if (!cache.threads.emailsComplete({ key: thread.inboxKey, id: thread.inboxId }, thread.id)) lacking.push(thread)
    }
    await yieldTurn()
  }

  let fetched = 0
  const rest = isFetching ? lacking.values() : [].values()
  const fetchSome = async (): Promise<void> => {
    for (const thread of rest) {
      const inbox = { key: thread.inboxKey, id: thread.inboxId }
      const mayAsk =
        isOnline() && threads.mayOfferEmails(inbox) && cache.threads.currentState(inbox, thread.id)?.onServer === true
      if (mayAsk) {
        await threads.emails(inbox, thread.id, 'backfill').catch((thrown: unknown) => {
          signal.throwIfAborted()
          if (toProblem(thrown).code === 'internal') throw thrown
        })
      } else await yieldTurn()
      signal.throwIfAborted()
      onProgress((fetched += 1), lacking.length)
    }
  }
  if (isFetching) await Promise.all(Array.from({ length: FETCHED_AT_ONCE }, fetchSome))

  // Threads first: other entries are deduplicated against them.
  let missingThreads = 0
  for (let at = 0; at < targets.length; at += PAGE_SIZE) {
    const noted = targets.slice(at, at + PAGE_SIZE).flatMap(({ key, id, inboxId, inboxKey }) => {
      const inbox = { key: inboxKey, id: inboxId }
      const emails = cache.mailRows.emailsOf(key)
      const mayHaveMore =
        cache.threads.currentState(inbox, id)?.onServer === true && !cache.threads.emailsComplete(inbox, id)
      if (emails.length === 0 || mayHaveMore) missingThreads += 1
      return emails.map((email) => toNoted(email, { list: 'threads', inboxId, threadId: id }))
    })
    entries.note(noted)
    await nextTurn()
    signal.throwIfAborted()
  }
  if (mail.kind === 'everything') {
    for (const list of ['received', 'sent'] as const) {
      for (let page = cache.mailRows.accountEmails(list, -1, PAGE_SIZE); page.length > 0;) {
        entries.note(page.map((email) => toNoted(email, { list, inboxId: null, threadId: null })))
        await nextTurn()
        signal.throwIfAborted()
        page = cache.mailRows.accountEmails(list, page.at(-1)?.key ?? 0, PAGE_SIZE)
      }
    }
  }
  return { missingThreads, isWhole: isWhole(sources, mail) }
}
