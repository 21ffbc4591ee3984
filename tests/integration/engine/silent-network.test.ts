import { expect, it, vi } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { startRelay } from '../../support/relay.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const SUBJECT = 'After the lid'

const open = async () => {
  const platform = await startTestPlatform()
  const relay = await startRelay(platform.baseUrl)
  const engine = await openSettledEngine({ baseUrl: relay.url, apiKey: platform.apiKey })
  const subjects = async (): Promise<readonly string[]> => {
    const query = createFolderQuery(platform.inboxId, 'inbox')
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 10 })
    return items.map(({ subject }) => subject ?? '')
  }
  relay.silence()
  await platform.deliver({ from: 'mara@fjord.example', to: platform.inboxAddress, subject: SUBJECT, text: 'Hello' })
  return { engine, relay, subjects }
}

it('opens new connections for a user request when the old ones are silent', async () => {
  const { engine, subjects } = await open()
  await engine.call('sync.now', {})
  expect(await subjects()).toEqual([SUBJECT])
  expect((await engine.status()).connection).toBe('online')
})

it('fetches mail automatically after a network change', async () => {
  const { engine, subjects } = await open()
  await engine.link.networkChanged()
  // The message arrives sooner than with the next regular poll.
  await vi.waitFor(async () => expect(await subjects()).toEqual([SUBJECT]), { timeout: 8_000, interval: 50 })
})
