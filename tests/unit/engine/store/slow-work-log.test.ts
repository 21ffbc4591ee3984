import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'

/**
 * Blocks a thread for 300 ms, then counts its wake-ups in the quietest of several 300 ms waits. Each wait's timer
 * causes one; V8 adds some to finish background compilation.
 */
const THREAD = `
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
const { logSlowWork } = await import(workerData)
const lines = []
logSlowWork((level, line) => lines.push(level + ' ' + line))
await sleep(1)
lines.length = 0
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
await sleep(1)
const loops = () => performance.nodeTiming.uvMetricsInfo.loopCount
let turns = Infinity
for (let wait = 0; wait < 30 && turns >= 5; wait += 1) {
  const before = loops()
  await sleep(300)
  turns = Math.min(turns, loops() - before)
}
parentPort.postMessage({ first: lines[0], turns })
`

it('logs a turn that blocks the thread, and lets an idle thread sleep', async () => {
  const module = new URL('../../../../src/engine/store/watch-database.ts', import.meta.url).href
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), { workerData: module })
  onTestFinished(() => void thread.terminate())
  const [{ first, turns }] = (await once(thread, 'message')) as [{ readonly first: string; readonly turns: number }]
  expect(Number(/^warn engine: blocked for (\d+) ms$/.exec(first)?.[1])).toBeGreaterThanOrEqual(300)
  expect(turns).toBeLessThan(5)
})
