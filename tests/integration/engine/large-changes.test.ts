import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import type { CommandInput } from '../../../src/shared/contract.ts'
import { folderQuery, labelQuery } from '../../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { searchFor } from './support/searches.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const THREADS = 260
/** `SUDDEN_ENDS=100` ends it as often as was meant. */
const ENDS = Number(process.env.SUDDEN_ENDS ?? 6)

const openMailbox = async () => {
  const platform = await startTestPlatform({}, { generate: { threads: THREADS, seed: 5 } })
  const engine = await openTestEngine(platform)
  await engine.settled()
  return { platform, engine, inboxId: platform.inboxId }
}

type Matching = Extract<CommandInput<'thread.change'>, { readonly matching: unknown }>

const listOf = (engine: TestEngine, query: Matching['matching']['query']) =>
  engine.call('thread.list', { query, offset: 0, limit: 200 })

/** All that a list holds now, but some. */
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

describe('a change of all that a list holds', () => {
  it('reaches threads that were never read by a window, save those that are left out, and is undone as one', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const inbox = folderQuery(inboxId, 'inbox')
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
    expect(await engine.takenBack()).toEqual([])
  })

  it('leaves alone what came in after it was chosen, and what cannot be moved there', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const all = searchFor(inboxId, { folders: ['inbox', 'sent'] })
    const { items } = await listOf(engine, folderQuery(inboxId, 'inbox'))
    const upTo = items[0]?.receivedAt ?? 0
    await platform.deliver({ subject: 'Too late' })
    await engine.call('sync.now', {})
    const sent = (await listOf(engine, folderQuery(inboxId, 'sent'))).items.filter(({ folder }) => folder === 'sent')
    await engine.call('thread.change', everything(all, { folder: 'spam' }, { upTo }))
    expect((await listOf(engine, folderQuery(inboxId, 'inbox'))).items).toMatchObject([{ subject: 'Too late' }])
    const still = (await listOf(engine, folderQuery(inboxId, 'sent'))).items
    expect(still.map(({ id }) => id)).toEqual(expect.arrayContaining(sent.map(({ id }) => id)))
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('answers with how many threads it has changed, those that were so already left out', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const archived = await listOf(engine, folderQuery(inboxId, 'archive'))
    const [first, second] = archived.items.map(({ id }) => id)
    const { threads } = await engine.call(
      'thread.change',
      everything(searchFor(inboxId, { folders: ['inbox', 'archive', 'sent'] }), { folder: 'archive' }),
    )
    const after = await listOf(engine, folderQuery(inboxId, 'archive'))
    expect(threads).toBe(after.total - archived.total)
    const again = { inboxId, threadIds: [first ?? '', second ?? ''], change: { folder: 'archive' as const } }
    expect(await engine.call('thread.change', again)).toMatchObject({ threads: 0 })
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('acts on what a search finds, and on a label, and puts labels on and off', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Swept', color: '#123456' })
    const everywhere = searchFor(inboxId, { folders: ['inbox', 'archive'] })
    const found = await eventually(
      () => listOf(engine, everywhere),
      ({ hasMore, total }) => !hasMore || total >= 200,
    )
    const { threads } = await engine.call('thread.change', everything(everywhere, { addLabels: [labelId] }))
    expect(threads).toBeGreaterThanOrEqual(found.total)
    expect((await listOf(engine, labelQuery(inboxId, labelId))).total).toBe(threads)
    await engine.settled()
    const [label] = (await engine.call('label.list', { inboxId })).filter(({ name }) => name === 'Swept')
    const labelled = labelQuery(inboxId, label?.id ?? '')
    expect((await listOf(engine, labelled)).total).toBe(threads)
    await engine.call('thread.change', everything(labelled, { removeLabels: [label?.id ?? ''] }))
    expect((await listOf(engine, labelled)).total).toBe(0)
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('that is cancelled keeps what the platform has confirmed and takes back the rest', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const inbox = folderQuery(inboxId, 'inbox')
    const before = await listOf(engine, inbox)
    await platform.fault({ kind: 'delay', method: 'PATCH', delay_ms: 100 })
    const { changeId } = await engine.call('thread.change', everything(inbox, { folder: 'archive' }))
    const { threads } = await engine.call('change.cancel', { changeId })
    await platform.fault()
    expect(threads).toBeLessThan(before.total)
    expect((await listOf(engine, inbox)).total).toBe(before.total - threads)
    await engine.settled()
    await eventually(() => isOver(engine), Boolean)
    await expectCacheEqualsPlatform(engine, platform)
    expect((await engine.problemOf('change.cancel', { changeId })).code).toBe('not_found')
  })

  it('does not keep a person’s own change waiting', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    const inbox = folderQuery(inboxId, 'inbox')
    const { items, total } = await listOf(engine, inbox)
    const [own] = items
    await platform.fault({ kind: 'delay', method: 'PATCH', delay_ms: 100 })
    await engine.call('thread.change', everything(inbox, { folder: 'archive' }, { except: [own?.id ?? ''] }))
    await engine.call('thread.change', { inboxId, threadIds: [own?.id ?? ''], change: { folder: 'trash' } })
    const path = `PATCH /inboxes/${inboxId}/threads/${own?.id ?? ''} 200`
    await eventually(
      () => Promise.resolve(platform.requests()),
      (requests) => requests.includes(path),
    )
    expect((await engine.status()).pendingChanges).toBeGreaterThan(total / 4)
    await platform.fault()
    await engine.settled()
  })
})

