/**
 * Process to be killed: an engine that exports all mail to a file. It reports the problems that it finds at the start,
 * its progress and the result. With `sync` it also polls for new mail, and reports how much arrived and how long the turns
 * of its thread took while it wrote.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { EXPORT_FORMATS, type ExportState } from '../../../src/shared/export.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { ACCOUNT, lifeArguments, openKillableEngine, print } from './killable-engine.ts'

const [path = '', formatName = '', syncedInbox = ''] = lifeArguments
const format = EXPORT_FORMATS.find((known) => known === formatName) ?? 'mbox'
const SYNC_EVERY_MS = 500

const { engine, ask } = await openKillableEngine()
const list = async (): Promise<readonly ExportState[]> => {
  const listed = await ask('export.list', {})
  return listed.ok ? listed.data : []
}
const countInbox = async (): Promise<number> => {
  const input = { query: createFolderQuery(syncedInbox, 'inbox'), offset: 0, limit: 1 }
  const listed = await ask('thread.list', input)
  return listed.ok ? listed.data.total : 0
}
const problems = await ask('problem.list', {})
print('problems', problems.ok ? problems.data : problems.error)
const request = { mail: { kind: 'everything' }, format, isFetching: true } as const
const started = await engine.startExport(ACCOUNT, request, { path, mayReplace: false })
if (!started.ok) print('failed', started.error)

/**
 * Actual milliseconds between two 1 ms timer ticks, and the CPU time of this thread in between: the length of a turn on
 * an otherwise idle machine.
 */
const waits: number[] = []
const works: number[] = []
const workedSince = (): number => {
  const { user, system } = process.threadCpuUsage(worked)
  worked = process.threadCpuUsage()
  return (user + system) / 1000
}
let worked = process.threadCpuUsage()
let lookedAt = performance.now()
const look = (): void => {
  works.push(workedSince())
  waits.push(performance.now() - lookedAt)
  lookedAt = performance.now()
}
let looking: NodeJS.Timeout | undefined
const describe = (values: readonly number[]) => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) }
}
let syncedAt = performance.now()
let isWriting = false
const id = started.ok ? started.data.id : null
for (;;) {
  const state = (await list()).find((each) => each.id === id)
  if (!isWriting && state?.stage === 'writing') {
    isWriting = true
    workedSince()
    lookedAt = performance.now()
    looking = setInterval(look, 1)
  }
  if (state?.stage === 'done' || state?.stage === 'stopped') {
    clearInterval(looking)
    const inbox = syncedInbox === '' ? {} : { inbox: await countInbox() }
    print(state.stage, {
      ...state,
      waits: describe(waits),
      works: describe(works),
      memory: process.memoryUsage.rss(),
      ...inbox,
    })
    await engine.close(ACCOUNT)
    process.exit(0)
  }
  print('at', state?.stage === 'writing' ? state.done : 0)
  if (syncedInbox !== '' && performance.now() - syncedAt > SYNC_EVERY_MS) {
    syncedAt = performance.now()
    void ask('sync.now', {})
  }
  await sleep(syncedInbox === '' ? 5 : 50)
}
