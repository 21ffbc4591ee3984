import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { toRefusal, toUnreachable } from '../../../../src/engine/api/platform-problem.ts'
import { openOutboxFile } from '../../../../src/engine/outbox/outbox-file.ts'
import { createOutbox, type OutboxPorts } from '../../../../src/engine/outbox/outbox.ts'
import type { Delivery, Intent, LaneState } from '../../../../src/engine/outbox/intent.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const lane = { kind: 'thread', scope: 'inbox-1', id: 'thread-1' } as const

/** An outbox that finds a change whose fate is unknown: the process ended after it was sent and before the answer. */
const wakeUp = (
  left: Pick<Intent, 'wanted' | 'sending'>,
  platformHolds: string,
  beforeLook: () => Promise<void> = () => Promise.resolve(),
) => {
  const { outbox: file } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
  file.write([{ target: { ...lane, field: 'folder' }, intent: { ...lane, field: 'folder', ...left } }])
  const delivered: Delivery[] = []
  const state: LaneState = new Map([['folder', platformHolds]])
  const ports: OutboxPorts = {
    deliver: (_lane, delivery) => {
      delivered.push(delivery)
      return Promise.resolve(() => undefined)
    },
    look: async () => {
      await beforeLook()
      return { state, keep: () => undefined }
    },
    inquire: () => Promise.resolve('nothing'),
    serverState: () => state,
    changed: () => undefined,
    refused: () => undefined,
  }
  const outbox = createOutbox(file, ports)
  const ending = new AbortController()
  onTestFinished(async () => {
    ending.abort()
    await outbox.close()
  })
  outbox.start(ending.signal)
  return { outbox, delivered, left: () => file.intents() }
}

describe('a change that was sent and never answered', () => {
  it('is not sent again where it had arrived', async () => {
    const { outbox, delivered, left } = wakeUp({ wanted: 'archive', sending: 'archive' }, 'archive')
    await expect.poll(() => outbox.pendingCount()).toBe(0)
    expect(delivered).toEqual([])
    expect(left()).toEqual([])
  })

  it('is sent again where it had not', async () => {
    const { outbox, delivered } = wakeUp({ wanted: 'archive', sending: 'archive' }, 'inbox')
    await expect.poll(() => outbox.pendingCount()).toBe(0)
    expect(delivered).toEqual([{ kind: 'thread', change: { folder: 'archive' } }])
  })

  it('is followed by what was wanted since, where it had arrived', async () => {
    const { outbox, delivered } = wakeUp({ wanted: 'inbox', sending: 'archive' }, 'archive')
    await expect.poll(() => outbox.pendingCount()).toBe(0)
    expect(delivered).toEqual([{ kind: 'thread', change: { folder: 'inbox' } }])
  })

  it('stays uncertain while the platform cannot be asked, however surely that question never got there', async () => {
    let asked = 0
    const { outbox, delivered, left } = wakeUp({ wanted: 'archive', sending: 'archive' }, 'archive', () => {
      asked += 1
      const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      return asked === 1 ? Promise.reject(toUnreachable(refusedConnection)) : Promise.resolve()
    })
    await expect.poll(() => asked).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(left()).toMatchObject([{ sending: 'archive' }])
    outbox.nudge()
    await expect.poll(() => outbox.pendingCount()).toBe(0)
    expect(delivered).toEqual([])
  })

  it('sends nothing where it had not arrived and was taken back since', async () => {
    const { outbox, delivered, left } = wakeUp({ wanted: 'inbox', sending: 'archive' }, 'inbox')
    await expect.poll(() => outbox.pendingCount()).toBe(0)
    expect(delivered).toEqual([])
    expect(left()).toEqual([])
  })
})

describe('a change that never got past the key', () => {
  it('goes out after the new key without the platform being asked what became of it', async () => {
    const { outbox: file } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
    const state: LaneState = new Map([['folder', 'inbox']])
    const asked: string[] = []
    let isRevoked = true
    const outbox = createOutbox(file, {
      deliver: () => {
        asked.push('change')
        return isRevoked
          ? Promise.reject(toRefusal(401, { name: 'invalid_api_key', message: 'API key is invalid' }))
          : Promise.resolve(() => undefined)
      },
      look: () => {
        asked.push('look')
        return Promise.resolve({ state, keep: () => undefined })
      },
      inquire: () => Promise.resolve('nothing'),
      serverState: () => state,
      changed: () => undefined,
      refused: () => undefined,
    })
    const ending = new AbortController()
    onTestFinished(async () => {
      ending.abort()
      await outbox.close()
    })
    outbox.change([{ ...lane, field: 'folder', wanted: 'archive' }])
    outbox.start(ending.signal)
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await expect.poll(() => file.intents()).toMatchObject([{ wanted: 'archive', sending: null }])
    isRevoked = false
    await expect
      .poll(() => {
        outbox.nudge()
        return outbox.pendingCount()
      })
      .toBe(0)
    expect(new Set(asked)).toEqual(new Set(['change']))
  })
})

describe('a change that the platform fails to take while it answers questions', () => {
  it('is tried ever more seldom', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { outbox: file } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
    const state: LaneState = new Map([['folder', 'inbox']])
    let tries = 0
    const outbox = createOutbox(file, {
      deliver: () => {
        tries += 1
        return Promise.reject(toRefusal(500, { name: 'application_error', message: 'Something went wrong.' }))
      },
      look: () => Promise.resolve({ state, keep: () => undefined }),
      inquire: () => Promise.resolve('nothing'),
      serverState: () => state,
      changed: () => undefined,
      refused: () => undefined,
    })
    const ending = new AbortController()
    outbox.change([{ ...lane, field: 'folder', wanted: 'archive' }])
    outbox.start(ending.signal)
    await vi.advanceTimersByTimeAsync(120_000)
    ending.abort()
    await outbox.close()
    // Half a second, then twice as long each time up to a minute, and half of it left to chance.
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(15)
  })
})
