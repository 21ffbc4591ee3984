import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { ListPage } from '../../src/engine/platform/requests.ts'
import { emailParser } from '../../src/engine/platform/resources/thread-emails.ts'
import { threadParser } from '../../src/engine/platform/resources/threads.ts'
import type { Cache } from '../../src/engine/store/cache.ts'
import type { InboxRef } from '../../src/engine/store/inboxes.ts'
import type { ResolvedThreadQuery } from '../../src/engine/store/search-index/search-query.ts'
import { createApp } from '../../packages/platform/src/http/app.ts'
import { Faults } from '../../packages/platform/src/http/faults.ts'
import type { Platform } from '../../packages/platform/src/platform.ts'
import { defaultSettings } from '../../packages/platform/src/settings.ts'
import { addApiKey } from '../../packages/platform/src/storage/api-keys.ts'
import { StepScheduler } from '../../packages/platform/src/search/step-scheduler.ts'
import { ThreadChanges } from '../../packages/platform/src/storage/thread-changes.ts'
import { Database } from '../../packages/platform/src/storage/database.ts'
import { insertEmail } from '../../packages/platform/src/storage/emails.ts'
import { addInbox } from '../../packages/platform/src/storage/inboxes.ts'
import { insertThread, refreshThread, setThreadFolder } from '../../packages/platform/src/storage/threads.ts'
import { Events } from '../../packages/platform/src/webhooks/events.ts'
import { WebhookInboxes } from '../../packages/platform/src/webhooks/webhook-inboxes.ts'
import { FOLDERS } from '../../src/shared/model.ts'
import { formatQueryText } from '../../src/shared/search/parse-search.ts'
import { resolveQueryFolders } from '../../src/shared/thread-query.ts'
import { openUnchangedCache } from '../support/open-cache.ts'
import { inboxOf } from '../support/raw-payloads.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase, runs } from './support/endurance.ts'
import {
  crowdedMailbox,
  crowdSearch,
  randomMailbox,
  randomSearch,
  type RandomChange,
  type RandomEmail,
  type RandomMailbox,
  type RandomPerson,
  type RandomSearch,
  type RandomThread,
} from './support/random-mailbox.ts'

/**
 * Random mailboxes, changes and searches: the local platform, which checks every e-mail by the rules of platform.md 9,
 * and the local search over synced data must return the same pages.
 */
const PAIRS = counts(400, { long: 20_000 })
/** Number of mailboxes with more consecutive threads than the index reads at once. */
const CROWDS = counts(50, { long: 1_000 })
const SEARCHES_A_MAILBOX = 8

const NOW = Date.UTC(2027, 0, 1)

