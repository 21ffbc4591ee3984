import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'

/** Blocks a thread for 300 ms, then counts how often it wakes while it waits for as long. */
const THREAD = `
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
const { noteSlowness } = await import(workerData)
const lines = []
noteSlowness((level, line) => lines.push(level + ' ' + line))
await sleep(1)
lines.length = 0
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
await sleep(1)
const { uvMetricsInfo } = performance.nodeTiming
await sleep(300)
parentPort.postMessage({ first: lines[0], turns: performance.nodeTiming.uvMetricsInfo.loopCount - uvMetricsInfo.loopCount })
`

it('logs a turn that blocks the thread, and lets an idle thread sleep', async () => {
  const module = new URL('../../../src/engine/slowness.ts', import.meta.url).href
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), { workerData: module })
  onTestFinished(() => void thread.terminate())
  const [{ first, turns }] = (await once(thread, 'message')) as [{ readonly first: string; readonly turns: number }]
  expect(Number(/^warn engine: blocked for (\d+) ms$/.exec(first)?.[1])).toBeGreaterThanOrEqual(300)
  expect(turns).toBeLessThan(5)
})
