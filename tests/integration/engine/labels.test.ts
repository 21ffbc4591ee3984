import { describe, expect, it } from 'vitest'
import type { Thread } from '../../../src/shared/model.ts'
import { createLabelQuery } from '../../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import type { TestPlatform } from './support/test-platform.ts'

interface PlatformLabel {
  readonly id: string
  readonly name: string
  readonly color: string
}

const CRIMSON = '#E93D82'
const CYAN = '#00A2C7'

const openMailbox = async (baseUrlOf?: (platform: TestPlatform) => Promise<string>) => {
  const { platform, engine } = await openSynced({ generate: { threads: 40, seed: 7 } }, baseUrlOf)
  const { inboxId } = platform
  const items = await listCached(engine, inboxId, 'inbox')
  const threadIds = items.slice(0, 3).map(({ id }) => id)
  expect(threadIds).toHaveLength(3)
  return { platform, engine, inboxId, threadIds }
}

const onPlatform = async ({ ask, inboxId }: TestPlatform): Promise<readonly PlatformLabel[]> =>
  (await ask<{ data: PlatformLabel[] }>('GET', `/inboxes/${inboxId}/labels`)).data.map(({ id, name, color }) => ({
    id,
    name,
    color,
  }))
const make = async ({ ask, inboxId }: TestPlatform, name: string): Promise<string> =>
  (await ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name, color: CYAN })).id
const namesOf = (labels: readonly { readonly name: string }[]): readonly string[] => labels.map(({ name }) => name)
const labelsHere = (engine: TestEngine, inboxId: string) => engine.call('label.list', { inboxId })
const threadHere = async (engine: TestEngine, inboxId: string, threadId = ''): Promise<Thread> =>
  (await engine.call('thread.open', { inboxId, threadId })).thread
const requestsFor = (platform: TestPlatform, pattern: RegExp): readonly string[] =>
  platform.requests().filter((request) => pattern.test(request))
const labelRequests = (platform: TestPlatform): readonly string[] =>
  requestsFor(platform, /^(?:POST|PATCH|DELETE) \/inboxes\/[^/]+\/labels/)

const expectLabelsToBeEqual = async (engine: TestEngine, platform: TestPlatform): Promise<void> => {
  await engine.settled()
  await engine.call('sync.now', {})
  expect(await labelsHere(engine, platform.inboxId)).toEqual(await onPlatform(platform))
  await expectCacheEqualsPlatform(engine, platform)
}

/** Rejects all changes until the returned function is called. */
const holdChanges = async (platform: TestPlatform): Promise<() => Promise<void>> => {
  await platform.fault(...['POST', 'PATCH', 'DELETE'].map((method) => `error_503 ${method} /inboxes`))
  return () => platform.fault()
}

