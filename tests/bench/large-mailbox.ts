import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { FOLDERS, type Folder } from '../../src/shared/model.ts'
import { accountDirectory, openBenchEngine, synced, until, type BenchEngine } from './bench-engine.ts'
import type { BenchPlatform } from './bench-platform.ts'
import { median, percentile, type Figure } from './figure.ts'
import { measureSqliteItself, startReplay } from './list-rate.ts'
import { LARGE, sharedPlatform } from './platforms.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'

const RATE_ROUNDS = 5
const TURN_MS = 10_000
const MANY = LARGE.toLocaleString('en')
const QUERY_EVERY_MS = 10
/** All folders but `sent`, whose threads may be in another folder too. */
const ONCE = FOLDERS.filter((folder) => folder !== 'sent')

/** Lists only: the last day has just a few dozen bodies. */
const LISTS = { days: 1 }

const isListed = async (engine: BenchEngine): Promise<boolean> => {
  const { progress, lastSyncAt } = await engine.call('sync.status', {})
  return progress === null && lastSyncAt !== null
}

const timeUntil = async (
  platform: Pick<BenchPlatform, 'baseUrl' | 'apiKey'>,
  isReached: (engine: BenchEngine) => Promise<boolean> | boolean,
) => {
  const engine = await openBenchEngine(platform, await accountDirectory(LISTS))
  const start = performance.now()
  await until(() => isReached(engine), 20)
  return { engine, seconds: (performance.now() - start) / 1000 }
}

const countRows = async (engine: BenchEngine, inboxId: string, folders: readonly Folder[]): Promise<number> => {
  const pages = await Promise.all(
    folders.map((folder) =>
      engine.call('thread.list', { query: createFolderQuery(inboxId, folder), offset: 0, limit: 1 }),
    ),
  )
  return pages.reduce((sum, { total }) => sum + total, 0)
}

/** True if every row of every list is stored. A replay platform has no e-mails, so its sync never finishes. */
const hasRows =
  (inboxId: string, rows: number) =>
  async (engine: BenchEngine): Promise<boolean> => {
    const { progress } = await engine.call('sync.status', {})
    // Counting slows the engine down, so count only near the end.
    if (progress !== null && progress.done < rows) return false
    return (await countRows(engine, inboxId, FOLDERS)) >= rows
  }

/**
 * Compares the engine's rate with plain SQLite in alternating rounds, so other load affects both equally. Reports
 * medians.
 */
export const measureRate = async (): Promise<readonly Figure[]> => {
  const platform = await sharedPlatform(LARGE, 'off')
  const replay = await startReplay(platform)
  const recorded = { baseUrl: replay.baseUrl, apiKey: platform.apiKey }
  const rates = { engine: [] as number[], sqlite: [] as number[] }
  for (let round = 0; round < RATE_ROUNDS; round += 1) {
    const { engine, seconds } = await timeUntil(recorded, hasRows(platform.inboxId, replay.rows))
    rates.engine.push(replay.rows / seconds)
    await engine.stop()
    rates.sqlite.push(measureSqliteItself(engine).rowsPerSecond)
  }
  replay.stop()
  const before = platform.answered().length
  const isPage = (request: string): boolean => request.endsWith('/threads 200')
  // Wait for one page more than the lists have, which is the check for new mail.
  const beside = await timeUntil(platform, () => platform.answered().slice(before).filter(isPage).length > replay.pages)
  await beside.engine.stop()

  const sqlite = median(rates.sqlite)
  const figure = (name: string, rate: number, bound: Figure['bound']): Figure => ({
    name,
    measured: rate / sqlite,
    unit: '×',
    bound,
    note: `${Math.round(rate)} rows/s, SQLite alone ${Math.round(sqlite)} rows/s; ${replay.rows} rows in ${replay.pages} pages`,
  })
  return [
    figure(
      'list pages stored with the limit off, from a platform that answers from memory, against SQLite itself',
      median(rates.engine),
      { kind: 'at least', value: 0.5 },
    ),
    figure(
      'the same from the local platform, which takes longer to make a page than the engine to keep it',
      replay.rows / beside.seconds,
      null,
    ),
  ]
}

