import { openSettledEngine, type TestEngine } from './test-engine.ts'
import type { TestPlatform } from './test-platform.ts'

/** Nobody listens there. Events are logged whatever an endpoint answers. */
const ENDPOINT = 'http://127.0.0.1:9/hook'
export const EVENTS = [
  ...['inbox.created', 'inbox.updated', 'inbox.deleted', 'inbox.email.received', 'inbox.email.sent'],
  ...['inbox.thread.created', 'inbox.thread.folder.updated', 'inbox.thread.labels.updated'],
  ...['inbox.thread.assigned', 'inbox.thread.unassigned'],
  ...['inbox.draft.created', 'inbox.draft.updated', 'inbox.draft.deleted', 'inbox.draft.sent'],
  ...['email.sent', 'email.delivered', 'email.bounced', 'email.received'],
]

export const createWebhook = async (platform: TestPlatform, events = EVENTS): Promise<string> =>
  (await platform.ask<{ id: string }>('POST', '/webhooks', { endpoint: ENDPOINT, events })).id

/** An engine that reads the log, with the focus, right after a read. */
export const openFedEngine = async (platform: Pick<TestPlatform, 'baseUrl' | 'apiKey'>): Promise<TestEngine> => {
  const engine = await openSettledEngine(platform)
  await engine.call('window.activity', { activity: 'focused' })
  await engine.advance(5_000)
  await engine.advance(20_000)
  return engine
}

export const countRequests = async (
  platform: TestPlatform,
  work: () => Promise<unknown>,
): Promise<readonly string[]> => {
  const before = platform.requests().length
  await work()
  return platform.requests().slice(before)
}