describe('a new label', () => {
  it('is used at once, offline and after a restart, and later gets the platform’s ID', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const release = await holdChanges(platform)
    const { labelId } = await engine.call('label.create', { inboxId, name: ' Receipts ', color: CRIMSON.toLowerCase() })
    await engine.call('thread.change', { inboxId, threadIds, change: { addLabels: [labelId] } })
    const query = createLabelQuery(inboxId, labelId)
    const expectHere = async (here: TestEngine): Promise<void> => {
      expect(await labelsHere(here, inboxId)).toContainEqual({ id: labelId, name: 'Receipts', color: CRIMSON })
      expect(namesOf((await threadHere(here, inboxId, threadIds[0])).labels)).toContain('Receipts')
      expect(await here.call('thread.list', { query, offset: 0, limit: 5 })).toMatchObject({ total: 3 })
    }
    await expectHere(engine)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    await expectHere(again)
    await release()
    await expectLabelsToBeEqual(again, platform)
    const [made] = (await onPlatform(platform)).filter(({ name }) => name === 'Receipts')
    expect(made).toMatchObject({ color: CRIMSON })
    const replaced = again.events('labels.changed').flatMap((event) => event.replaced)
    expect(replaced).toEqual([{ was: labelId, id: made?.id }])
    // A window that doesn't know the new ID yet may use the old one, and can look up the new one.
    expect(await again.call('label.usage', { inboxId, labelId })).toEqual({ labelId: made?.id, threads: 3 })
    expect(await again.call('thread.list', { query, offset: 0, limit: 5 })).toMatchObject({ total: 3 })
    await again.call('thread.change', { inboxId, threadIds, change: { removeLabels: [labelId] } })
    await again.call('label.update', { inboxId, labelId, name: 'Bills' })
    await expectLabelsToBeEqual(again, platform)
    expect(namesOf(await onPlatform(platform))).toContain('Bills')
  })

  it('is created with its latest name, or never sent if deleted', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const release = await holdChanges(platform)
    const kept = await engine.call('label.create', { inboxId, name: 'Kept', color: CRIMSON })
    const dropped = await engine.call('label.create', { inboxId, name: 'Dropped', color: CRIMSON })
    await engine.call('thread.change', {
      inboxId,
      threadIds,
      change: { addLabels: [kept.labelId, dropped.labelId] },
    })
    const sentBefore = labelRequests(platform).length
    await engine.call('label.update', { inboxId, labelId: kept.labelId, name: 'Kept well', color: CYAN })
    await engine.call('label.delete', { inboxId, labelId: dropped.labelId })
    expect(namesOf((await threadHere(engine, inboxId, threadIds[0])).labels)).not.toContain('Dropped')
    await release()
    await expectLabelsToBeEqual(engine, platform)
    const after = labelRequests(platform).slice(sentBefore)
    expect(after.filter((request) => /^(?:POST|DELETE) .* 200$/.test(request))).toEqual([
      `POST /inboxes/${inboxId}/labels 200`,
    ])
    expect(await onPlatform(platform)).toContainEqual(expect.objectContaining({ name: 'Kept well', color: CYAN }))
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('is created once if the response is lost or the engine stops', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    await platform.fault({ kind: 'lost', method: 'POST', path: `/inboxes/${inboxId}/labels`, times: 1 })
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Once', color: CRIMSON })
    await engine.call('thread.change', { inboxId, threadIds, change: { addLabels: [labelId] } })
    await expectLabelsToBeEqual(engine, platform)
    expect(labelRequests(platform)).toHaveLength(1)
    expect((await threadHere(engine, inboxId, threadIds[0])).labels).toContainEqual(
      expect.objectContaining({ name: 'Once' }),
    )
  })

  it('is merged with the same label of another client', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const release = await holdChanges(platform)
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Shared', color: CRIMSON })
    await engine.call('thread.change', { inboxId, threadIds, change: { addLabels: [labelId] } })
    await release()
    await engine.close()
    const theirs = await make(platform, 'Shared')
    const again = await openTestEngine(platform, engine.directory)
    await expectLabelsToBeEqual(again, platform)
    expect((await threadHere(again, inboxId, threadIds[0])).labels.map(({ id }) => id)).toContain(theirs)
    expect(await again.rollbackNotices()).toEqual([])
  })

  it('is removed from its threads with a notice if the platform rejects it', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox(
      async ({ baseUrl }) =>
        (
          await startRecordingProxy(baseUrl, ({ method, path }) =>
            method === 'POST' && path.endsWith('/labels') && !path.includes('/threads/')
              ? { status: 422, body: { statusCode: 422, name: 'validation_error', message: 'Not this one.' } }
              : null,
          )
        ).baseUrl,
    )
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Refused', color: CRIMSON })
    await engine.call('thread.change', { inboxId, threadIds, change: { addLabels: [labelId] } })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(
      namesOf(await engine.rollbackNotices().then((told) => told.map(({ message }) => ({ name: message })))),
    ).toEqual([expect.stringContaining('Not this one.')])
    expect(namesOf(await labelsHere(engine, inboxId))).not.toContain('Refused')
    expect(namesOf((await threadHere(engine, inboxId, threadIds[0])).labels)).not.toContain('Refused')
    await expectLabelsToBeEqual(engine, platform)
  })

  it('is rejected if its name is invalid or taken, or after a hundred labels', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    for (let count = (await onPlatform(platform)).length; count < 99; count += 1) await make(platform, `Label ${count}`)
    await engine.call('sync.now', {})
    const create = (name: string) => engine.problemOf('label.create', { inboxId, name, color: CRIMSON })
    expect(await create('Label 98')).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('already') as string,
    })
    expect(await create('  ')).toMatchObject({ code: 'invalid_input' })
    expect(await create('x'.repeat(65))).toMatchObject({ message: expect.stringContaining('64') as string })
    const { labelId } = await engine.call('label.create', { inboxId, name: 'The hundredth', color: CRIMSON })
    expect(await create('One more')).toMatchObject({ message: expect.stringContaining('100') as string })
    expect(await engine.problemOf('label.update', { inboxId, labelId, name: 'Label 98' })).toMatchObject({
      code: 'invalid_input',
    })
    await expectLabelsToBeEqual(engine, platform)
  })
})

