import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AssistantFile } from '../../../../../src/engine/own/assistant-file.ts'
import {
  hasAnyAccess,
  NO_ASSISTANT_ACCESS,
  PROPOSAL_LIMITS,
  type AssistantAccess,
  type ProposedChange,
} from '../../../../../src/shared/assistants.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

const open = (directory = temporaryDirectory()): { readonly directory: string; readonly file: AssistantFile } => {
  const file = AssistantFile.open(directory)
  onTestFinished(() => file.close())
  return { directory, file }
}
const joined = (directory: string): AssistantFile => {
  const file = AssistantFile.join(directory)
  onTestFinished(() => file.close())
  return file
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

describe('the assistant file', () => {
  it('turns nothing on automatically, and shares the user’s choices with every process', () => {
    const { directory, file } = open()
    expect(file.access()).toEqual(NO_ASSISTANT_ACCESS)
    expect(hasAnyAccess(file.access())).toBe(false)
    const server = joined(directory)
    file.setAccess(ACCESS)
    expect(server.access()).toEqual(ACCESS)
    file.setAccess(NO_ASSISTANT_ACCESS)
    expect(server.access()).toEqual(NO_ASSISTANT_ACCESS)
    expect(statSync(join(directory, 'assistants.sqlite')).mode & 0o777).toBe(0o600)
  })

  it('isn’t created by a process that only joins it', () => {
    const directory = temporaryDirectory()
    expect(AssistantFile.isIn(directory)).toBe(false)
    expect(() => AssistantFile.join(directory)).toThrow()
    expect(readdirSync(directory)).toEqual([])
  })

  it('turns everything off when damaged or invalid', () => {
    const directory = temporaryDirectory()
    open(directory).file.setAccess(ACCESS)
    const { directory: other, file } = open()
    file.setAccess({ folders: [], lists: [] })
    file.close()
    writeFileSync(join(other, 'assistants.sqlite'), 'no database at all, and long enough to look like one'.repeat(100))
    expect(() => AssistantFile.join(other)).toThrow()
    expect(existsSync(join(other, 'assistants.sqlite'))).toBe(true)
    expect(open(other).file.access()).toEqual(NO_ASSISTANT_ACCESS)
    const { file: strange } = open()
    strange.setAccess({ folders: [{ inboxId: 'desk', folder: 'everything' }], lists: [] } as unknown as AssistantAccess)
    expect(strange.access()).toEqual(NO_ASSISTANT_ACCESS)
  })

  it('records calls from several processes, newest first, until cleared', () => {
    const { directory, file } = open()
    const server = joined(directory)
    server.note(call('search_mail'))
    file.note(call('read_thread', true))
    server.note({ ...call('x'.repeat(5_000)), asked: 'y'.repeat(5_000) })
    const calls = file.calls(null, 10)
    expect(calls.map(({ tool }) => tool.slice(0, 11))).toEqual(['xxxxxxxxxxx', 'read_thread', 'search_mail'])
    expect([calls[0]?.tool.length, calls[0]?.asked.length]).toEqual([1_000, 1_000])
    expect(calls[1]).toMatchObject({ client: 'Helper', asked: 'fog', isRefused: true })
    expect(file.calls(calls[1]?.id ?? null, 10)).toMatchObject([{ tool: 'search_mail' }])
    file.clearCalls()
    expect(server.calls(null, 10)).toEqual([])
  })

  it('keeps a proposal until the user decides once, and notifies its author', () => {
    const { directory, file } = open()
    const server = joined(directory)
    const id = server.propose(proposal('They are done.')) ?? ''
    expect(file.openProposals()).toEqual([{ id, ...proposal('They are done.'), state: 'open' }])
    expect(file.decide(id, 'done')).toBe(true)
    expect(file.decide(id, 'dismissed')).toBe(false)
    expect(server.proposal(id)).toMatchObject({ state: 'done' })
    expect(file.openProposals()).toEqual([])
    expect(server.proposal('no-such')).toBe(null)
    file.reopen(id)
    file.reopen('no-such')
    expect(server.proposal(id)).toMatchObject({ state: 'open' })
    expect(file.decide(id, 'dismissed')).toBe(true)
  })

  it('limits each assistant’s proposals, and drops repeated ones', () => {
    const { file } = open()
    const another = (id: string) => ({ ...proposal(id), change: { ...MOVE, threadIds: [id] } })
    const once = file.propose(another('same'))
    expect(file.propose({ ...another('same'), reason: 'other words' })).toBe(once)
    file.decide(once ?? '', 'dismissed')
    for (let at = 0; at < PROPOSAL_LIMITS.open; at += 1) expect(file.propose(another(`${at}`))).not.toBe(null)
    expect(file.propose(another('one too many'))).toBe(null)
    const [first] = file.openProposals()
    file.decide(first?.id ?? '', 'dismissed')
    expect(file.propose(another('now there is room'))).not.toBe(null)
  })
})
