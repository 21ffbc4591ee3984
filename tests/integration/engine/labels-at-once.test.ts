import { describe, expect, it } from 'vitest'
import { startRecordingProxy, type ResponseOverride } from './support/recording-proxy.ts'
import { listCached } from './support/compare-with-platform.ts'
import { openSynced } from './support/synced-account.ts'

const COLOR = '#00A2C7'

/** A thread with the first three of six labels, on a platform behind a recording proxy. */
const open = async (instead?: ResponseOverride) => {
  let door: Awaited<ReturnType<typeof startRecordingProxy>> | null = null
  const { platform, engine } = await openSynced({ generate: { threads: 20, seed: 7 } }, async (behind) => {
    door = await startRecordingProxy(behind.baseUrl, instead)
    return door.baseUrl
  })
  const { inboxId, ask } = platform
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
    ids.push((await ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name, color: COLOR })).id)
  }
  const items = await listCached(engine, inboxId, 'inbox')
  const threadId = items[0]?.id ?? ''
  const path = `/inboxes/${inboxId}/threads/${threadId}`
  await ask('PUT', `${path}/labels`, { labels: ids.slice(0, 3) })
  await engine.call('sync.now', {})
  await engine.call('thread.open', { inboxId, threadId })
  await engine.settled()
  const before = platform.requests().length
  return {
    platform,
    engine,
    path,
    ids,
    /** @returns the ID of the change */
    change: async (change: { readonly addLabels?: string[]; readonly removeLabels?: string[] }): Promise<string> =>
      (await engine.call('thread.change', { inboxId, threadIds: [threadId], change })).changeId,
    colleague: (method: string, tail: string, body?: unknown) => ask(method, `${path}/labels${tail}`, body),
    there: async (): Promise<readonly string[]> =>
      (await ask<{ labels: readonly { name: string }[] }>('GET', path)).labels.map(({ name }) => name).toSorted(),
    here: async (): Promise<readonly string[]> =>
      (await engine.call('thread.open', { inboxId, threadId })).thread.labels.map(({ name }) => name).toSorted(),
    sent: (): readonly string[] =>
      (door?.changes() ?? []).map(({ method, path: at, status }) => `${method} ${at.slice(path.length)} ${status}`),
    asked: (): readonly string[] =>
      platform
        .requests()
        .slice(before)
        .filter((request) => request.includes(path)),
  }
}

describe('several labels of a thread', () => {
  it('are set with one read and one change, keeping a colleague’s edits', async () => {
    const { engine, ids, change, colleague, there, here, sent, asked, path } = await open()
    const [one, two, three, four, five, six] = ids
    await colleague('POST', '', { labels: [six] })
    await colleague('DELETE', `/${three ?? ''}`)
    const seen = asked().length
    const changeId = await change({ addLabels: [four ?? '', five ?? ''], removeLabels: [one ?? '', two ?? ''] })
    await engine.settled()
    expect(asked().slice(seen)).toEqual([`GET ${path} 200`, `PUT ${path}/labels 200`])
    expect(sent()).toEqual(['PUT /labels 200'])
    expect(await there()).toEqual(['Five', 'Four', 'Six'])
    expect(await here()).toEqual(['Five', 'Four', 'Six'])

    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    await engine.settled()
    expect(await there()).toEqual(['One', 'Six', 'Two'])
    expect(await here()).toEqual(['One', 'Six', 'Two'])
    expect(sent()).toEqual(['PUT /labels 200', 'PUT /labels 200'])
  })

  it('are changed one by one without a read if that takes no more requests', async () => {
    const { engine, ids, change, there, sent } = await open()
    await change({ addLabels: ids.slice(3), removeLabels: ids.slice(0, 1) })
    await engine.settled()
    expect(sent()).toEqual([expect.stringMatching(/^(?:POST|DELETE) /), expect.stringMatching(/^(?:POST|DELETE) /)])
    expect(await there()).toEqual(['Five', 'Four', 'Six', 'Three', 'Two'])
  })

  it('are removed together, including the last', async () => {
    const { engine, ids, change, there, sent } = await open()
    await change({ removeLabels: ids.slice(0, 3) })
    await engine.settled()
    expect(sent()).toEqual(['PUT /labels 200'])
    expect(await there()).toEqual([])
  })

  it.each([404, 405, 422])(
    'are changed one by one after a %d, and later ones too if setting is unsupported',
    async (status) => {
      const { engine, ids, change, colleague, there, here, sent } = await open(({ method }) =>
        method === 'PUT' ? { status, body: { statusCode: status, name: 'error', message: 'No.' } } : null,
      )
      await colleague('POST', '', { labels: ids.slice(5) })
      await change({ removeLabels: ids.slice(0, 3) })
      await engine.settled()
      expect(await there()).toEqual(['Six'])
      expect(await here()).toEqual(['Six'])
      expect(sent().map((each) => each.split(' ')[0])).toEqual(['DELETE', 'DELETE', 'DELETE'])
    },
  )

  it('are all applied except one that is gone', async () => {
    const { engine, platform, ids, change, there } = await open()
    await platform.ask('DELETE', `/inboxes/${platform.inboxId}/labels/${ids[4] ?? ''}`)
    await change({ addLabels: ids.slice(3, 5), removeLabels: ids.slice(0, 2) })
    await engine.settled()
    expect(await there()).toEqual(['Four', 'Three'])
  })

  it('are read after a lost response, and not set twice', async () => {
    const { engine, platform, ids, change, colleague, there, here, path, asked } = await open()
    await platform.fault({ kind: 'lost', method: 'PUT', path, times: 1 })
    await change({ removeLabels: ids.slice(0, 3) })
    await engine.advance(1_000)
    // The lost request isn't repeated over the colleague's change.
    await colleague('POST', '', { labels: ids.slice(5) })
    await engine.settled()
    expect(asked().filter((request) => request.startsWith('PUT'))).toHaveLength(1)
    await engine.call('sync.now', {})
    expect(await there()).toEqual(['Six'])
    expect(await here()).toEqual(['Six'])
  })
})
