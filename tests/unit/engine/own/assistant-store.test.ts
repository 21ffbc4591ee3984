import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OWN_NAME } from '../../../../src/engine/own/account-files.ts'
import { AssistantStore, hadAssistantAccess, joinAssistantStore } from '../../../../src/engine/own/assistant-store.ts'
import {
  hasAnyAccess,
  NO_ASSISTANT_ACCESS,
  PROPOSAL_LIMITS,
  type AssistantAccess,
  type ProposedChange,
} from '../../../../src/shared/assistants.ts'
import { openOwnFile } from '../../../support/own-file.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const open = (directory = temporaryDirectory()) => {
  const own = openOwnFile(directory)
  onTestFinished(() => own.close())
  return { directory, own, store: new AssistantStore(own) }
}
const joined = (directory: string): AssistantStore => {
  const { store, close } = joinAssistantStore(directory)
  onTestFinished(close)
  return store
}

const ACCESS: AssistantAccess = { folders: [{ inboxId: 'desk', folder: 'inbox' }], lists: ['contacts'] }
const MOVE: ProposedChange = { kind: 'move', threadIds: ['one', 'two'], folder: 'archive' }
const call = (tool: string, isRefused = false) => ({
  at: 1,
  client: 'Helper',
  tool,
  asked: 'fog',
  answer: 'ok',
  isRefused,
})
const proposal = (reason: string) => ({ at: 1, client: 'Helper', inboxId: 'desk', reason, change: MOVE })

describe('assistants’ access, calls and proposals', () => {
  it('turns nothing on automatically, and shares the user’s choices with every process', () => {
    const { directory, store } = open()
    expect(store.access()).toEqual(NO_ASSISTANT_ACCESS)
    expect(hasAnyAccess(store.access())).toBe(false)
    const server = joined(directory)
    store.setAccess(ACCESS)
    expect(server.access()).toEqual(ACCESS)
    store.setAccess(NO_ASSISTANT_ACCESS)
    expect(server.access()).toEqual(NO_ASSISTANT_ACCESS)
  })

  it('aren’t created by a process that only joins them', () => {
    const directory = temporaryDirectory()
    expect(hadAssistantAccess(directory)).toBe(false)
    expect(() => joinAssistantStore(directory)).toThrow()
    expect(readdirSync(directory)).toEqual([])
    const { store } = open(directory)
    store.setAccess(NO_ASSISTANT_ACCESS)
    expect(hadAssistantAccess(directory)).toBe(false)
    store.setAccess(ACCESS)
    store.setAccess(NO_ASSISTANT_ACCESS)
    expect(hadAssistantAccess(directory)).toBe(true)
  })

  it('turns everything off when damaged or invalid', async () => {
    const { directory, own, store } = open()
    store.setAccess(ACCESS)
    await own.close()
    const file = join(directory, OWN_NAME)
    writeFileSync(file, 'no database at all, and long enough to look like one'.repeat(100))
    expect(() => joinAssistantStore(directory)).toThrow()
    expect(existsSync(file)).toBe(true)
    // The snapshot has the access, but it may have been turned off since.
    const again = open(directory)
    expect(again.own.wasRecovered).toBe(true)
    expect(again.store.access()).toEqual(NO_ASSISTANT_ACCESS)
    const { store: strange } = open()
    strange.setAccess({ folders: [{ inboxId: 'desk', folder: 'everything' }], lists: [] } as unknown as AssistantAccess)
    expect(strange.access()).toEqual(NO_ASSISTANT_ACCESS)
  })

  it('records calls from several processes, newest first, until cleared', () => {
    const { directory, store } = open()
    const server = joined(directory)
    server.note(call('search_mail'))
    store.note(call('read_thread', true))
    server.note({ ...call('x'.repeat(5_000)), asked: 'y'.repeat(5_000) })
    const calls = store.calls(null, 10)
    expect(calls.map(({ tool }) => tool.slice(0, 11))).toEqual(['xxxxxxxxxxx', 'read_thread', 'search_mail'])
    expect([calls[0]?.tool.length, calls[0]?.asked.length]).toEqual([1_000, 1_000])
    expect(calls[1]).toMatchObject({ client: 'Helper', asked: 'fog', isRefused: true })
    expect(store.calls(calls[1]?.id ?? null, 10)).toMatchObject([{ tool: 'search_mail' }])
    store.clearCalls()
    expect(server.calls(null, 10)).toEqual([])
  })

  it('keeps a proposal until the user decides once, and notifies its author', () => {
    const { directory, store } = open()
    const server = joined(directory)
    const id = server.propose(proposal('They are done.')) ?? ''
    expect(store.openProposals()).toEqual([{ id, ...proposal('They are done.'), state: 'open' }])
    expect(store.decide(id, 'done')).toBe(true)
    expect(store.decide(id, 'dismissed')).toBe(false)
    expect(server.proposal(id)).toMatchObject({ state: 'done' })
    expect(store.openProposals()).toEqual([])
    expect(server.proposal('no-such')).toBe(null)
    store.reopen(id)
    store.reopen('no-such')
    expect(server.proposal(id)).toMatchObject({ state: 'open' })
    expect(store.decide(id, 'dismissed')).toBe(true)
  })

  it('limits each assistant’s proposals, and drops repeated ones', () => {
    const { store } = open()
    const another = (id: string) => ({ ...proposal(id), change: { ...MOVE, threadIds: [id] } })
    const once = store.propose(another('same'))
    expect(store.propose({ ...another('same'), reason: 'other words' })).toBe(once)
    store.decide(once ?? '', 'dismissed')
    for (let at = 0; at < PROPOSAL_LIMITS.open; at += 1) expect(store.propose(another(`${at}`))).not.toBe(null)
    expect(store.propose(another('one too many'))).toBe(null)
    const [first] = store.openProposals()
    store.decide(first?.id ?? '', 'dismissed')
    expect(store.propose(another('now there is room'))).not.toBe(null)
  })
})
