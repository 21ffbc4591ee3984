import { describe, expect, it } from 'vitest'
import type { AgentSettings } from '../../../src/shared/agent.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const NONE: AgentSettings = { instructions: null, tone: null, actions: [] }
const there = async ({ ask, inboxId }: TestPlatform): Promise<AgentSettings> => {
  const { instructions, tone, actions } = await ask<AgentSettings>('GET', `/inboxes/${inboxId}/agent`)
  return { instructions, tone, actions }
}
const open = async () => {
  const platform = await startTestPlatform()
  const directory = temporaryDirectory()
  const engine = await openSettledEngine(platform, directory)
  const { inboxId } = platform
  const set = (change: Partial<AgentSettings>, expected: AgentSettings) => ({
    inboxId,
    change: { ...change, ...(change.actions && { actions: [...change.actions] }) } as object,
    expected: { ...expected, actions: [...expected.actions] },
  })
  return { platform, directory, engine, inboxId, set }
}

describe('the agent of an inbox', () => {
  it('has settings that can be changed one by one and read offline', async () => {
    const { platform, directory, engine, inboxId, set } = await open()
    expect(platform.requests().some((request) => request.includes('/agent'))).toBe(false)
    expect(await engine.call('agent.get', { inboxId })).toMatchObject({ settings: NONE, isOffered: true })
    const wanted = { instructions: 'Answer refunds.', tone: null, actions: ['draft_reply'] }
    const { instructions, actions } = wanted
    expect(await engine.call('agent.set', set({ instructions, actions }, NONE))).toEqual(wanted)
    expect(await there(platform)).toEqual(wanted)
    await engine.call('agent.set', set({ tone: 'concise_casual' }, wanted))
    const now = { ...wanted, tone: 'concise_casual' }
    expect(await there(platform)).toEqual(now)
    // Blank text counts as none.
    expect(await engine.call('agent.set', set({ instructions: ' ' }, now))).toMatchObject({ instructions: null })
    await engine.close()
    await platform.stop()
    const again = await openTestEngine(platform, directory)
    expect(await again.call('agent.get', { inboxId })).toMatchObject({
      settings: { ...now, instructions: null },
      freshness: { state: 'cached' },
    })
    expect(await again.problemOf('agent.set', set({ tone: null }, { ...now, instructions: null }))).toMatchObject({
      code: 'unreachable',
      message: 'You are offline. Go online to change the agent’s settings.',
    })
  })

  it('isn’t changed over another client’s update', async () => {
    const { platform, engine, inboxId, set } = await open()
    await engine.call('agent.get', { inboxId })
    await platform.ask('PATCH', `/inboxes/${inboxId}/agent`, { instructions: 'Theirs.' })
    expect(await engine.problemOf('agent.set', set({ instructions: 'Mine.' }, NONE))).toMatchObject({
      code: 'conflict',
    })
    expect((await there(platform)).instructions).toBe('Theirs.')
    expect((await engine.call('agent.get', { inboxId, cacheOnly: true })).settings?.instructions).toBe('Theirs.')
  })

  it('is rejected with a message if too long, or by the platform', async () => {
    const { platform, engine, set } = await open()
    expect(await engine.problemOf('agent.set', set({ instructions: 'x'.repeat(4_001) }, NONE))).toMatchObject({
      code: 'invalid_input',
      message: 'The instructions can have at most 4,000 characters. Nothing was changed.',
    })
    expect((await engine.problemOf('agent.set', set({ tone: 'rude' }, NONE))).code).toBe('refused')
    expect(await there(platform)).toEqual(NONE)
  })

  it('keeps a change whose response was lost, or reports its failure', async () => {
    const { platform, engine, inboxId, set } = await open()
    await platform.fault({ kind: 'lost', method: 'PATCH', path: `/inboxes/${inboxId}/agent`, times: 1 })
    expect(await engine.call('agent.set', set({ instructions: 'Once.' }, NONE))).toMatchObject({
      instructions: 'Once.',
    })
    expect((await there(platform)).instructions).toBe('Once.')
    await platform.fault({ kind: 'error_503', method: 'PATCH', path: `/inboxes/${inboxId}/agent`, times: 1 })
    const once = { ...NONE, instructions: 'Once.' }
    expect((await engine.problemOf('agent.set', set({ instructions: 'Twice.' }, once))).code).toBe('platform_failed')
    expect((await there(platform)).instructions).toBe('Once.')
  })

  it.each([403, 404, 405])('doesn’t exist on a platform that answers %d', async (status) => {
    const platform = await startTestPlatform()
    const door = await startRejectingProxy(platform)
    door.refuse((request) => (request.endsWith('/agent') ? status : null))
    const engine = await openSettledEngine({ ...platform, baseUrl: door.baseUrl })
    expect(await engine.call('agent.get', { inboxId: platform.inboxId })).toMatchObject({
      settings: null,
      isOffered: false,
    })
    expect(await engine.status()).toMatchObject({ connection: 'online', problem: null })
  })
})
