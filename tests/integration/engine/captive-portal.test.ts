import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { forwardRequest, listenOnLoopback } from '../../support/loopback-server.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { openTestEngine } from './support/test-engine.ts'

const WORDS = 'This network wants you to sign in first.'
const ANY_PAGE = /^http:\/\/[a-z.]+\/$/
const SUBJECT = 'After the sign-in'

type Instead = (outgoing: ServerResponse) => void

const showPage =
  (status: number): Instead =>
  (outgoing) =>
    outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><h1>Harbour Hotel</h1>')

/** A synced account on a network that may intercept responses. */
const open = async () => {
  let instead: Instead | null = null
  const keys: (string | undefined)[] = []
  // Uses a name, so that the host differs from the platform's.
  const portal = (
    await listenOnLoopback((incoming, outgoing) => {
      keys.push(incoming.headers.authorization)
      showPage(200)(outgoing)
    })
  ).replace('127.0.0.1', 'localhost')
  let baseUrl = ''
  const { platform, engine } = await openSynced({ generate: { threads: 3, seed: 4 } }, async (behind) => {
    baseUrl = await listenOnLoopback((incoming, outgoing) =>
      instead === null ? forwardRequest(incoming, outgoing, behind.baseUrl, {}) : instead(outgoing),
    )
    return baseUrl
  })
  await engine.settled()
  return {
    platform,
    engine,
    baseUrl,
    portal,
    /** API keys that reached the redirect's target. */
    keys,
    answer: (next: Instead | null) => (instead = next),
  }
}

type Opened = Awaited<ReturnType<typeof open>>

it.each<readonly [string, (opened: Opened) => Instead, (opened: Opened) => string | RegExp]>([
  [
    'a redirect',
    ({ portal }) =>
      (outgoing) =>
        outgoing.writeHead(302, { location: `${portal}/login` }).end(),
    ({ portal }) => `${portal}/login`,
  ],
  ['a page', () => showPage(200), () => ANY_PAGE],
  ['the status for it', () => showPage(511), () => ANY_PAGE],
])('reports a network sign-in by %s, sends no key, and resumes afterwards', async (_name, instead, page) => {
  const opened = await open()
  const { platform, engine, keys, answer } = opened
  const { inboxId } = platform
  const query = createFolderQuery(inboxId, 'inbox')
  const { items } = await engine.call('thread.list', { query, offset: 0, limit: 1 })
  answer(instead(opened))
  const change = { inboxId, threadIds: items.map(({ id }) => id), change: { folder: 'archive' } } as const
  await engine.call('thread.change', change)
  expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'unreachable', message: WORDS })
  const expectSaid = async (): Promise<void> => {
    const status = await engine.status()
    expect(status).toMatchObject({ connection: 'offline', problem: WORDS, pendingChanges: 1 })
    expect(status.signInPage).toMatch(page(opened))
  }
  await expectSaid()
  await engine.link.setKey('test', { apiKey: platform.apiKey, isAccepted: false })
  await engine.problemOf('sync.now', {})
  await expectSaid()
  expect(keys).toEqual([])

  await platform.deliver({ from: 'mara@fjord.example', to: platform.inboxAddress, subject: SUBJECT, text: 'Hello' })
  answer(null)
  const status = await engine.settled()
  expect(status).toMatchObject({ connection: 'online', problem: null })
  expect(status).not.toHaveProperty('signInPage')
  await eventually(
    () => engine.call('thread.list', { query, offset: 0, limit: 5 }),
    (list) => list.items.some(({ subject }) => subject === SUBJECT),
  )
})

it('reports a sign-in page from the start for an account opened behind it', async () => {
  const { platform, engine, baseUrl, answer } = await open()
  await engine.close()
  answer(showPage(200))
  const again = await openTestEngine({ baseUrl, apiKey: platform.apiKey }, engine.directory)
  await eventually(again.status, ({ signInPage }) => signInPage !== undefined)
  answer(null)
  await again.settled()
})

it('reports an error page of the platform’s own proxy as platform trouble', async () => {
  const { engine, answer } = await open()
  answer(showPage(502))
  expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'platform_failed' })
  const status = await engine.status()
  expect(status.connection).toBe('online')
  expect(status).not.toHaveProperty('signInPage')
})
