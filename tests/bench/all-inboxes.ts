import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '../../src/engine/engine.ts'
import { Random } from '../../packages/platform/src/random.ts'
import type { EngineApi } from '../../src/shared/engine-api.ts'
import type { Page } from '../../src/shared/model.ts'
import type { Result } from '../../src/shared/result.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import { ALL_INBOXES } from '../../src/shared/unified-ids.ts'
import { openUnchangedCache } from '../support/open-cache.ts'
import { inboxOf, threadOf } from '../support/raw-payloads.ts'
import { percentile, type Figure } from './figure.ts'

const ROUNDS = 40
const INBOXES = 50
const THREADS = 4_000
const ALL = INBOXES * THREADS
const LIMIT = 50
const NEWEST = Date.UTC(2026, 10, 1)
/** Approximate age difference between consecutive threads of an inbox. */
const SPACING_MS = 40 * 60_000
const PAGE = 200

interface Filled {
  readonly id: string
  readonly inboxIds: readonly string[]
}

/** Stores threads in the inboxes of a separate account, page by page. @param spacing milliseconds between threads */
const fillAccount = (
  directory: string,
  { id, inboxIds }: Filled,
  { threads, spacing, seed }: { readonly threads: number; readonly spacing: number; readonly seed: number },
): void => {
  const random = new Random(seed)
  const cache = openUnchangedCache(join(directory, 'cache.sqlite'))
  cache.inboxes.storeListed(inboxIds.map((inboxId) => inboxOf({ id: inboxId })))
  for (const inboxId of inboxIds) {
    const inbox = { key: cache.inboxes.get(inboxId)?.key ?? -1, id: inboxId }
    for (let at = 0; at < threads; at += PAGE) {
      const page = Array.from({ length: PAGE }, (_, place) =>
        threadOf({
          id: random.uuid(),
          subject: `${id} ${at + place}`,
          from: 'Ada <ada@example.com>',
          to: ['inbox@linnet.example'],
          cc: [],
          bcc: [],
          labels: [],
          email_count: 1,
          has_attachment: false,
          has_draft: false,
          read: true,
          received_at: new Date(NEWEST - Math.floor((at + place + random.next()) * spacing)).toISOString(),
          folder: 'inbox',
        }),
      )
      cache.inTransaction(() => cache.threads.storePage(inbox, page, { askedAt: 0, inSent: false }))
    }
  }
  cache.close()
}

const valueOf = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.data
}

/** Pages of one list over the inboxes of two accounts, compared with a single inbox of as many threads. */
export const measureAllInboxes = async (): Promise<readonly Figure[]> => {
  const root = mkdtempSync(join(tmpdir(), 'linnet-bench-across-'))
  const named = (id: string, count: number): Filled => ({
    id,
    inboxIds: Array.from({ length: count }, (_, at) => `${id}-${at}`),
  })
  const one = named('one', 1)
  const several = [named('home', INBOXES / 2), named('work', INBOXES / 2)]
  const directoryOf = ({ id }: Filled): string => mkdtempSync(join(root, id))
  const engine: EngineApi = createEngine({
    event: () => undefined,
    keyAccepted: () => undefined,
    keyRenewed: () => Promise.resolve(),
    log: () => undefined,
  })
  const openFilled = async (account: Filled, threads: number, spacing: number): Promise<void> => {
    const directory = directoryOf(account)
    fillAccount(directory, account, { threads, spacing, seed: account.inboxIds.length + account.id.length })
    valueOf(await engine.open({ id: account.id, baseUrl: 'http://127.0.0.1:9', directory, key: null }))
  }
  await openFilled(one, ALL, SPACING_MS / INBOXES)
  for (const account of several) await openFilled(account, THREADS, SPACING_MS)

  const accountIds = several.map(({ id }) => id)
  const places = { first: 0, middle: ALL / 2, last: ALL - LIMIT } as const
  const names = ['first', 'middle', 'last'] as const
  const reads = {
    one: (offset: number) =>
      engine.call(
        'one',
        'thread.list',
        { query: createFolderQuery(one.inboxIds[0] ?? '', 'inbox'), offset, limit: LIMIT },
        'bench',
      ),
    across: (offset: number) =>
      engine.call(
        accountIds,
        'thread.list',
        { query: createFolderQuery(ALL_INBOXES, 'inbox'), offset, limit: LIMIT },
        'bench',
      ),
  }
  const times = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) {
      for (const which of ['one', 'across'] as const) {
        const start = performance.now()
        const { items, total } = valueOf(await reads[which](places[name])) as Page<unknown>
        const time = performance.now() - start
        if (items.length !== LIMIT || total !== ALL) throw new Error(`${which} ${name}: ${items.length} of ${total}`)
        times.set(`${which} ${name}`, [...(times.get(`${which} ${name}`) ?? []), time])
      }
    }
  }
  for (const { id } of [one, ...several]) await engine.close(id)
  rmSync(root, { recursive: true, force: true })

  const median = (name: string): number => percentile(times.get(name) ?? [], 0.5)
  return names.flatMap((name): readonly Figure[] => [
    {
      name: `the ${name} page of ${INBOXES} inboxes of two accounts, against that of one inbox with as many threads`,
      measured: median(`across ${name}`) / median(`one ${name}`),
      unit: '×',
      bound: { kind: 'at most', value: name === 'first' ? 15 : 40 },
      note: `${median(`across ${name}`).toFixed(2)} ms, one inbox ${median(`one ${name}`).toFixed(2)} ms; medians of ${ROUNDS} rounds that take turns, ${ALL} threads`,
    },
  ])
}
