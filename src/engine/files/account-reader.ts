/** Reads mail from an account's folder, even while another process has it open. Writes and requests nothing. */
import { searchLabelsIn } from '../own/inbox-lookups.ts'
import { join } from 'node:path'
import type { EmailList } from '../../shared/email-query.ts'
import { toEmailFilter } from '../../shared/email-query.ts'
import type {
  EmailBodies,
  Email,
  Inbox,
  Label,
  WithExcerpt,
  LocalSearchCoverage,
  ReceivedEmail,
  ReceivedEmailDetail,
  SentEmail,
  SentEmailDetail,
  Thread,
} from '../../shared/model.ts'
import type { ThreadFilter } from '../../shared/thread-query.ts'
import type { Attachment } from '../../shared/attachments.ts'
import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { Contact, Topic, TopicSubscription } from '../../shared/people.ts'
import { CACHE_NAME, OWN_NAME } from '../own/account-files.ts'
import { partsWorkerFile } from '../mail/attachments/parse-in-worker.ts'
import { findSentCopy } from '../store/same-message.ts'
import { createLocalClock } from '../timing/clock.ts'
import { EmailSearches } from '../mail/search/email-searches.ts'
import { resolveQuery } from '../store/search-index/search-query.ts'
import { htmlToText } from '../../shared/mail-text/html-to-text.ts'
import { openCacheReadOnly, type ReadOnlyCache } from '../store/cache.ts'
import { countUnsentChanges } from '../store/directory-usage.ts'
import { readFileIdentity } from '../store/file-header.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { toStorageError } from '../store/storage-problem.ts'
import { StoredFiles, type FileOwner } from './stored-files.ts'

/** A thread found by a search, with the matching e-mail if known. */
export interface MatchedThread extends Thread {
  readonly matchedEmailId: string | null
}

export type ReaderItem =
  | { readonly kind: 'thread'; readonly thread: Thread; readonly emails: readonly Email[] }
  | { readonly kind: 'email'; readonly thread: Thread; readonly email: Email }
  | { readonly kind: 'received'; readonly email: ReceivedEmail & Partial<ReceivedEmailDetail> }
  | { readonly kind: 'sent'; readonly email: SentEmail & Partial<SentEmailDetail> }

/** Readable text of an e-mail; null if its body isn't stored. */
export const toReadableText = ({ text, html }: Pick<Partial<EmailBodies>, 'html' | 'text'>): string | null => {
  if (typeof text === 'string' && text.trim() !== '') return text
  if (typeof html !== 'string') return text ?? null
  return htmlToText(html)
}

const toFileOwner = (item: Exclude<ReaderItem, { kind: 'thread' }>): FileOwner =>
  item.kind === 'email' ? { list: 'threads', email: item.email } : { list: item.kind, email: item.email }

const PAGE_SIZE = 200

/** An account's mail as last written. */
export class AccountReader {
  readonly #directory: string
  readonly #opened: ReadOnlyCache
  readonly #identity: bigint | null
  readonly #ending = new AbortController()
  readonly #files: StoredFiles
  readonly #searches: { readonly received: EmailSearches<ReceivedEmail>; readonly sent: EmailSearches<SentEmail> }

