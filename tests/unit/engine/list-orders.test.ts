import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInOrder } from '../../../src/engine/mail/threads/read-in-order.ts'
import { openList, type ListParts, type OpenList } from '../../../src/engine/mail/threads/open-list.ts'
import { readUnifiedList } from '../../../src/engine/mail/unified-threads/unified-list.ts'
import type { InboxRef } from '../../../src/engine/store/inboxes.ts'
import type { ListPart } from '../../../src/engine/store/thread-lists.ts'
import { listPossibleOrders, LIST_ORDERS, MAX_WAIT_MS, type ListOrder } from '../../../src/shared/list-order.ts'
import type { ThreadPage } from '../../../src/shared/model.ts'
import { createFolderQuery, createLabelQuery, type ThreadQuery } from '../../../src/shared/thread-query.ts'
import { emailOf, inboxOf, receivedEmailOf } from '../../support/raw-payloads.ts'
import { listedThread, openTestCache } from './support/open-test-cache.ts'

const INBOX_IDS = ['inbox-1', 'inbox-2'] as const
const minute = (count: number): number => Date.UTC(2026, 0, 1, 0, count)
const ANN = 'Ann <ann@acme.example>'
const AUTHORS = { person: ANN, robot: 'no-reply@shop.example', me: 'inbox-1@example.com', nobody: ANN } as const

const thread = fc.record({
  minute: fc.nat(3_000),
  folder: fc.constantFrom('inbox', 'inbox', 'inbox', 'archive', 'sent', 'trash'),
  /** Who wrote last; `nobody` if the thread's e-mails were never loaded. */
  author: fc.constantFrom(...(['person', 'person', 'robot', 'me', 'nobody'] as const)),
  inboxId: fc.constantFrom(...INBOX_IDS),
  isLabelled: fc.boolean(),
  isDropped: fc.constantFrom(false, false, false, true),
})
type Generated = typeof thread extends fc.Arbitrary<infer Of> ? Of : never
type Modelled = Generated & { readonly id: string; readonly at: number }

const open = (generated: readonly Generated[]) => {
  const { cache } = openTestCache()
  cache.inboxes.storeListed(INBOX_IDS.map((id) => inboxOf({ id, email_address: `${id}@example.com` })))
  const inboxOfId = (id: string): InboxRef => ({ id, key: cache.inboxes.get(id)?.key ?? -1 })
  // Each thread has its own time, so that the order is the same for every reader.
  const model = generated.map((each, index): Modelled => ({
    ...{ ...each, id: `t${index}`, at: minute(each.minute * 100 + index) },
  }))
  for (const { id, at, folder, author, inboxId, isLabelled, isDropped } of model) {
    const inbox = inboxOfId(inboxId)
    const from = AUTHORS[author]
    const listed = listedThread(id, 0, {
      ...{ folder, from, received_at: new Date(at).toISOString() },
      labels: isLabelled ? [{ id: 'label' }] : [],
    })
    cache.threads.storePage(inbox, [listed], { askedAt: 0, inSent: false })
    if (author !== 'nobody') {
      const isMine = author === 'me'
      const fields = { id: `e-${id}`, direction: isMine ? 'outbound' : 'inbound', from, to: [], subject: 'Ropes' }
      const email = emailOf({ ...fields, text: 'Hello', html: null, received_at: new Date(at).toISOString() })
      cache.emails.storePage(inbox, id, [email])
      cache.threads.storeReading(inbox, id, { emailsAt: at, snippet: null, hasOutbound: isMine || folder === 'sent' })
    }
    if (isDropped) cache.threads.markGone(inbox, id)
  }
  const parts = {
    cache,
    outbox: { labelIdNow: (_: string, labelId: string) => labelId },
    threads: { polledAt: () => null },
    freshness: () => ({ state: 'never', at: null }),
  } as unknown as ListParts
  return { parts, model, cache, inboxOfId }
}

interface Asked {
  readonly queryOf: (inboxId: string) => ThreadQuery
  readonly isListed: (thread: Modelled) => boolean
}

const isSent = ({ folder, author }: Modelled): boolean => folder === 'sent' || (author === 'me' && folder !== 'trash')
const LISTS: Readonly<Record<string, Asked>> = {
  inbox: { queryOf: (id) => createFolderQuery(id, 'inbox'), isListed: ({ folder }) => folder === 'inbox' },
  archive: { queryOf: (id) => createFolderQuery(id, 'archive'), isListed: ({ folder }) => folder === 'archive' },
  sent: { queryOf: (id) => createFolderQuery(id, 'sent'), isListed: isSent },
  'inbox without dropped threads': {
    queryOf: (id) => ({ ...createFolderQuery(id, 'inbox'), dropped: false }),
    isListed: ({ folder, isDropped }) => folder === 'inbox' && !isDropped,
  },
  label: {
    queryOf: (id) => createLabelQuery(id, 'label'),
    isListed: ({ folder, isLabelled }) => isLabelled && folder !== 'trash',
  },
}

