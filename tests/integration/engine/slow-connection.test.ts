import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it, onTestFinished } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { startRelay } from '../../support/relay.ts'
import { eventually } from './support/eventually.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const MESSAGES = 8

/** Log of threads whose e-mails were requested and received, in order, such as `asked th_1` and `came th_1`. */
const watchBodies = (): readonly string[] => {
  const seen: string[] = []
  const noteAs =
    (word: string) =>
    (message: unknown): void => {
      const { path } = (message as { readonly request: { readonly path: string } }).request
      const thread = /\/threads\/([^/]+)\/emails/.exec(path)?.[1]
      if (thread !== undefined) seen.push(`${word} ${thread}`)
    }
  for (const [channel, word] of [
    ['undici:client:sendHeaders', 'asked'],
    ['undici:request:trailers', 'came'],
  ] as const) {
    const note = noteAs(word)
    subscribe(channel, note)
    onTestFinished(() => void unsubscribe(channel, note))
  }
  return seen
}

it('answers a click before prefetching over a slow connection', async () => {
  const platform = await startTestPlatform()
  for (let number = 0; number < MESSAGES; number += 1) {
    await platform.deliver({
      subject: `Report ${number}`,
      text: 'Ten words that nobody has to read in any hurry.\n'.repeat(400),
    })
  }
  const relay = await startRelay(platform.baseUrl, { bytesPerSecond: 16_000, delayMs: 50 })
  const seen = watchBodies()
  const engine = await openTestEngine({ baseUrl: relay.url, apiKey: platform.apiKey })
  const { inboxId } = platform
  const count = (word: string): number => seen.filter((each) => each.startsWith(word)).length
  // The first body shows whether there are any. The next ones are fetched as bandwidth allows.
  await eventually(
    () => count('asked'),
    (asked) => asked >= 2,
  )
  const query = createFolderQuery(inboxId, 'inbox')
  const { items } = await engine.call('thread.list', { query, offset: 0, limit: MESSAGES })
  const threadId = items.at(MESSAGES - 1)?.id ?? ''

  const before = new Set(seen.filter((each) => each.startsWith('came')))
  await engine.call('thread.open', { inboxId, threadId })
  await eventually(
    () => seen,
    () => seen.includes(`came ${threadId}`),
  )
  const asked = seen.slice(0, seen.indexOf(`came ${threadId}`)).filter((each) => each.startsWith('asked'))
  const besides = asked.filter((each) => each !== `asked ${threadId}` && !before.has(each.replace('asked', 'came')))
  // Either one request was in flight, or one finished and another started just before the click.
  expect(besides.length).toBeLessThanOrEqual(2)
  await eventually(
    () => count('came'),
    (all) => all === MESSAGES,
  )
})
