import { accountDirectory, openBenchEngine, synced, until, type BenchEngine } from './bench-engine.ts'
import { startBenchPlatform, type BenchPlatform } from './bench-platform.ts'
import { percentile, type Figure } from './figure.ts'
import { LARGE, askPlatform } from './platforms.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'

const LIMIT = 10
/** Milliseconds per request at the limit. */
const PLACE_MS = 1000 / LIMIT
/** The rate limit counts requests in one-second windows (platform.md 2.1). */
const WINDOW_MS = 1_000
const TURNS = 3
const TURN_MS = 8_000
const CLICK_EVERY_MS = 400
/** Requests per second of the other client: most of the limit. */
const OTHERS = 7

interface Clicks {
  readonly lists: number[]
  readonly opened: number[]
}

/** Browses the inbox like a user: looks at the list, then opens a thread whose bodies are not stored yet. */
const click = async (engine: BenchEngine, inboxId: string, clicks: Clicks, at: number): Promise<void> => {
  const start = performance.now()
  const { items } = await engine.call('thread.list', {
    query: createFolderQuery(inboxId, 'inbox'),
    offset: at * 20,
    limit: 50,
  })
  clicks.lists.push(performance.now() - start)
  const thread = items[at % Math.max(1, items.length)]
  if (thread === undefined) return
  const asked = performance.now()
  await engine.call('thread.open', { inboxId, threadId: thread.id })
  clicks.opened.push(performance.now() - asked)
}

/** Starts another client with the same key. @returns a function that stops it and returns its counts */
const startOther = (platform: BenchPlatform): (() => Promise<{ readonly asked: number; readonly refused: number }>) => {
  let [asked, refused] = [0, 0]
  const pending = new Set<Promise<void>>()
  const timer = setInterval(() => {
    asked += 1
    const request = askPlatform(platform, '/contacts?limit=1').then(
      () => undefined,
      () => {
        refused += 1
      },
    )
    pending.add(request)
    void request.finally(() => pending.delete(request))
  }, 1000 / OTHERS)
  return async () => {
    clearInterval(timer)
    await Promise.all(pending)
    return { asked, refused }
  }
}

/**
 * Latency of clicks during a first sync at the platform's limit, alternately alone and with another client. Each turn
 * is a new first sync, so that bodies have to be fetched.
 */
export const measureClicks = async (): Promise<readonly Figure[]> => {
  const platform = await startBenchPlatform(LARGE, String(LIMIT))
  const [alone, beside]: readonly [Clicks, Clicks] = [
    { lists: [], opened: [] },
    { lists: [], opened: [] },
  ]
  const answers = { all: 0, refused: 0 }
  const takeTurn = async (clicks: Clicks, hasOther: boolean): Promise<void> => {
    // Wait for the window to expire: the previous turn's requests would count as another client's.
    if (!hasOther) await new Promise((resolve) => setTimeout(resolve, WINDOW_MS))
    const engine = await openBenchEngine(platform, await accountDirectory({ days: 365 }))
    const { inboxId } = platform
    await until(async () => {
      const listed = await engine.call('inbox.list', {})
      if (listed.inboxes.length === 0) return false
      return (
        (await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 1 })).total >
        0
      )
    }, 20)
    const before = platform.answered().length
    const end = performance.now() + TURN_MS
    const stopOther = hasOther ? startOther(platform) : null
    for (let at = 0; performance.now() < end; at += 1) {
      await click(engine, inboxId, clicks, at)
      await new Promise((resolve) => setTimeout(resolve, CLICK_EVERY_MS))
    }
    const other = await stopOther?.()
    await engine.stop()
    if (other === undefined) return
    const answered = platform.answered().slice(before)
    answers.all += answered.length - other.asked
    answers.refused += answered.filter((request) => request.endsWith(' 429')).length - other.refused
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    await takeTurn(alone, false)
    await takeTurn(beside, true)
  }
  await platform.stop()

  const resting = await startBenchPlatform(1_000, 'off')
  const quiet = await openBenchEngine(resting, await accountDirectory({ days: 1 }))
  await synced(quiet)
  const idle: Clicks = { lists: [], opened: [] }
  // At the pace of the first sync: clicks without a pause find the processor’s caches warm.
  for (let at = 0; at < 20; at += 1) {
    await click(quiet, resting.inboxId, idle, at)
    await new Promise((resolve) => setTimeout(resolve, CLICK_EVERY_MS))
  }
  await quiet.stop()
  await resting.stop()

  const p95 = (values: readonly number[]): number => percentile(values, 0.95)
  const note = (clicks: Clicks): string =>
    `median ${percentile(clicks.opened, 0.5).toFixed(0)} ms, p95 ${p95(clicks.opened).toFixed(0)} ms of ${clicks.opened.length} clicks`
  return [
    {
      name: 'a list during a first sync at the limit: median, against an engine at rest',
      measured: percentile(alone.lists, 0.5) / percentile(idle.lists, 0.5),
      unit: '×',
      bound: { kind: 'at most', value: 1.5 },
      note: `${percentile(alone.lists, 0.5).toFixed(2)} ms, p95 ${p95(alone.lists).toFixed(0)} ms, at rest ${percentile(idle.lists, 0.5).toFixed(2)} ms`,
    },
    {
      name: 'opening a thread without its e-mails during a first sync: p95, against one place of the limit',
      measured: p95(alone.opened) / PLACE_MS,
      unit: '×',
      bound: { kind: 'at most', value: 4 },
      note: `${note(alone)}; at rest without a limit p95 ${p95(idle.opened).toFixed(0)} ms`,
    },
    {
      name: `the same with another client that asks ${OTHERS} times a second`,
      measured: p95(beside.opened) / PLACE_MS,
      unit: '×',
      bound: { kind: 'at most', value: 15 },
      note: note(beside),
    },
    {
      name: 'share of refused answers beside that client',
      measured: (100 * answers.refused) / answers.all,
      unit: '%',
      bound: { kind: 'at most', value: 5 },
      note: `${answers.refused} of ${answers.all} answers to Linnet`,
    },
  ]
}
