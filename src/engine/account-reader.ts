/**
 * Reads an account's mail from its folder alone, beside a window that has it open or without any: nothing is written,
 * nothing is sent and nobody is asked. What is not on this computer is not there.
 */
import { join } from 'node:path'
import type { EmailList } from '../shared/email-query.ts'
import { emailFilterOf } from '../shared/email-query.ts'
import type {
  Bodies,
  Email,
  Inbox,
  Label,
  FoundEmail,
  LocalExtent,
  ReceivedEmail,
  ReceivedEmailDetail,
  SentEmail,
  SentEmailDetail,
  Thread,
} from '../shared/model.ts'
import type { ThreadFilter } from '../shared/thread-query.ts'
import { CACHE_NAME, readOutboxFact } from './account-files.ts'
import { readContentFile } from './contents/contents.ts'
import { originalKey } from './originals/original-key.ts'
import { clockHere } from './search/clock-here.ts'
import { EmailSearches } from './search/email-searches.ts'
import { searchOnComputer } from './search/search-on-computer.ts'
import { textOfHtml } from './search-index/text-of-html.ts'
import { openCacheToRead, type ReadCache } from './store/cache.ts'
import type { InboxRef } from './store/inboxes.ts'
import { receivedCopyOf } from './store/received-copy.ts'
import { inStorageWords } from './store/storage-problem.ts'

/** A thread that a search found, with the e-mail that matched where that is known. */
export interface ReadThread extends Thread {
  readonly matchedEmailId: string | null
}

/** What an ID is the name of. */
export type ReadItem =
  | { readonly kind: 'thread'; readonly thread: Thread; readonly emails: readonly Email[] }
  | { readonly kind: 'email'; readonly thread: Thread; readonly email: Email }
  | { readonly kind: 'received'; readonly email: ReceivedEmail & Partial<ReceivedEmailDetail> }
  | { readonly kind: 'sent'; readonly email: SentEmail & Partial<SentEmailDetail> }

export interface AccountReader {
  readonly inboxes: () => readonly Inbox[]
  readonly labels: (inboxId: string) => readonly Label[]
  /** How many changes were not sent when the account was last written. */
  readonly unsent: () => number
  /** Searches an inbox's threads on this computer, latest activity first. */
  readonly searchThreads: (
    inboxId: string,
    filter: ThreadFilter,
    limit: number,
  ) => { readonly threads: readonly ReadThread[]; readonly hasMore: boolean; readonly extent: LocalExtent | null }
  /** Searches one of the account's own lists, newest first. */
  readonly searchEmails: <List extends EmailList>(
    list: List,
    filter: ThreadFilter,
    limit: number,
  ) => Promise<{
    readonly items: readonly FoundEmail<List extends 'sent' ? SentEmail : ReceivedEmail>[]
    readonly hasMore: boolean
  }>
  /** A thread, an e-mail of one, or one of the account's own lists, by its ID, bodies whole; null where it is not here. */
  readonly find: (id: string) => ReadItem | null
  /** The original of what `find` gave, where it is here; null where it is not. A thread has none of its own. */
  readonly original: (item: ReadItem) => Promise<Uint8Array | null>
  readonly close: () => void
}