/** An engine's effect on the host: duration of list queries, and delay of the host's event loop. */
interface Felt {
  readonly queries: number[]
  /** Event loop delay in each turn, in milliseconds. */
  readonly late: { readonly p99: number; readonly longest: number }[]
}

const nothingFelt = (): Felt => ({ queries: [], late: [] })

const watchWhile = async (
  felt: Felt,
  engine: BenchEngine,
  inboxId: string,
  isOver: () => Promise<boolean> | boolean,
): Promise<void> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await until(async () => {
    const start = performance.now()
    await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 50 })
    felt.queries.push(performance.now() - start)
    return isOver()
  }, QUERY_EVERY_MS)
  delay.disable()
  felt.late.push({ p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 })
}

const hostFigures = (busy: Felt, idle: Felt, speed: string, isBound: boolean): readonly Figure[] => {
  const name = `while ${MANY} threads sync ${speed}`
  const atMost = (value: number): Figure['bound'] => (isBound ? { kind: 'at most', value } : null)
  const p99 = ({ late }: Felt): number => median(late.map((turn) => turn.p99))
  const longest = ({ late }: Felt): number => median(late.map((turn) => turn.longest))
  const query = ({ queries }: Felt, share: number): string => percentile(queries, share).toFixed(2)
  return [
    {
      name: `host's loop ${name}: p99 of its delay, against idle, the median of its turns`,
      measured: p99(busy) / p99(idle),
      unit: '×',
      bound: atMost(1.2),
      note: `${p99(busy).toFixed(2)} ms, idle ${p99(idle).toFixed(2)} ms`,
    },
    {
      name: `host's loop ${name}: longest delay of a turn, against idle, the median of its turns`,
      measured: longest(busy) / longest(idle),
      unit: '×',
      bound: atMost(1.5),
      note: `${longest(busy).toFixed(2)} ms, idle ${longest(idle).toFixed(2)} ms; the longest of all ${Math.max(...busy.late.map((turn) => turn.longest)).toFixed(0)} ms`,
    },
    {
      name: `a list query ${name}: median, against idle`,
      measured: median(busy.queries) / median(idle.queries),
      unit: '×',
      bound: atMost(2),
      note: `${query(busy, 0.5)} ms (p95 ${query(busy, 0.95)}), idle ${query(idle, 0.5)} ms (p95 ${query(idle, 0.95)}); ${busy.queries.length} queries`,
    },
  ]
}

/**
 * Effect on the host of a sync at the platform's limit, from the first thread to the last. Alternates with an idle
 * engine, so other load on the machine affects both equally. Also measures a sync without a rate limit, for which there
 * is no bound.
 */