/** Lets an engine change all of a folder, and ends it with SIGKILL a moment after it has said so much. */
const sweepAndDie = async (args: readonly string[], lines: number): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support', 'sweeping-engine.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  const hasSaid = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line)
      if (said.length >= lines) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The engine ended by itself with ${String(code)}.`)))
  })
  await hasSaid
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.kill('SIGKILL')
  await ended
  return said
}

describe('an engine that is ended in the middle of a change of many threads', () => {
  it(`has all of it or nothing after each of ${ENDS} ends, and the platform ends in the same state`, async () => {
    const { platform, engine: first, inboxId } = await openMailbox()
    const { directory } = first
    const totals = async (engine: TestEngine): Promise<readonly number[]> =>
      Promise.all(
        (['inbox', 'archive'] as const).map(
          async (folder) => (await listOf(engine, folderQuery(inboxId, folder))).total,
        ),
      )
    const all = (await totals(first)).reduce((sum, total) => sum + total, 0)
    // From now on one of the two holds everything.
    await first.call('thread.change', everything(folderQuery(inboxId, 'archive'), { folder: 'inbox' }))
    await first.close()
    const args = [platform.baseUrl, platform.apiKey, directory, inboxId]
    for (let end = 0; end < ENDS; end += 1) {
      const said = await sweepAndDie(args, 2 + Math.floor(Math.random() * 6))
      expect(said.filter((line) => line.startsWith('failed'))).toEqual([])
      const engine = await openTestEngine(platform, directory)
      // What was begun is gone on with.
      const [inbox = 0, archive = 0] = await eventually(
        () => totals(engine),
        (counts) => counts.includes(0),
      )
      expect(inbox + archive).toBe(all)
      const last = said.findLast((line) => line.startsWith('taken') || line.startsWith('ask')) ?? ''
      const { to = '' } = JSON.parse(last.slice(last.indexOf(' '))) as { to?: string }
      if (last.startsWith('taken')) expect(to === 'inbox' ? inbox : archive).toBe(all)
      await engine.close()
    }
    const engine = await openTestEngine(platform, directory)
    await engine.settled()
    await eventually(() => isOver(engine), Boolean)
    await engine.call('sync.now', {})
    await engine.settled()
    expect(await engine.takenBack()).toEqual([])
    await expectCacheEqualsPlatform(engine, platform)
  })
})
