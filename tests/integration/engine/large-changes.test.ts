import { describe, expect, it } from 'vitest'
import type { CommandInput } from '../../../src/shared/contract.ts'
import { createFolderQuery, createLabelQuery } from '../../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { searchFor } from './support/searches.ts'
import { openSynced } from './support/synced-account.ts'
import type { TestEngine } from './support/test-engine.ts'

const THREADS = 260

const openMailbox = async () => {
  const { platform, engine } = await openSynced({ generate: { threads: THREADS, seed: 5 } })
  return { platform, engine, inboxId: platform.inboxId }
}

type Matching = Extract<CommandInput<'thread.change'>, { readonly matching: unknown }>

const listOf = (engine: TestEngine, query: Matching['matching']['query']) =>
  engine.call('thread.list', { query, offset: 0, limit: 200 })

/** All current threads of a list, except some. */
const everything = (
  query: Matching['matching']['query'],
  change: Matching['change'],
  more: Partial<Matching['matching']> = {},
): Matching => ({
  inboxId: query.inboxIds[0] ?? '',
  matching: { query, upTo: Date.now() + 1e12, except: [], ...more },
  change,
})

const isOver = async (engine: TestEngine): Promise<boolean> => (await engine.call('change.underWay', {})).length === 0

describe('a change of an entire list', () => {
  it('includes threads not loaded in a window, with exceptions and one undo', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const inbox = createFolderQuery(inboxId, 'inbox')
    const before = await listOf(engine, inbox)
    expect(before.total).toBeGreaterThan(100)
    const [left] = before.items
    const { changeId, threads, isWhole } = await engine.call(
      'thread.change',
      everything(inbox, { folder: 'trash' }, { except: [left?.id ?? ''] }),
    )
    expect({ threads, isWhole }).toEqual({ threads: before.total - 1, isWhole: true })
    expect((await listOf(engine, inbox)).items.map(({ id }) => id)).toEqual([left?.id])
    await engine.settled()
    await eventually(() => isOver(engine), Boolean)
    await expectCacheEqualsPlatform(engine, platform)
    expect(engine.events('changes.progressed').length).toBeGreaterThan(0)

    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    expect((await listOf(engine, inbox)).items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id))
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('skips later mail and threads that can’t be moved', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const all = searchFor(inboxId, { folders: ['inbox', 'sent'] })
    const { items } = await listOf(engine, createFolderQuery(inboxId, 'inbox'))
    const upTo = items[0]?.receivedAt ?? 0
    await platform.deliver({ subject: 'Too late' })
    await engine.call('sync.now', {})
    const sent = (await listOf(engine, createFolderQuery(inboxId, 'sent'))).items.filter(
      ({ folder }) => folder === 'sent',
    )
    await engine.call('thread.change', everything(all, { folder: 'spam' }, { upTo }))
    expect((await listOf(engine, createFolderQuery(inboxId, 'inbox'))).items).toMatchObject([{ subject: 'Too late' }])
    const still = (await listOf(engine, createFolderQuery(inboxId, 'sent'))).items
    expect(still.map(({ id }) => id)).toEqual(expect.arrayContaining(sent.map(({ id }) => id)))
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('returns the number of threads that it changed', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const archived = await listOf(engine, createFolderQuery(inboxId, 'archive'))
    const [first, second] = archived.items.map(({ id }) => id)
    const { threads } = await engine.call(
      'thread.change',
      everything(searchFor(inboxId, { folders: ['inbox', 'archive', 'sent'] }), { folder: 'archive' }),
    )
    const after = await listOf(engine, createFolderQuery(inboxId, 'archive'))
    expect(threads).toBe(after.total - archived.total)
    const again = { inboxId, threadIds: [first ?? '', second ?? ''], change: { folder: 'archive' as const } }
    expect(await engine.call('thread.change', again)).toMatchObject({ threads: 0 })
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('applies to search results and labels, and adds or removes labels', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Swept', color: '#123456' })
    const everywhere = searchFor(inboxId, { folders: ['inbox', 'archive'] })
    const found = await eventually(
      () => listOf(engine, everywhere),
      ({ hasMore, total }) => !hasMore || total >= 200,
    )
    const { threads } = await engine.call('thread.change', everything(everywhere, { addLabels: [labelId] }))
    expect(threads).toBeGreaterThanOrEqual(found.total)
    expect((await listOf(engine, createLabelQuery(inboxId, labelId))).total).toBe(threads)
    await engine.settled()
    const [label] = (await engine.call('label.list', { inboxId })).filter(({ name }) => name === 'Swept')
    const labelled = createLabelQuery(inboxId, label?.id ?? '')
    expect((await listOf(engine, labelled)).total).toBe(threads)
    await engine.call('thread.change', everything(labelled, { removeLabels: [label?.id ?? ''] }))
    expect((await listOf(engine, labelled)).total).toBe(0)
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })
})
