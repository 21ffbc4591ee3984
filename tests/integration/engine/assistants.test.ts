/** Assistant commands of windows, on an account file that assistant servers also write. */
import { describe, expect, it } from 'vitest'
import { hadAssistantAccess, joinAssistantStore, type AssistantStore } from '../../../src/engine/own/assistant-store.ts'
import {
  MAX_CALLS_PER_PAGE,
  NO_ASSISTANT_ACCESS,
  PROPOSAL_LIMITS,
  type AssistantAccess,
} from '../../../src/shared/assistants.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const asServer = <Value>(directory: string, write: (store: AssistantStore) => Value): Value => {
  const joined = joinAssistantStore(directory)
  try {
    return write(joined.store)
  } finally {
    joined.close()
  }
}

const open = async () => {
  const platform = await startTestPlatform()
  const directory = temporaryDirectory()
  const engine = await openSettledEngine(platform, directory)
  const { inboxId } = platform
  // `satisfies` keeps the types mutable, as contract inputs need.
  const access = {
    folders: [
      { inboxId, folder: 'inbox' as const },
      { inboxId, folder: 'sent' as const },
    ],
    lists: ['contacts' as const],
  } satisfies AssistantAccess
  return { platform, directory, engine, inboxId, access }
}
/** Waits until windows are notified. @param before earlier notifications */
const toldAfter = (engine: TestEngine, before: number) =>
  eventually(
    () => engine.events('assistants.changed').length,
    (told) => told > before,
  )

const call = (asked: string) => ({
  ...{ at: 1, client: 'Helper', tool: 'search_mail', asked, answer: '3 threads', isRefused: false },
})
const move = (inboxId: string, ...threadIds: readonly string[]) => ({
  ...{ at: 1, client: 'Helper', inboxId, reason: 'They are done.' },
  change: { kind: 'move' as const, threadIds, folder: 'archive' as const },
})

describe('the access of assistants', () => {
  it('is none until enabled, and then survives restarts', async () => {
    const { platform, directory, engine, access } = await open()
    expect(await engine.call('assistant.access', {})).toEqual(NO_ASSISTANT_ACCESS)
    expect(await engine.call('assistant.calls', { before: null, limit: 10 })).toEqual([])
    expect(await engine.call('assistant.proposals', {})).toEqual([])
    await engine.call('assistant.setAccess', { folders: [], lists: [] })
    expect(hadAssistantAccess(directory)).toBe(false)
    expect(engine.events('assistants.changed')).toEqual([])
    await engine.call('assistant.setAccess', access)
    await toldAfter(engine, 0)
    await engine.close()
    const again = await openTestEngine(platform, directory)
    expect(await again.call('assistant.access', {})).toEqual(access)
    await again.call('assistant.setAccess', { folders: [], lists: [] })
    expect(asServer(directory, (file) => file.access())).toEqual(NO_ASSISTANT_ACCESS)
  })

  it('is bounded and rejects unknown values', async () => {
    const { engine, inboxId, access } = await open()
    const folders = Array.from({ length: 10_001 }, (_none, at) => ({
      inboxId: `inbox-${at}`,
      folder: 'inbox' as const,
    }))
    const wrong: readonly unknown[] = [
      { folders, lists: [] },
      { folders: [{ inboxId, folder: 'everything' }], lists: [] },
      { ...access, lists: ['passwords'] },
      { ...access, more: true },
      { folders: [] },
    ]
    for (const each of wrong) {
      expect((await engine.problemOf('assistant.setAccess', each as typeof access)).code).toBe('invalid_input')
    }
    expect(await engine.call('assistant.access', {})).toEqual(NO_ASSISTANT_ACCESS)
    await engine.call('assistant.setAccess', { folders: folders.slice(1), lists: [] })
    expect((await engine.call('assistant.access', {})).folders).toHaveLength(10_000)
  })

  it('is separate per account', async () => {
    const [one, other] = [await open(), await open()]
    await one.engine.call('assistant.setAccess', one.access)
    asServer(one.directory, (file) => {
      file.note(call('fog'))
      file.propose(move(one.inboxId, 'thread'))
    })
    expect(await other.engine.call('assistant.access', {})).toEqual(NO_ASSISTANT_ACCESS)
    expect(await other.engine.call('assistant.proposals', {})).toEqual([])
    expect(hadAssistantAccess(other.directory)).toBe(false)
    await other.engine.call('assistant.setAccess', other.access)
    await other.engine.call('assistant.clearCalls', {})
    expect(await one.engine.call('assistant.calls', { before: null, limit: 10 })).toHaveLength(1)
  })
})

