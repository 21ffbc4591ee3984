import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startDemoPlatform } from '../../../src/host/demo-platform.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

/** A platform whose output the test writes. */
const startSaying = () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const exits: (() => void)[] = []
  const kill = vi.fn(() => exits.forEach((exit) => exit()))
  const progress: number[] = []
  const started = startDemoPlatform(
    () => ({ stdout, stderr, kill, onExit: (listener) => exits.push(listener) }),
    'demo.sqlite',
    () => undefined,
    ({ done }) => progress.push(done),
  )
  return {
    started,
    kill,
    /** Reports progress and waits for it: lines are read in separate turns. */
    make: async (done: number) => {
      stderr.write(`service: Made ${done} of 900 messages\n`)
      await vi.waitFor(() => expect(progress.at(-1)).toBe(done))
    },
    announce: () => stdout.write('{"base_url":"http://127.0.0.1:1","api_key":"re_demo"}\n'),
  }
}

it('gives the demo all the time it needs while it reports progress', async () => {
  const { started, make, announce, kill } = startSaying()
  for (const done of [100, 200, 300]) {
    await make(done)
    vi.advanceTimersByTime(29_000)
  }
  announce()
  expect(await started).toMatchObject({ baseUrl: 'http://127.0.0.1:1', apiKey: 're_demo' })
  vi.advanceTimersByTime(60_000)
  expect(kill).not.toHaveBeenCalled()
})

it('stops a demo that is silent for half a minute, and tells the user', async () => {
  const silent = startSaying()
  vi.advanceTimersByTime(30_000)
  await expect(silent.started).rejects.toMatchObject({ problem: { code: 'internal' } })
  expect(silent.kill).toHaveBeenCalled()
})
