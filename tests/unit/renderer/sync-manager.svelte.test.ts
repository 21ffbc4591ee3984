// @vitest-environment jsdom
import { expect, it, onTestFinished } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { SyncManager } from '../../../src/renderer/kernel/sync-manager.svelte.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'

it('tells the host when the window is online again, until the account closes', () => {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const transport = createFixtureTransport()
  new SyncManager(createBackend(transport), ending.signal)
  const told = (): number => transport.calls.filter(({ name }) => name === 'network.changed').length
  dispatchEvent(new Event('online'))
  expect(told()).toBe(1)
  ending.abort()
  dispatchEvent(new Event('online'))
  expect(told()).toBe(1)
})