/** What a person reads of an e-mail, as text; null where its body is not here. */
export const readableText = ({ text, html }: Pick<Partial<Bodies>, 'html' | 'text'>): string | null => {
  if (typeof text === 'string' && text.trim() !== '') return text
  if (typeof html !== 'string') return text ?? null
  return textOfHtml(html)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const PAGE = 200

const createReader = (directory: string, { cache, findEmail, atOneMoment, close }: ReadCache): AccountReader => {
  const ending = new AbortController()
  const refOf = (inboxId: string): InboxRef | null => {
    const stored = cache.inboxes.get(inboxId)
    return stored === undefined ? null : { key: stored.key, id: inboxId }
  }
  const searches = {
    received: new EmailSearches(cache.receivedEmails, clockHere(), ending.signal),
    sent: new EmailSearches(cache.sentEmails, clockHere(), ending.signal),
  }

  const withWholeBodies = (inbox: InboxRef, email: Email): Email => {
    const { apart } = email
    if (apart === null) return email
    const whole = (body: 'html' | 'text'): string | null =>
      apart[body] === 0
        ? null
        : Array.from(
            { length: apart[body] },
            (_, place) => cache.emails.bodyPiece(inbox, email.threadId, email.id, body, apart.version, place) ?? '',
          ).join('')
    return { ...email, html: whole('html'), text: whole('text'), apart: null }
  }
  const threadWithEmails = (inbox: InboxRef, threadId: string) => {
    const thread = cache.threads.get(inbox, threadId)
    if (thread === undefined) return null
    const emails = cache.emails.ofThread(inbox, threadId, thread.read).map((email) => withWholeBodies(inbox, email))
    return { thread, emails }
  }
  const findHere = (id: string): ReadItem | null => {
    for (const { key, inbox } of cache.inboxes.all()) {
      const found = threadWithEmails({ key, id: inbox.id }, id)
      if (found !== null) return { kind: 'thread', ...found }
    }
    const place = findEmail(id)
    const inbox = place === undefined ? null : refOf(place.inboxId)
    const around = place === undefined || inbox === null ? null : threadWithEmails(inbox, place.threadId)
    const email = around?.emails.find((each) => each.id === id)
    if (around !== null && email !== undefined) return { kind: 'email', thread: around.thread, email }
    const received = cache.receivedEmails.get(id) ?? cache.receivedEmails.listed(id)
    if (received !== undefined) return { kind: 'received', email: received }
    const sent = cache.sentEmails.get(id) ?? cache.sentEmails.listed(id)
    return sent === undefined ? null : { kind: 'sent', email: sent }
  }
  /** The names under which the platform may have the original. */
  const originalNames = (item: ReadItem): readonly string[] => {
    if (item.kind === 'received') return [item.email.id]
    if (item.kind !== 'email') return []
    const inbox = refOf(item.thread.inboxId)
    const kept = inbox === null ? undefined : cache.emails.get(inbox, item.thread.id, item.email.id)
    const copy = kept === undefined ? undefined : receivedCopyOf(cache.receivedEmails, kept)
    return [item.email.id, ...(copy === undefined ? [] : [copy.id])]
  }

  return {
    inboxes: () =>
      cache.inboxes.all().map(({ key, inbox }) => ({
        ...inbox,
        unread: cache.threads.countUnread({ key, id: inbox.id }),
      })),
    labels: (inboxId) => {
      const inbox = refOf(inboxId)
      return inbox === null ? [] : cache.labels.all(inbox.key)
    },
    unsent: () => readOutboxFact(cache.facts).pending,
    searchThreads: (inboxId, filter, limit) =>
      atOneMoment(() => {
        const inbox = refOf(inboxId)
        if (inbox === null) return { threads: [], hasMore: false, extent: null }
        const local = searchOnComputer(cache)
        const { matches, isEnd } = local.page(inbox, { ...filter, inboxIds: [inboxId] }, clockHere()(), null, limit)
        const threads = matches.flatMap(({ threadId, emailId }) => {
          const thread = cache.threads.get(inbox, threadId)
          return thread === undefined ? [] : [{ ...thread, matchedEmailId: emailId }]
        })
        return { threads, hasMore: !isEnd, extent: local.extent(inbox) }
      }),
    searchEmails: async (list, filter, limit) => {
      const query = emailFilterOf(filter)
      const found = { items: [] as FoundEmail<ReceivedEmail | SentEmail>[], hasMore: true }
      while (found.hasMore && found.items.length < limit) {
        const offset = found.items.length
        const next = await searches[list].read(query, { offset, limit: Math.min(PAGE, limit - offset) })
        found.items.push(...next.items)
        found.hasMore = next.total > found.items.length || next.hasMore
        if (next.items.length === 0) break
      }
      // Each list gives e-mails of its own kind.
      return found as { items: FoundEmail<never>[]; hasMore: boolean }
    },
    find: (id) => atOneMoment(() => findHere(id)),
    original: async (item) => {
      for (const name of originalNames(item)) {
        const row = cache.contents.get(originalKey(name))
        const bytes = row === undefined ? null : await readContentFile(directory, row.digest)
        if (bytes !== null) return bytes
      }
      return null
    },
    close: () => {
      ending.abort()
      close()
    },
  }
}

/**
 * Opens an account's folder to read it.
 * @throws ProblemError `not_found` where there is no mail in it, `storage_failed` where it cannot be read as it is
 */
export const openAccountReader = (directory: string): AccountReader => {
  try {
    return createReader(directory, openCacheToRead(join(directory, CACHE_NAME)))
  } catch (thrown) {
    throw inStorageWords(thrown)
  }
}
