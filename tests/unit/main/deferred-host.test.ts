import { expect, it, vi } from 'vitest'
import { DeferredHost } from '../../../src/main/deferred-host.ts'
import type { AddressedEvent } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { ok } from '../../../src/shared/result.ts'

const asking = { accountId: null, caller: 'window 1' }

it('queues window requests for the host in order, and needs it only for the first view', async () => {
  const needed = vi.fn()
  const late = new DeferredHost(needed)
  const told = vi.fn()
  late.subscribe(told)
  late.leave('window 1')
  const asked: string[] = []
  const answers = Promise.all(['run.state', 'spelling.state'].map((name) => late.call(name, {}, asking)))
  expect(needed).not.toHaveBeenCalled()
  const state = late.call('account.state', {}, asking)
  expect(needed).toHaveBeenCalledOnce()
  expect(late.now()).toBeNull()

  let tell: (event: AddressedEvent) => void = () => undefined
  const host = {
    call: (name: string) => {
      asked.push(name)
      return Promise.resolve(ok(name))
    },
    subscribe: (listener: (event: AddressedEvent) => void) => {
      tell = listener
      return () => undefined
    },
    leave: vi.fn(),
    preferences: () => DEFAULT_PREFERENCES,
  }
  late.resolve(host)
  expect(await answers).toEqual([ok('run.state'), ok('spelling.state')])
  expect(await state).toEqual(ok('account.state'))
  expect(asked).toEqual(['run.state', 'spelling.state', 'account.state'])
  expect(late.now()).toBe(host)

  const event = { name: 'inboxes.changed', payload: null, accountId: 'a' } as const
  tell(event)
  expect(told).toHaveBeenCalledExactlyOnceWith(event)
  late.leave('window 1')
  expect(host.leave).toHaveBeenCalledExactlyOnceWith('window 1')
  await late.call('account.state', {}, asking)
  expect(needed).toHaveBeenCalledOnce()
})