  /** @param directory the folder that `opened` is from */
  constructor(directory: string, opened: ReadOnlyCache) {
    const { receivedEmails, sentEmails } = opened.cache
    const { signal } = this.#ending
    this.#directory = directory
    this.#opened = opened
    this.#identity = readFileIdentity(join(directory, CACHE_NAME))
    this.#files = new StoredFiles({
      ...{ directory, cache: opened.cache, signal },
      partsWorker: partsWorkerFile(import.meta.filename),
    })
    this.#searches = {
      received: new EmailSearches(receivedEmails, createLocalClock(), signal),
      sent: new EmailSearches(sentEmails, createLocalClock(), signal),
    }
  }

  /** False once the account's cache file was replaced or removed. */
  isCurrent(): boolean {
    return readFileIdentity(join(this.#directory, CACHE_NAME)) === this.#identity
  }

  inboxes(): readonly Inbox[] {
    const { inboxes, threadLists } = this.#opened.cache
    return inboxes.all().map((stored) => ({ ...stored.inbox, unread: threadLists.countUnread(stored) }))
  }

  /** Includes the assignees in the dashboard. */
  searchLabels(inboxId: string): readonly Label[] {
    return searchLabelsIn(this.#opened.cache, inboxId)
  }

  labels(inboxId: string): readonly Label[] {
    const inbox = this.#opened.cache.inboxes.get(inboxId)
    return inbox === undefined ? [] : this.#opened.cache.labels.all(inbox.key)
  }

  /** Number of unsent changes; 0 if they can't be read. */
  unsent(): number {
    return countUnsentChanges(join(this.#directory, OWN_NAME))
  }

  /** Searches an inbox's local threads, latest activity first. */
  searchThreads(
    inboxId: string,
    filter: ThreadFilter,
    limit: number,
  ): {
    readonly threads: readonly MatchedThread[]
    readonly hasMore: boolean
    readonly extent: LocalSearchCoverage | null
  } {
    const { cache } = this.#opened
    return this.#opened.inReadTransaction(() => {
      const inbox = this.#opened.cache.inboxes.get(inboxId)
      if (inbox === undefined) return { threads: [], hasMore: false, extent: null }
      const query = resolveQuery({ ...filter, inboxIds: [inboxId] }, createLocalClock()())
      const found = cache.threadSearch.page(query, null, limit)
      const threads = found.threads.flatMap(({ id, emailId }) => {
        const thread = cache.threads.get(inbox, id)
        return thread === undefined ? [] : [{ ...thread, matchedEmailId: emailId }]
      })
      return { threads, hasMore: found.hasMore, extent: cache.search.extent(inbox.key) }
    })
  }

  /** Searches one of the account's own lists, newest first. */
  async searchEmails<List extends EmailList>(
    list: List,
    filter: ThreadFilter,
    limit: number,
  ): Promise<{
    readonly items: readonly WithExcerpt<List extends 'sent' ? SentEmail : ReceivedEmail>[]
    readonly hasMore: boolean
  }> {
    const query = toEmailFilter(filter)
    const found = { items: [] as WithExcerpt<ReceivedEmail | SentEmail>[], hasMore: true }
    while (found.hasMore && found.items.length < limit) {
      const offset = found.items.length
      const next = await this.#searches[list].read(query, { offset, limit: Math.min(PAGE_SIZE, limit - offset) })
      found.items.push(...next.items)
      found.hasMore = next.total > found.items.length || next.hasMore
      if (next.items.length === 0) break
    }
    // Each list returns its own kind of e-mail.
    return found as { items: WithExcerpt<never>[]; hasMore: boolean }
  }

  /** Finds a thread, or an e-mail of a thread or list, by ID, with complete bodies. Null if not stored. */
  find(id: string): ReaderItem | null {
    return this.#opened.inReadTransaction(() => this.#find(id))
  }

  /** Finds an e-mail in one of the account's lists, or null, even if it is also in a thread. */
  findListed(list: EmailList, id: string): Extract<ReaderItem, { kind: EmailList }> | null {
    const { receivedEmails, sentEmails } = this.#opened.cache
    if (list === 'received') {
      const email = receivedEmails.get(id) ?? receivedEmails.listed(id)
      return email === undefined ? null : { kind: 'received', email }
    }
    const email = sentEmails.get(id) ?? sentEmails.listed(id)
    return email === undefined ? null : { kind: 'sent', email }
  }

  /** The copy of a thread's e-mail in the account's sent list, if any. */
  sentCopy(email: Email): SentEmail | undefined {
    return findSentCopy(this.#opened.cache.sentEmails, email)
  }

  /**
   * An attachment's bytes, stored separately or within the original.
   * @param most maximum size to read, in bytes
   * @returns null if not stored; `too large` beyond `most`
   */
  async attachment(
    item: Extract<ReaderItem, { kind: 'email' | 'received' }>,
    wanted: Attachment,
    most: number,
  ): Promise<Uint8Array | 'too large' | null> {
    const owner = toFileOwner(item)
    if ((this.#files.sizeOf(owner, wanted.id) ?? wanted.size ?? 0) > most) return 'too large'
    const [found] = await this.#files.attachments(owner, item.email.attachments, [wanted])
    return found && found.bytes.length > most ? 'too large' : (found?.bytes ?? null)
  }

  /** Contacts whose name, address or properties contain each typed part, newest first, with the total. */
  contacts(typed: string, window: { readonly offset: number; readonly limit: number }) {
    return this.#opened.cache.contacts.find({ ...ALL_CONTACTS, typed }, window)
  }

  /** A contact's topic choices; null if not stored. */
  topicsOf({ id }: Contact): readonly TopicSubscription[] | null {
    return this.#opened.cache.topics.ofContact(id)?.topics ?? null
  }

  /** Null if never fetched. */
  topics(): readonly Topic[] | null {
    const { accountLists } = this.#opened.cache
    return accountLists.get('topics').fetchedAt === null ? null : accountLists.topics()
  }

  /** The stored original of a `find` result, or null. Threads have none. */
  async original(item: ReaderItem): Promise<Uint8Array | null> {
    return item.kind === 'thread' ? null : this.#files.original(toFileOwner(item))
  }

  close(): void {
    this.#ending.abort()
    this.#opened.close()
  }

  #find(id: string): ReaderItem | null {
    const { inboxes } = this.#opened.cache
    for (const inbox of inboxes.all()) {
      const found = this.#threadWithEmails(inbox, id)
      if (found !== null) return { kind: 'thread', ...found }
    }
    const place = this.#opened.findEmail(id)
    const inbox = place && inboxes.get(place.inboxId)
    const around = place === undefined || inbox === undefined ? null : this.#threadWithEmails(inbox, place.threadId)
    const email = around?.emails.find((each) => each.id === id)
    if (around !== null && email !== undefined) return { kind: 'email', thread: around.thread, email }
    return this.findListed('received', id) ?? this.findListed('sent', id)
  }

  #threadWithEmails(
    inbox: InboxRef,
    threadId: string,
  ): { readonly thread: Thread; readonly emails: readonly Email[] } | null {
    const { threads, emails } = this.#opened.cache
    const thread = threads.get(inbox, threadId)
    if (thread === undefined) return null
    const read = emails.ofThread(inbox, threadId, thread.read)
    return { thread, emails: read.map((email) => this.#withFullBodies(inbox, email)) }
  }

  #withFullBodies(inbox: InboxRef, email: Email): Email {
    const { emails } = this.#opened.cache
    const { apart } = email
    if (apart === null) return email
    const { html = null, text = null } = emails.bodiesOf(inbox, email.threadId, email.id) ?? {}
    return { ...email, html, text, apart: null }
  }
}

/** @throws ProblemError `not_found` if the folder has no mail, `storage_failed` if it can't be read */
export const openAccountReader = (directory: string): AccountReader => {
  try {
    return new AccountReader(directory, openCacheReadOnly(join(directory, CACHE_NAME)))
  } catch (thrown) {
    throw toStorageError(thrown)
  }
}