/** The local platform without a socket, and helpers to fill it. */
const openPlatform = () => {
  const db = new Database(':memory:')
  const scheduler = new StepScheduler(1)
  onTestFinished(() => {
    scheduler.end()
    db.close()
  })
  const platform: Platform = {
    db,
    threadChanges: new ThreadChanges(db),
    events: new Events(db, () => NOW),
    scheduler,
    settings: { ...defaultSettings, rateLimit: null },
    now: () => NOW,
    baseUrl: () => 'http://127.0.0.1',
    smtpPort: () => 0,
    secret: Buffer.alloc(32),
  }
  const token = 're_search'
  addApiKey(db, { name: 'test', permission: 'full_access', token, domainId: null }, 0)
  const app = createApp(
    platform,
    new Faults(),
    new WebhookInboxes(db),
    () => undefined,
    () => undefined,
  )
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await app.request(path, {
      method,
      headers: {
        ...{ authorization: `Bearer ${token}`, host: 'localhost', 'user-agent': 'tests' },
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as unknown
  }
  return { platform, ask }
}

type OpenPlatform = ReturnType<typeof openPlatform>

/** Creates a random mailbox in its own inbox on the platform. */
const fillInbox = async ({ platform, ask }: OpenPlatform, number: number, threads: readonly RandomThread[]) => {
  const { db } = platform
  const inbox = addInbox(
    db,
    { emailAddress: `inbox${number}@x.example`, name: null, fromName: null, forwarding: false },
    0,
  )
  const labelIds: string[] = []
  for (const name of ['first', 'second']) {
    labelIds.push(((await ask('POST', `/inboxes/${inbox.id}/labels`, { name })) as { id: string }).id)
  }
  const own: { readonly id: string; readonly seq: number }[] = []

  const mailbox = ({ name, address }: RandomPerson) => ({ name, address })
  const addEmail = (threadSeq: number, email: RandomEmail): void => {
    insertEmail(db, {
      direction: email.sent ? 'outbound' : 'inbound',
      inboxSeq: inbox.seq,
      threadSeq,
      receivedAt: email.time,
      storedAt: 0,
      read: email.read,
      messageId: null,
      subject: email.subject,
      from: email.from === null ? null : mailbox(email.from),
      to: email.to.map(mailbox),
      cc: email.cc.map(mailbox),
      bcc: email.bcc.map(mailbox),
      replyTo: [],
      deliveredTo: [],
      text: email.text,
      html: email.html,
      headers: {},
      attachments: email.attachments.map(({ filename, isInline }) => ({
        filename,
        contentType: 'image/png',
        contentDisposition: null,
        contentId: null,
        size: 1,
        isInline,
      })),
      inlineImages: platform.settings.inlineImages,
      raw: Buffer.alloc(0),
      authentication: null,
      sent: null,
    })
    refreshThread(db, threadSeq)
  }
  const addThread = async ({ folder, labels, emails }: RandomThread): Promise<void> => {
    const id = crypto.randomUUID()
    const seq = insertThread(db, { id, inboxSeq: inbox.seq, folder, subject: null })
    // `sent` holds threads whose messages are all outbound (platform.md 7.1).
    for (const email of emails) addEmail(seq, folder === 'sent' ? { ...email, sent: true } : email)
    setThreadFolder(db, seq, folder, null)
    own.push({ id, seq })
    if (labels.length > 0) {
      await ask('PUT', `/inboxes/${inbox.id}/threads/${id}/labels`, { labels: labels.map((label) => labelIds[label]) })
    }
  }
  for (const thread of threads) await addThread(thread)

  const apply = async (change: RandomChange): Promise<void> => {
    if (change.kind === 'thread') return addThread(change.new)
    const thread = own[change.thread % Math.max(1, own.length)]
    if (thread === undefined) return
    const path = `/inboxes/${inbox.id}/threads/${thread.id}`
    switch (change.kind) {
      case 'email':
      case 'many e-mails': {
        for (let count = change.kind === 'email' ? 1 : 28; count > 0; count -= 1) {
          addEmail(thread.seq, { ...change.email, time: change.email.time + (count % 3) })
        }
        const folder = ((await ask('GET', path)) as { folder: string }).folder
        if (folder === 'sent' && !change.email.sent) setThreadFolder(db, thread.seq, 'inbox', null)
        return
      }
      case 'move':
        await ask('PATCH', path, { folder: change.folder })
        return
      case 'read':
        await ask('PATCH', path, { read: change.read })
        return
      case 'label': {
        const label = labelIds[change.label] ?? ''
        if (change.on) await ask('POST', `${path}/labels`, { labels: [label] })
        else await ask('DELETE', `${path}/labels/${label}`)
      }
    }
  }
  return { id: inbox.id, labelIds, apply, threadIds: () => own.map(({ id }) => id) }
}

type RandomInbox = Awaited<ReturnType<typeof fillInbox>>

const listPages = async function* <Item extends { readonly id: string }>(
  ask: OpenPlatform['ask'],
  path: string,
  read: (body: unknown, limit: number) => ListPage<Item>,
): AsyncGenerator<readonly Item[]> {
  for (let after = ''; ;) {
    const separator = path.includes('?') ? '&' : '?'
    const page = read(await ask('GET', `${path}${separator}limit=100${after}`), 100)
    yield page.items
    if (!page.hasMore) return
    after = `&after=${page.items.at(-1)?.id ?? ''}`
  }
}

/** Syncs the cache with the platform's lists: every thread, and every e-mail of each. */
const syncInbox = async ({ ask }: OpenPlatform, cache: Cache, inbox: InboxRef): Promise<void> => {
  const lists = [
    { folders: 'inbox,archive,spam,sent,trash', inSent: false },
    { folders: 'sent', inSent: true },
  ]
  for (const { folders, inSent } of lists) {
    for await (const threads of listPages(ask, `/inboxes/${inbox.id}/threads?folders=${folders}`, threadParser.page)) {
      cache.threads.storePage(inbox, threads, { askedAt: 0, inSent })
      if (inSent) continue
      for (const { id } of threads) {
        for await (const emails of listPages(ask, `/inboxes/${inbox.id}/threads/${id}/emails`, emailParser.page)) {
          cache.emails.storePage(inbox, id, emails)
        }
        const emailsAt = cache.threads.get(inbox, id)?.receivedAt ?? 0
        const hasOutbound = cache.emails.known(inbox, id).some(({ isOutbound }) => isOutbound)
        cache.threads.storeReading(inbox, id, { emailsAt, snippet: null, hasOutbound })
      }
    }
  }
}

interface Page {
  readonly threads: readonly { readonly id: string; readonly matched: string | null }[]
  readonly hasMore: boolean
}

const askPlatform = async (
  { platform, ask }: OpenPlatform,
  inbox: RandomInbox,
  search: RandomSearch,
  after: string | null,
): Promise<Page> => {
  const parameters = new URLSearchParams({ limit: String(search.limit) })
  const set = (name: string, value: string | null): void => {
    if (value !== null && value !== '') parameters.set(name, value)
  }
  set('query', formatQueryText(search.text))
  for (const field of ['from', 'to', 'cc', 'bcc'] as const) set(field, search[field].join(','))
  set('has_attachment', search.hasAttachment === null ? null : String(search.hasAttachment))
  set('start_date', search.since === null ? null : new Date(search.since).toISOString())
  set('end_date', search.until === null ? null : new Date(search.until - 1).toISOString())
  set('folders', resolveQueryFolders(search).join(','))
  set('labels', search.labels.map((label) => inbox.labelIds[label]).join(','))
  set('read', search.read === null ? null : String(search.read))
  set('after', after)
  const page = (await ask('GET', `/inboxes/${inbox.id}/threads/search?${parameters.toString()}`)) as {
    readonly has_more: boolean
    readonly data: readonly { readonly id: string; readonly matched_email_id: string | null }[]
  }
  // The index has its own IDs for e-mails (platform.md 9.18).
  const emailId = (indexId: string): string | null =>
    platform.db.get<{ id: string }>('SELECT id FROM emails WHERE index_id = ?', indexId)?.id ?? null
  return {
    threads: page.data.map(({ id, matched_email_id: matched }) => ({ id, matched: matched && emailId(matched) })),
    hasMore: page.has_more,
  }
}

/**
 * The same for searches by assignee, which the platform lacks: filters the platform's other matches by label, one by
 * one.
 */
const askPlatformForPeople = async (
  open: OpenPlatform,
  inbox: RandomInbox,
  search: RandomSearch,
  after: string | null,
): Promise<Page> => {
  const { assignedTo, notAssignedTo, limit } = search
  if (assignedTo === null && notAssignedTo.length === 0) return askPlatform(open, inbox, search, after)
  const fitting: Page['threads'][number][] = []
  for (let last: string | null = null; ;) {
    const page: Page = await askPlatform(open, inbox, { ...search, limit: 100 }, last)
    for (const thread of page.threads) {
      const { labels } = (await open.ask('GET', `/inboxes/${inbox.id}/threads/${thread.id}`)) as {
        readonly labels: readonly { readonly id: string }[]
      }
      const has = (label: number): boolean => labels.some(({ id }) => id === inbox.labelIds[label])
      if ((assignedTo === null || assignedTo.some(has)) && !notAssignedTo.some(has)) fitting.push(thread)
    }
    if (!page.hasMore) break
    last = page.threads.at(-1)?.id ?? null
  }
  const first = after === null ? 0 : fitting.findIndex(({ id }) => id === after) + 1
  return { threads: fitting.slice(first, first + limit), hasMore: fitting.length > first + limit }
}

const queryOf = (inbox: RandomInbox, search: RandomSearch): ResolvedThreadQuery => {
  const { changes: _changes, limit: _limit, labels, assignedTo, notAssignedTo, ...filter } = search
  const idsOf = (numbers: readonly number[]): readonly string[] => numbers.map((label) => inbox.labelIds[label] ?? '')
  return {
    ...filter,
    dropped: null,
    // The platform has no kinds and no marks; search-own-conditions.test.ts models them.
    kinds: null,
    inboxId: inbox.id,
    labelIds: idsOf(labels),
    assignedTo: assignedTo && idsOf(assignedTo),
    notAssignedTo: idsOf(notAssignedTo),
  }
}

const askCache = (cache: Cache, inbox: RandomInbox, search: RandomSearch, after: string | null): Page => {
  const { limit } = search
  const query = queryOf(inbox, search)
  const { threads, hasMore } = cache.threadSearch.page(query, after === null ? null : { id: after }, limit)
  return {
    threads: threads.map(({ id, emailId }) => ({ id, matched: emailId })),
    hasMore,
  }
}

const askForEach = (cache: Cache, inbox: RandomInbox, search: RandomSearch): Page['threads'] =>
  cache.threadSearch
    .matching(queryOf(inbox, search), inbox.threadIds())
    .map(({ id, emailId }) => ({ id, matched: emailId }))

const comparePages = async (
  platform: OpenPlatform,
  cache: Cache,
  inbox: RandomInbox,
  search: RandomSearch,
): Promise<void> => {
  const all: Page['threads'][number][] = []
  for (let after: string | null = null; ;) {
    const expected = await askPlatformForPeople(platform, inbox, search, after)
    expect(askCache(cache, inbox, search, after)).toEqual(expected)
    all.push(...expected.threads)
    if (!expected.hasMore) break
    after = expected.threads.at(-1)?.id ?? null
  }
  const query = queryOf(inbox, search)
  const { folders } = cache.threadSearch.countByFolder(query, null, 10_000)
  const counts = FOLDERS.map((folder) => cache.threadSearch.count({ ...query, folders: [folder] }, null, 10_000).count)
  expect(FOLDERS.map((folder) => folders[folder])).toEqual(counts)
  const byId = (threads: Page['threads']): Page['threads'] => threads.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(askForEach(cache, inbox, search))).toEqual(byId(all))
}

const compareLists = async ({ ask }: OpenPlatform, cache: Cache, inbox: RandomInbox, ref: InboxRef): Promise<void> => {
  const lists = [
    ...FOLDERS.map((folder) => ({ list: { folder }, asked: `folders=${folder}` })),
    ...inbox.labelIds.map((labelId) => ({ list: { labelId }, asked: `labels=${labelId}` })),
  ]
  for (const { list, asked } of lists) {
    const expected: string[] = []
    for await (const page of listPages(ask, `/inboxes/${inbox.id}/threads?${asked}`, threadParser.page)) {
      expected.push(...page.map(({ id }) => id))
    }
    const pages = Array.from({ length: Math.ceil(expected.length / 7) + 1 }, (_, at) =>
      cache.threads.list(ref, list, { offset: 7 * at, limit: 7 }).map(({ id }) => id),
    )
    expect([list, pages.flat()]).toEqual([list, expected])
    const followed: string[] = []
    for (let page = cache.threadLists.after(ref, list, null, 5); page.length > 0;) {
      followed.push(...page.map(({ id }) => id))
      page = cache.threadLists.after(ref, list, page.at(-1) ?? null, 5)
    }
    expect([list, followed]).toEqual([list, expected])
  }
}

const openSearchedCache = (): Cache => {
  const cache = openUnchangedCache(join(temporaryDirectory(), 'cache.sqlite'))
  onTestFinished(() => cache.close())
  return cache
}

/** Mailboxes per platform and cache, each in its own inbox. */
const MAILBOXES = 250

/** Compares searches of random mailboxes, before and after changes to them. */
const compareSearches = (
  count: number,
  mailboxes: fc.Arbitrary<RandomMailbox>,
  searches: fc.Arbitrary<RandomSearch>,
): Promise<void> =>
  eachCase(Math.ceil(count / MAILBOXES), async (seed) => {
    const platform = openPlatform()
    const cache = openSearchedCache()
    const inboxes: string[] = []
    await fc.assert(
      fc.asyncProperty(
        mailboxes,
        fc.array(searches, { minLength: SEARCHES_A_MAILBOX, maxLength: SEARCHES_A_MAILBOX }),
        async ({ threads, pages }, asked) => {
          const inbox = await fillInbox(platform, inboxes.length, threads)
          inboxes.push(inbox.id)
          cache.inboxes.storeListed(inboxes.map((id) => inboxOf({ id })))
          const ref = { key: cache.inboxes.get(inbox.id)?.key ?? -1, id: inbox.id }
          const sync = async (): Promise<void> => {
            await syncInbox(platform, cache, ref)
            await compareLists(platform, cache, inbox, ref)
          }
          await sync()
          for (const search of asked) {
            for (const change of search.changes) await inbox.apply(change)
            if (search.changes.length > 0) await sync()
            await comparePages(platform, cache, inbox, { ...search, limit: pages * search.limit })
          }
        },
      ),
      runs(Math.min(MAILBOXES, count), seed),
    )
  })

it(
  'returns the platform’s pages: threads, order, whether there are more, and matched e-mails',
  () => compareSearches(Math.ceil(PAIRS / SEARCHES_A_MAILBOX), randomMailbox, randomSearch),
  300_000 + PAIRS * 500,
)

it(
  'finds threads behind a crowd of non-matching ones',
  () => compareSearches(CROWDS, crowdedMailbox, crowdSearch),
  300_000 + CROWDS * 10_000,
)