const sortModel = (threads: readonly Modelled[], order: ListOrder, now: number): readonly string[] => {
  const newest = threads.toSorted((one, other) => other.at - one.at)
  const waits = ({ folder, author, at }: Modelled): boolean =>
    folder === 'inbox' && author === 'person' && at >= now - MAX_WAIT_MS
  const ordered =
    order === 'newest'
      ? newest
      : order === 'oldest'
        ? newest.toReversed()
        : [...newest.filter(waits).toReversed(), ...newest.filter((each) => !waits(each))]
  return ordered.map(({ id }) => id)
}

const readPage = (
  { parts, inboxIds }: { readonly parts: ListParts; readonly inboxIds: readonly string[] },
  { queryOf }: Asked,
  order: ListOrder,
  now: number,
  window: { readonly offset: number; readonly limit: number },
): ThreadPage => {
  const [first = ''] = inboxIds
  const listOf = (id: string, part: ListPart | undefined): OpenList => openList(parts, queryOf(id), { part })
  return readInOrder({ query: queryOf(first), order, now }, window, (asked, part) =>
    readUnifiedList(
      inboxIds.map((id) => ({ accountId: id, list: listOf(id, part) })),
      asked,
      (row) => row,
    ),
  )
}

describe('orders of a list', () => {
  it('match a plain sort in every window, of one inbox and of several as one', () => {
    fc.assert(
      fc.property(
        fc.array(thread, { maxLength: 60 }),
        fc.array(fc.record({ offset: fc.nat(60), limit: fc.integer({ min: 1, max: 30 }) }), { minLength: 3 }),
        fc.nat(400_000),
        (generated, windows, passed) => {
          const { parts, model } = open(generated)
          const now = minute(passed)
          for (const inboxIds of [INBOX_IDS, ['inbox-1']]) {
            for (const [name, asked] of Object.entries(LISTS)) {
              const listed = model.filter((each) => inboxIds.includes(each.inboxId) && asked.isListed(each))
              for (const order of listPossibleOrders(asked.queryOf('inbox-1'))) {
                const whole = sortModel(listed, order, now)
                for (const window of [...windows, { offset: 0, limit: 200 }]) {
                  const page = readPage({ parts, inboxIds }, asked, order, now, window)
                  const { offset, limit } = window
                  const read = { ids: page.items.map(({ id }) => id), total: page.total, offset: page.offset }
                  const wanted = whole.slice(offset, offset + limit)
                  expect(read, `${name}, ${order}`).toEqual({ ids: wanted, total: whole.length, offset })
                }
              }
            }
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('offer the wait only where threads can wait, and none for a search', () => {
    expect(listPossibleOrders(createFolderQuery('i', 'inbox'))).toEqual(LIST_ORDERS)
    expect(listPossibleOrders(createLabelQuery('i', 'label'))).toEqual(LIST_ORDERS)
    expect(listPossibleOrders(createFolderQuery('i', 'sent'))).toEqual(['newest', 'oldest'])
    expect(listPossibleOrders({ ...createFolderQuery('i', 'inbox'), read: false })).toEqual(['newest'])
  })
})

const ONE: Generated = {
  ...{ minute: 0, folder: 'inbox', author: 'person', inboxId: 'inbox-1', isLabelled: false, isDropped: false },
}

describe('a waiting thread', () => {
  const isWaiting = (generated: Partial<Generated>): boolean => {
    const { cache, inboxOfId } = open([{ ...ONE, ...generated }])
    return cache.threads.get(inboxOfId('inbox-1'), 't0')?.isWaiting === true
  }

  it('is in the inbox and has a last message from a person', () => {
    expect(isWaiting({})).toBe(true)
    expect(isWaiting({ folder: 'archive' })).toBe(false)
    expect(isWaiting({ folder: 'trash' })).toBe(false)
    expect(isWaiting({ author: 'robot' })).toBe(false)
    expect(isWaiting({ author: 'me' })).toBe(false)
    expect(isWaiting({ author: 'nobody' })).toBe(false)
  })

  it('no longer waits once the headers of its last message show a newsletter', () => {
    const { cache, inboxOfId } = open([ONE])
    const received = receivedEmailOf({
      ...{ id: 'e-t0', from: ANN, to: [], subject: 'Ropes', text: 'Hello', html: null },
      ...{ created_at: new Date(minute(0)).toISOString(), headers: { 'List-Id': '<ropes.acme.example>' } },
    })
    cache.receivedEmails.storeWhole(received)
    const { threadIds } = cache.threads.reclassify(inboxOfId('inbox-1'), 't0')
    expect([...threadIds]).toEqual(['t0'])
    expect(cache.threads.get(inboxOfId('inbox-1'), 't0')?.isWaiting).toBeUndefined()
  })
})
