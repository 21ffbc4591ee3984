import { describe, expect, it } from 'vitest'
import { toRefusal, toUnreachableError } from '../../../../../src/engine/platform/platform-problem.ts'
import type { WaitingChange } from '../../../../../src/engine/own/outbox/change.ts'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'
import { fieldsOf, openFile, openQueue, startQueue, stateOf, target, waiting } from './support/test-queue.ts'

/** A queue that finds a change of unknown fate: the process ended after sending it, before the response. */
const wakeUp = (
  left: Pick<WaitingChange, 'wanted' | 'sending'>,
  platformHolds: string,
  beforeLook: () => Promise<void> = () => Promise.resolve(),
) => {
  const file = openFile()
  file.write([{ target: target('folder'), change: waiting('folder', left.wanted, left.sending) }])
  const delivered: Readonly<Record<string, string>>[] = []
  const state = stateOf({ folder: platformHolds })
  const { queue } = openQueue(file, {
    deliver: (_subject, changes) => {
      delivered.push(fieldsOf(changes))
      return Promise.resolve({ store: () => undefined })
    },
    look: async () => {
      await beforeLook()
      return { state, store: () => undefined }
    },
    findMissing: () => Promise.resolve('nothing'),
    serverState: () => state,
  })
  startQueue(queue)
  return { queue, delivered, left: () => file.read().waiting }
}

describe('a change sent without a response', () => {
  it('isn’t sent again if it arrived', async () => {
    const { queue, delivered, left } = wakeUp({ wanted: 'archive', sending: 'archive' }, 'archive')
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(delivered).toEqual([])
    expect(left()).toEqual([])
  })

  it('is sent again if it didn’t', async () => {
    const { queue, delivered } = wakeUp({ wanted: 'archive', sending: 'archive' }, 'inbox')
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(delivered).toEqual([{ folder: 'archive' }])
  })

  it('is followed by a newer value if it arrived', async () => {
    const { queue, delivered } = wakeUp({ wanted: 'inbox', sending: 'archive' }, 'archive')
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(delivered).toEqual([{ folder: 'inbox' }])
  })

  it('stays uncertain while the platform is unreachable, even if its check surely failed', async () => {
    let asked = 0
    const { queue, delivered, left } = wakeUp({ wanted: 'archive', sending: 'archive' }, 'archive', () => {
      asked += 1
      const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      return asked === 1 ? Promise.reject(toUnreachableError(refusedConnection)) : Promise.resolve()
    })
    await expect.poll(() => asked).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(left()).toMatchObject([{ sending: 'archive' }])
    queue.nudge()
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(delivered).toEqual([])
  })

  it('sends nothing if it didn’t arrive and was undone since', async () => {
    const { queue, delivered, left } = wakeUp({ wanted: 'inbox', sending: 'archive' }, 'inbox')
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(delivered).toEqual([])
    expect(left()).toEqual([])
  })
})

describe('a change blocked by its key', () => {
  it('is sent after the new key without checking its fate', async () => {
    const file = openFile()
    const state = stateOf({ folder: 'inbox' })
    const asked: string[] = []
    let isRevoked = true
    const { queue } = openQueue(file, {
      deliver: () => {
        asked.push('change')
        return isRevoked
          ? Promise.reject(toRefusal(401, { name: 'invalid_api_key', message: 'API key is invalid' }))
          : Promise.resolve({ store: () => undefined })
      },
      look: () => {
        asked.push('look')
        return Promise.resolve({ state, store: () => undefined })
      },
      findMissing: () => Promise.resolve('nothing'),
      serverState: () => state,
    })
    queue.change([{ ...target('folder'), wanted: 'archive' }])
    startQueue(queue)
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await expect.poll(() => file.read().waiting).toMatchObject([{ wanted: 'archive', sending: null }])
    isRevoked = false
    await expect
      .poll(() => {
        queue.nudge()
        return queue.waiting.count()
      })
      .toBe(0)
    expect(new Set(asked)).toEqual(new Set(['change']))
  })
})

describe('a change that the platform rejects while reads work', () => {
  it('is retried less and less often', async () => {
    const clock = createSteppedClock()
    const file = openFile()
    const state = stateOf({ folder: 'inbox' })
    let tries = 0
    const { queue } = openQueue(
      file,
      {
        deliver: () => {
          tries += 1
          return Promise.reject(toRefusal(500, { name: 'application_error', message: 'Something went wrong.' }))
        },
        look: () => Promise.resolve({ state, store: () => undefined }),
        findMissing: () => Promise.resolve('nothing'),
        serverState: () => state,
      },
      undefined,
      clock,
    )
    const ending = new AbortController()
    queue.change([{ ...target('folder'), wanted: 'archive' }])
    queue.start(ending.signal)
    await clock.advance(120_000)
    ending.abort()
    await queue.ended()
    // Back-off starts at 0.5 s and doubles up to a minute; half of each delay is random.
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(15)
  })
})