export const measureHost = async (): Promise<readonly Figure[]> => {
  const [platform, limited] = [await sharedPlatform(LARGE, 'off'), await sharedPlatform(LARGE, '10')]
  const directories = { resting: await accountDirectory(LISTS), syncing: await accountDirectory(LISTS) }
  const [unlimited, idle, atLimit] = [nothingFelt(), nothingFelt(), nothingFelt()]

  const fast = await openBenchEngine(platform, directories.resting)
  await until(async () => (await fast.call('inbox.list', {})).inboxes.length > 0, 10)
  await watchWhile(unlimited, fast, platform.inboxId, () => isListed(fast))
  await fast.stop()

  const takeTurn = async (
    felt: Felt,
    { inboxId, ...platformOfTurn }: BenchPlatform,
    directory: string,
  ): Promise<{ readonly isWhole: boolean; readonly threads: number }> => {
    const engine = await openBenchEngine(platformOfTurn, directory)
    await until(async () => (await engine.call('inbox.list', {})).inboxes.length > 0, 10)
    const end = performance.now() + TURN_MS
    await watchWhile(felt, engine, inboxId, () => performance.now() > end)
    const turn = { isWhole: await isListed(engine), threads: await countRows(engine, inboxId, ONCE) }
    await engine.stop()
    return turn
  }
  let stored = 0
  // At 100 threads per page and ten pages per second, needing twice the time means that something is wrong.
  const mostTurns = 2 + Math.ceil((2 * LARGE) / 1000 / (TURN_MS / 1000))
  for (let turn = 0, isWhole = false; !isWhole && turn < mostTurns; turn += 1) {
    await takeTurn(idle, platform, directories.resting)
    const reached = await takeTurn(atLimit, limited, directories.syncing)
    stored = reached.threads
    isWhole = reached.isWhole && reached.threads >= LARGE * 0.95
  }
  return [
    {
      name: 'threads stored by the sync at ten requests a second while the host was watched',
      measured: stored,
      unit: '',
      // Threads with only sent e-mails are not counted, to avoid counting others twice.
      bound: { kind: 'at least', value: Math.floor(LARGE * 0.95) },
      note: `${atLimit.late.length} turns of ${TURN_MS / 1000} s, each after one at rest`,
    },
    ...hostFigures(atLimit, idle, 'at ten requests a second', true),
    ...hostFigures(unlimited, idle, 'with no limit', false),
  ]
}

/** Measured in a separate process, so nothing but the engine counts. */
export const measureMemory = async (): Promise<readonly Figure[]> => {
  const [empty, full] = [await sharedPlatform(0, 'off'), await sharedPlatform(LARGE, 'off')]
  const probe = fork(
    fileURLToPath(new URL('./memory-probe.ts', import.meta.url)),
    [empty.baseUrl, empty.apiKey, full.baseUrl, full.apiKey],
    {
      execArgv: ['--expose-gc'],
    },
  )
  const [idle, synced] = await new Promise<readonly [number, number]>((resolve, reject) => {
    probe.once('message', (message) => resolve(message as [number, number]))
    probe.once('exit', () => reject(new Error('The memory probe ended early.')))
  })
  const megabyte = 1024 * 1024
  return [
    {
      name: `memory of the process after syncing ${MANY} threads, above an idle engine`,
      measured: (synced - idle) / megabyte,
      unit: 'MB',
      bound: { kind: 'at most', value: 250 },
      note: `resident set ${(synced / megabyte).toFixed(0)} MB, idle ${(idle / megabyte).toFixed(0)} MB`,
    },
  ]
}

const measureIdlePoll = async (platform: BenchPlatform, threads: number): Promise<Figure> => {
  const engine = await openBenchEngine(platform, await accountDirectory(LISTS))
  await synced(engine)
  const costs: number[] = []
  for (let look = 0; look < 10; look += 1) {
    await engine.call('window.activity', { activity: 'hidden' })
    const before = platform.answered().length
    const { lastSyncAt } = await engine.call('sync.status', {})
    await engine.call('window.activity', { activity: 'focused' })
    await until(async () => (await engine.call('sync.status', {})).lastSyncAt !== lastSyncAt, 5)
    costs.push(platform.answered().length - before)
  }
  await engine.stop()
  return {
    name: `requests of a look for news with nothing new, ${threads.toLocaleString('en')} threads`,
    measured: Math.max(...costs),
    unit: '',
    bound: { kind: 'at most', value: 3 },
    note: `ten looks in a row: ${costs.join(', ')}`,
  }
}

/** A check for new mail costs the same in a small mailbox and in a large one. */
export const measureIdlePolls = async (): Promise<readonly Figure[]> => [
  await measureIdlePoll(await sharedPlatform(1_000, 'off'), 1_000),
  await measureIdlePoll(await sharedPlatform(LARGE, 'off'), LARGE),
]
