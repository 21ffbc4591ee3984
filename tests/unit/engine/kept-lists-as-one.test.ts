import { describe, expect, it } from 'vitest'
import { splitWindow, mergeRows } from '../../../src/engine/mail/unified-threads/merge-lists.ts'
import { openList, type ListParts, type OpenList } from '../../../src/engine/mail/threads/open-list.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import {
  createFolderQuery,
  createLabelQuery,
  createLocalOnlyQuery,
  type ThreadQuery,
} from '../../../src/shared/thread-query.ts'
import { inboxOf } from '../../support/raw-payloads.ts'
import { listedThread, openTestCache } from './support/open-test-cache.ts'

const INBOX_IDS = ['inbox-1', 'inbox-2', 'inbox-3'] as const
const OF_ONE_TIME = 700
const OTHERS = 1_100

/** Three inboxes with threads in all folders, many with the same time, some dropped by the platform. */
const openThree = () => {
  const { cache } = openTestCache()
  cache.inboxes.storeListed(INBOX_IDS.map((id) => inboxOf({ id, email_address: `${id}@example.com` })))
  const inboxOfId = (id: string) => ({ id, key: cache.inboxes.get(id)?.key ?? -1 })
  for (const [which, id] of INBOX_IDS.entries()) {
    const inbox = inboxOfId(id)
    const threads = Array.from({ length: OF_ONE_TIME + OTHERS }, (_, at) =>
      listedThread(`${id} ${at}`, at < OF_ONE_TIME ? 5_000 : (at * (which + 2)) % 9_000, {
        folder: at % 7 === 0 ? 'archive' : at % 11 === 0 ? 'sent' : 'inbox',
        labels: at % 3 === 0 ? [{ id: 'label' }] : [],
      }),
    )
    cache.threads.storePage(inbox, threads, { askedAt: 0, inSent: false })
    for (let at = 0; at < threads.length; at += 5) cache.threads.markGone(inbox, `${id} ${at}`)
  }
  return {
    cache,
    outbox: { labelIdNow: (_: string, labelId: string) => labelId },
    threads: { polledAt: () => null },
    freshness: () => ({ state: 'never', at: null }),
  } as unknown as ListParts
}

const QUERIES: Readonly<Record<string, (inboxId: string) => ThreadQuery>> = {
  ...Object.fromEntries(FOLDERS.map((folder) => [folder, (inboxId: string) => createFolderQuery(inboxId, folder)])),
  'inbox without what was dropped': (inboxId) => ({ ...createFolderQuery(inboxId, 'inbox'), dropped: false }),
  'sent without what was dropped': (inboxId) => ({ ...createFolderQuery(inboxId, 'sent'), dropped: false }),
  'a label': (inboxId) => createLabelQuery(inboxId, 'label'),
  'a label without what was dropped': (inboxId) => ({ ...createLabelQuery(inboxId, 'label'), dropped: false }),
  'only here': createLocalOnlyQuery,
}

describe('stored lists of three inboxes as one', () => {
  it('show the rows of all in one order, window by window', () => {
    const parts = openThree()
    for (const [name, queryOf] of Object.entries(QUERIES)) {
      const lists = INBOX_IDS.map((id): OpenList => openList(parts, queryOf(id), {}))
      const whole = mergeRows(lists.map((list) => list.rows({ offset: 0 }, 10_000))).map(({ id }) => id)
      expect(whole).toHaveLength(lists.reduce((sum, list) => sum + list.total(), 0))
      if (!['spam', 'trash'].includes(name)) expect(whole.length, name).toBeGreaterThan(100)
      const places = [0, 1, 50, 399, 400, 401, 700, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, whole.length - 3]
      for (const offset of places.filter((place) => place >= 0)) {
        const parts = splitWindow(lists, { offset, limit: 100 })
        const rows = lists.map((list, at) => {
          const part = parts[at] ?? { offset: 0, place: { before: 0, skip: 0 }, rows: 0 }
          // Positions by time and by row agree.
          expect(list.rows(part.place, part.rows)).toEqual(list.rows({ offset: part.offset }, part.rows))
          return list.rows(part.place, part.rows)
        })
        expect(
          mergeRows(rows).map(({ id }) => id),
          `${name} at ${offset}`,
        ).toEqual(whole.slice(offset, offset + 100))
      }
    }
  })
})
