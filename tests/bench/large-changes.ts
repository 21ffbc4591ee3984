import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeThreads } from '../../src/engine/mail/threads/change-threads.ts'
import { OutboxFile } from '../../src/engine/own/outbox/outbox-file.ts'
import { createChangeTypes, Outbox } from '../../src/engine/own/outbox/outbox.ts'
import type { MailPlatform } from '../../src/engine/platform/mail-platform.ts'
import { openCache } from '../../src/engine/store/cache.ts'
import { systemClock } from '../../src/engine/timing/clock.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import { Random } from '../../packages/platform/src/random.ts'
import { openOwnFile } from '../support/own-file.ts'
import { inboxOf, threadOf } from '../support/raw-payloads.ts'
import { percentile, type Figure } from './figure.ts'
import { NOW } from './filled-inbox.ts'

/** Threads changed at once. Raise BENCH_CHANGED to see how far it goes. */
const CHANGED = Number(process.env.BENCH_CHANGED ?? 10_000)
const ROUNDS = 3
const INBOX = 'inbox'
const THREADS_A_PAGE = 100
const MINUTE = 60_000

const nothing = (): void => undefined
const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6)

/** An account of one inbox with this many threads, without a platform: nothing is sent. */
const openMailbox = (directory: string, threads: number) => {
  const { cache } = openCache(join(directory, 'cache.sqlite'), {
    threads: {
      marks: (...of) => outbox.marksOf(...of),
      overlay: (...of): ReturnType<Outbox['threadOverlay']> => outbox.threadOverlay(...of),
      confirmedSince: () => false,
    },
    topics: () => new Map(),
    labels: (inboxId): ReturnType<Outbox['labelOverlay']> => outbox.labelOverlay(inboxId),
  })
  cache.inboxes.storeListed([inboxOf({ id: INBOX })])
  const inbox = cache.inboxes.require(INBOX)
  const parts = {
    cache,
    hub: { threads: nothing, labels: nothing, topics: nothing, contacts: nothing, suppressions: nothing },
    findSuppression: () => Promise.resolve(null),
    // Never called: nothing is sent.
    platform: {} as MailPlatform,
    notFound: { ofThread: () => new Promise<never>(nothing), inboxExists: () => Promise.resolve(true) },
  }
  const own = openOwnFile(directory)
  const outbox: Outbox = new Outbox(new OutboxFile(own), createChangeTypes(parts, { ...systemClock, now: () => NOW }), {
    ...{ shown: nothing, refused: nothing, replaced: nothing, progressed: nothing },
    failed: (thrown) => {
      throw thrown
    },
  })
  const random = new Random(7)
  for (let first = 0; first < threads; first += THREADS_A_PAGE) {
    const page = Array.from({ length: Math.min(THREADS_A_PAGE, threads - first) }, (_, at) =>
      threadOf({
        id: random.uuid(),
        folder: 'inbox',
        subject: `Subject ${first + at}`,
        from: `Person ${at} <person-${at}@company.example>`,
        to: ['Desk <inbox@linnet.example>'],
        cc: [],
        bcc: [],
        labels: [],
        email_count: 1,
        has_attachment: false,
        has_draft: false,
        read: random.next() > 0.2,
        received_at: new Date(NOW - (first + at) * MINUTE).toISOString(),
      }),
    )
    cache.threads.storePage(inbox, page, { askedAt: 0, inSent: false })
  }
  return { cache, outbox, own, inbox }
}

/** Archives all threads of an inbox, and undoes it, until the list's last row is gone or back. */
export const measureLargeChanges = async (): Promise<readonly Figure[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-large-'))
  try {
    const { cache, outbox, own, inbox } = openMailbox(directory, CHANGED)
    const empty = megabytes()
    const ending = new AbortController()
    outbox.start(ending.signal)
    const rows = (): number =>
      cache.threadLists.count(inbox, { folder: 'inbox' }) +
      cache.threads.list(inbox, { folder: 'inbox' }, { offset: 0, limit: 50 }).length
    const account = { cache, outbox, searches: {}, threads: { isListed: () => true } } as unknown as Parameters<
      typeof changeThreads
    >[0]
    const matching = { query: createFolderQuery(INBOX, 'inbox'), upTo: Number.POSITIVE_INFINITY, except: [] }
    const [archived, undone]: [number[], number[]] = [[], []]
    let most = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now()
      const { changeId } = await changeThreads(account, inbox, { folder: 'archive' }, { matching }, ending.signal)
      if (rows() !== 0) throw new Error('Not every thread was archived.')
      archived.push(performance.now() - start)
      most = Math.max(most, megabytes())
      const second = performance.now()
      outbox.undo(changeId)
      if (rows() <= CHANGED) throw new Error('Not every thread is back.')
      undone.push(performance.now() - second)
      most = Math.max(most, megabytes())
    }
    ending.abort()
    await outbox.ended()
    await own.close()
    cache.close()
    const count = CHANGED.toLocaleString('en')
    return [
      {
        name: `${count} threads archived, until the list’s last row is gone`,
        measured: percentile(archived, 0.5),
        unit: 'ms',
        bound: { kind: 'at most', value: (300 * CHANGED) / 10_000 },
        note: `undone in ${percentile(undone, 0.5).toFixed(0)} ms; medians of ${ROUNDS} rounds; ${empty} MB before, at most ${most} MB`,
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
