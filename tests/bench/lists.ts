import type { ListOrder } from '../../src/shared/list-order.ts'
import { createFolderQuery, createLabelQuery } from '../../src/shared/thread-query.ts'
import { accountDirectory, openBenchEngine, synced } from './bench-engine.ts'
import { startBenchPlatform } from './bench-platform.ts'
import { percentile, type Figure } from './figure.ts'
import { LARGE, askPlatform } from './platforms.ts'

const ROUNDS = 60
const LABELS = 3
const LABELLED = 300
const MAILS = 100
const INBOXES = 2

/** Pages at the start, middle and end of lists: a large folder, a label, another inbox. */
export const measureLists = async (): Promise<readonly Figure[]> => {
  const platform = await startBenchPlatform(LARGE, 'off')
  const inbox = `/inboxes/${platform.inboxId}`
  const { data: threads } = await askPlatform<{ data: { id: string }[] }>(platform, `${inbox}/threads?limit=100`)
  const labelIds: string[] = []
  for (let label = 0; label < LABELS; label += 1) {
    labelIds.push((await askPlatform<{ id: string }>(platform, `${inbox}/labels`, 'POST', { name: `L${label}` })).id)
  }
  for (let thread = 0; thread < Math.min(LABELLED, threads.length); thread += 1) {
    const path = `${inbox}/threads/${threads[thread]?.id ?? ''}/labels`
    await askPlatform(platform, path, 'PUT', { labels: labelIds })
  }
  const others: string[] = []
  for (let other = 0; other < INBOXES; other += 1) {
    const email = `desk${other}@linnet.example`
    const { id } = await askPlatform<{ id: string }>(platform, '/inboxes', 'POST', { email_address: email })
    const mail = { from: 'inbox@linnet.example', to: [email], text: 'Hello' }
    const mails = Array.from({ length: MAILS }, (_, at) => ({ ...mail, subject: `Mail ${at}` }))
    await askPlatform(platform, '/emails/batch', 'POST', mails)
    others.push(id)
  }
  const engine = await openBenchEngine(platform, await accountDirectory({ days: 1 }))
  await synced(engine)

  const list = (
    which: { readonly folder: 'inbox' } | { readonly labelId: string },
    offset: number,
    inboxId = platform.inboxId,
    order: ListOrder = 'newest',
  ) => {
    const query =
      'folder' in which ? createFolderQuery(inboxId, which.folder) : createLabelQuery(inboxId, which.labelId)
    return engine.call('thread.list', { query, order, offset, limit: 50 })
  }
  const { total } = await list({ folder: 'inbox' }, 0)
  const labelId = labelIds[0] ?? ''
  const names = ['first', 'middle', 'end', 'label', 'other', 'oldest', 'waiting', 'behind'] as const
  const pages: Readonly<Record<(typeof names)[number], () => Promise<unknown>>> = {
    first: () => list({ folder: 'inbox' }, 0),
    middle: () => list({ folder: 'inbox' }, Math.floor(total / 2)),
    end: () => list({ folder: 'inbox' }, Math.max(0, total - 50)),
    label: () => list({ labelId }, 0),
    other: () => list({ folder: 'inbox' }, 0, others[0]),
    oldest: () => list({ folder: 'inbox' }, 0, platform.inboxId, 'oldest'),
    waiting: () => list({ folder: 'inbox' }, 0, platform.inboxId, 'waiting'),
    behind: () => list({ folder: 'inbox' }, Math.floor(total / 2), platform.inboxId, 'waiting'),
  }
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) {
      const start = performance.now()
      await pages[name]()
      times.get(name)?.push(performance.now() - start)
    }
  }
  await engine.stop()
  await platform.stop()
  const median = (name: (typeof names)[number]): number => percentile(times.get(name) ?? [], 0.5)
  const figure = (name: (typeof names)[number], words: string, most: number): Figure => ({
    name: `${words}, against the first page of the inbox`,
    measured: median(name) / median('first'),
    unit: '×',
    bound: { kind: 'at most', value: most },
    note: `${median(name).toFixed(2)} ms, first page ${median('first').toFixed(2)} ms; medians of ${ROUNDS} rounds that take turns, ${total} threads in the inbox`,
  })
  return [
    figure('middle', 'a page in the middle of the inbox', 5),
    figure('end', 'the last page of the inbox', 5),
    figure('label', 'the first page of a label', 3),
    figure('other', 'the first page of another inbox', 2),
    figure('oldest', 'the first page, oldest first', 3),
    figure('waiting', 'the first page, longest wait first', 3),
    figure('behind', 'a page in the middle, longest wait first', 8),
  ]
}
