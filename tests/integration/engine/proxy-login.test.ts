import { expect, it } from 'vitest'
import { DIRECT_ROUTE, type ProxyRoute } from '../../../src/shared/proxy.ts'
import { startHttpProxy } from '../../support/proxies.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine } from './support/test-engine.ts'

const open = async () => {
  const { platform, engine: before } = await openSynced({ generate: { threads: 3, seed: 4 } })
  await before.close()
  let way: ProxyRoute = DIRECT_ROUTE
  const engine = await openSettledEngine(platform, before.directory, undefined, () => Promise.resolve([way]))
  return {
    platform,
    engine,
    go: async (by: ProxyRoute): Promise<void> => {
      way = by
      await engine.link.proxyChanged()
    },
  }
}

it('reports a proxy that wants a login, and sends everything queued after it', async () => {
  const { platform, engine, go } = await open()
  const { inboxId } = platform
  const proxy = await startHttpProxy({ login: 'mara:s3cret' })
  const by = (login: string): ProxyRoute => proxy.url.replace('//', `//${login}`)

  await go(by(''))
  const items = await listCached(engine, inboxId, 'inbox')
  const change = { inboxId, threadIds: items.map(({ id }) => id), change: { folder: 'archive' } } as const
  await engine.call('thread.change', change)
  expect(await engine.problemOf('sync.now', {})).toMatchObject({
    code: 'unreachable',
    message: `The proxy ${proxy.url} requires a name and password.`,
    details: { proxyAsks: proxy.url },
  })
  expect(await engine.status()).toMatchObject({
    connection: 'offline',
    problem: `The proxy ${proxy.url} requires a name and password.`,
    proxyNeedingLogin: { address: proxy.url, name: null },
    pendingChanges: 1,
  })

  await go(by('mara:wrong@'))
  expect(await engine.problemOf('sync.now', {})).toMatchObject({ details: { proxyAsks: proxy.url, proxyName: 'mara' } })
  await eventually(engine.status, ({ proxyNeedingLogin }) => proxyNeedingLogin?.name === 'mara')
  // Only one of the queued requests tried the credentials.
  expect(proxy.declined).toEqual(['mara:wrong'])
  expect((await engine.status()).problem).toBe(`The proxy ${proxy.url} did not accept this name and password.`)

  await go(by('mara:s3cret@'))
  const status = await engine.settled()
  expect(status).toMatchObject({ connection: 'online', problem: null, pendingChanges: 0 })
  expect(status).not.toHaveProperty('proxyNeedingLogin')
  expect(await platform.ask('GET', `/inboxes/${inboxId}/threads/${items[0]?.id ?? ''}`)).toMatchObject({
    folder: 'archive',
  })
  expect(proxy.declined).toEqual(['mara:wrong'])
})

it('names an unreachable proxy, without asking for a login', async () => {
  const { engine, go } = await open()
  const proxy = await startHttpProxy()
  await proxy.stop()
  await go(proxy.url)
  await engine.problemOf('sync.now', {})
  const status = await engine.status()
  expect(status).toMatchObject({
    connection: 'offline',
    problem: `The proxy ${proxy.url} does not answer. Check your proxy settings, or try again later.`,
  })
  expect(status).not.toHaveProperty('proxyNeedingLogin')
  await go(DIRECT_ROUTE)
  await engine.settled()
})