describe('the calls of assistants', () => {
  it('are read in pages, newest first, and cleared', async () => {
    const { directory, engine, access } = await open()
    await engine.call('assistant.setAccess', access)
    asServer(directory, (file) => {
      for (let at = 1; at <= 25; at += 1) file.note(call(`fog ${at}`))
    })
    const first = await engine.call('assistant.calls', { before: null, limit: 10 })
    expect(first.map(({ asked }) => asked)).toEqual(Array.from({ length: 10 }, (_none, at) => `fog ${25 - at}`))
    const second = await engine.call('assistant.calls', { before: first.at(-1)?.id ?? null, limit: MAX_CALLS_PER_PAGE })
    expect(second.map(({ asked }) => asked)).toEqual(Array.from({ length: 15 }, (_none, at) => `fog ${15 - at}`))
    const tooMany = { before: null, limit: MAX_CALLS_PER_PAGE + 1 }
    expect((await engine.problemOf('assistant.calls', tooMany)).code).toBe('invalid_input')
    const told = engine.events('assistants.changed').length
    await engine.call('assistant.clearCalls', {})
    expect(await engine.call('assistant.calls', { before: null, limit: 10 })).toEqual([])
    await toldAfter(engine, told)
    const toldOfClearing = engine.events('assistants.changed').length
    await engine.call('assistant.written', {})
    await toldAfter(engine, toldOfClearing)
  })
})

describe('a full log', () => {
  it('drops calls of the busiest tool, not reads or rejections', async () => {
    const { directory, engine, access } = await open()
    await engine.call('assistant.setAccess', access)
    const read = { ...call('thread'), tool: 'read_thread' }
    asServer(directory, (file) => {
      file.note(read)
      file.note({ ...call('spam'), isRefused: true })
      for (let at = 1; at <= 10_200; at += 1) file.note(call(`fog ${at}`))
      // Unknown tool names share one quota.
      for (let at = 1; at <= 200; at += 1) file.note({ ...call('x'), tool: `tool ${at}`, isRefused: true })
      const all = []
      for (let before: number | null = null; ; before = all.at(-1)?.id ?? null) {
        const calls = file.calls(before, 1_000)
        if (calls.length === 0) break
        all.push(...calls)
      }
      expect(all.length).toBeLessThan(10_100)
      expect(all.at(-1)).toMatchObject({ tool: 'read_thread' })
      expect(all.filter(({ isRefused }) => isRefused)).toHaveLength(201)
      expect(all.find(({ isRefused }) => !isRefused)?.asked).toBe('fog 10200')
    })
  })
})

describe('the proposals of assistants', () => {
  it('are decided once, by the first window, and reopen when undone', async () => {
    const { directory, engine, inboxId, access } = await open()
    await engine.call('assistant.setAccess', access)
    const id = asServer(directory, (file) => file.propose(move(inboxId, 'one'))) ?? ''
    expect(await engine.call('assistant.proposals', {})).toMatchObject([
      { id, state: 'open', reason: 'They are done.' },
    ])
    const decisions = await Promise.all(
      (['done', 'dismissed'] as const).map((decision) => engine.call('assistant.decide', { id, decision })),
    )
    expect(decisions).toEqual([{ wasOpen: true }, { wasOpen: false }])
    expect(asServer(directory, (file) => file.proposal(id)?.state)).toBe('done')
    expect(await engine.call('assistant.proposals', {})).toEqual([])
    expect(await engine.call('assistant.decide', { id: 'no-such', decision: 'done' })).toEqual({ wasOpen: false })
    await engine.call('assistant.reopen', { ids: [id, 'no-such'] })
    expect(await engine.call('assistant.proposals', {})).toMatchObject([{ id }])
    expect((await engine.problemOf('assistant.decide', { id, decision: 'open' as 'done' })).code).toBe('invalid_input')
  })

  it('are empty for an account without a file', async () => {
    const { directory, engine } = await open()
    expect(await engine.call('assistant.decide', { id: 'no-such', decision: 'done' })).toEqual({ wasOpen: false })
    await engine.call('assistant.reopen', { ids: ['no-such'] })
    await engine.call('assistant.clearCalls', {})
    expect(hadAssistantAccess(directory)).toBe(false)
  })

  it('list known threads in order, without missing ones', async () => {
    const { platform, engine, inboxId } = await open()
    for (const subject of ['Fog', 'Lamps']) {
      await platform.deliver({ from: 'pier@harbour.example', subject, text: subject })
    }
    await engine.call('sync.now', {})
    await engine.settled()
    const window = { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 10 }
    const { items } = await engine.call('thread.list', window)
    const ids = items.map(({ id }) => id).toReversed()
    const read = await engine.call('assistant.threads', { inboxId, threadIds: [ids[0] ?? '', 'gone', ids[1] ?? ''] })
    expect(read.map(({ subject }) => subject)).toEqual(['Fog', 'Lamps'])
    expect(await engine.call('assistant.threads', { inboxId: 'gone', threadIds: ids })).toEqual([])
    const tooMany = Array.from({ length: PROPOSAL_LIMITS.threads + 1 }, (_none, at) => `${at}`)
    expect((await engine.problemOf('assistant.threads', { inboxId, threadIds: tooMany })).code).toBe('invalid_input')
    await engine.call('thread.change', { inboxId, threadIds: [ids[0] ?? ''], change: { folder: 'archive' } })
    expect(await engine.call('assistant.threads', { inboxId, threadIds: ids })).toMatchObject([
      { folder: 'archive' },
      { folder: 'inbox' },
    ])
  })
})