describe('a deleted label', () => {
  const openWithLabel = async () => {
    const opened = await openMailbox()
    const { platform, engine, inboxId, threadIds } = opened
    const labelId = await make(platform, 'Old')
    for (const id of threadIds) {
      await platform.ask('POST', `/inboxes/${inboxId}/threads/${id}/labels`, { labels: [labelId] })
    }
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${threadIds[2] ?? ''}`, { folder: 'trash' })
    await engine.call('sync.now', {})
    return { ...opened, labelId }
  }
  const carriers = async ({ ask, inboxId }: TestPlatform, name: string, threadIds: readonly string[]) => {
    const found: string[] = []
    for (const id of threadIds) {
      const thread = await ask<{ labels: PlatformLabel[] }>('GET', `/inboxes/${inboxId}/threads/${id}`)
      if (namesOf(thread.labels).includes(name)) found.push(id)
    }
    return found
  }

  it('leaves all its threads, and undo restores it on all of them', async () => {
    const { platform, engine, inboxId, threadIds, labelId } = await openWithLabel()
    expect(await engine.call('label.usage', { inboxId, labelId })).toEqual({ labelId, threads: 3 })
    let { changeId } = await engine.call('label.delete', { inboxId, labelId })
    expect(namesOf(await labelsHere(engine, inboxId))).not.toContain('Old')
    expect(namesOf((await threadHere(engine, inboxId, threadIds[0])).labels)).not.toContain('Old')
    await expectLabelsToBeEqual(engine, platform)
    for (const expected of [threadIds, [], threadIds]) {
      const undone = await engine.call('change.undo', { changeId })
      if (!undone.undone) throw new Error('there was nothing to undo')
      ;({ changeId } = undone)
      expect(namesOf((await threadHere(engine, inboxId, threadIds[0])).labels).includes('Old')).toBe(
        expected.length > 0,
      )
      await expectLabelsToBeEqual(engine, platform)
      expect(await carriers(platform, 'Old', threadIds)).toEqual(expected)
    }
  })

  it('is restored with its name if undone before it was sent', async () => {
    const { platform, engine, inboxId, threadIds, labelId } = await openWithLabel()
    const release = await holdChanges(platform)
    await engine.call('label.update', { inboxId, labelId, name: 'Newer' })
    const { changeId } = await engine.call('label.delete', { inboxId, labelId })
    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    expect(namesOf((await threadHere(engine, inboxId, threadIds[0])).labels)).toContain('Newer')
    await release()
    await expectLabelsToBeEqual(engine, platform)
    expect(await carriers(platform, 'Newer', threadIds)).toEqual(threadIds)
    expect(requestsFor(platform, /^DELETE \S+ 200/)).toEqual([])
  })

  it('leaves every thread if deleted elsewhere, and drops its changes', async () => {
    const { platform, engine, inboxId, threadIds, labelId } = await openWithLabel()
    const release = await holdChanges(platform)
    await engine.call('label.update', { inboxId, labelId, name: 'Too late' })
    await engine.close()
    await release()
    await platform.ask('DELETE', `/inboxes/${inboxId}/labels/${labelId}`)
    const again = await openSettledEngine(platform, engine.directory)
    expect((await again.rollbackNotices()).map(({ message }) => message)).toEqual([
      expect.stringContaining('no longer has this label'),
    ])
    expect(await again.problemOf('label.update', { inboxId, labelId, name: 'Again' })).toMatchObject({
      code: 'not_found',
    })
    expect(
      await again.problemOf('thread.change', { inboxId, threadIds, change: { addLabels: [labelId] } }),
    ).toMatchObject({ code: 'not_found' })
    await expectLabelsToBeEqual(again, platform)
  })
})

describe('the labels of threads', () => {
  it('are set as one, with one undo', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const [one, two, three] = [await make(platform, '1'), await make(platform, '2'), await make(platform, '3')]
    await platform.ask('PUT', `/inboxes/${inboxId}/threads/${threadIds[0] ?? ''}/labels`, { labels: [one, two] })
    await platform.ask('PUT', `/inboxes/${inboxId}/threads/${threadIds[1] ?? ''}/labels`, { labels: [two] })
    await engine.call('sync.now', {})
    const before = (await threadHere(engine, inboxId, threadIds[0])).labels
    const { changeId } = await engine.call('thread.change', { inboxId, threadIds, change: { setLabels: [two, three] } })
    await engine.settled()
    for (const id of threadIds) {
      expect(namesOf((await threadHere(engine, inboxId, id)).labels).toSorted()).toEqual(['2', '3'])
    }
    await expectLabelsToBeEqual(engine, platform)
    await engine.call('change.undo', { changeId })
    expect((await threadHere(engine, inboxId, threadIds[0])).labels.map(({ id }) => id).toSorted()).toEqual(
      before.map(({ id }) => id).toSorted(),
    )
    await expectLabelsToBeEqual(engine, platform)
  })
})
