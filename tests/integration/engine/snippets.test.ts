import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

describe('signatures and canned replies', () => {
  it('survive a restart and a lost cache, and windows are notified', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 2, seed: 1 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const [inbox] = (await engine.call('inbox.list', {})).inboxes
    await engine.call('signature.set', { inboxId, html: '<p>Support</p>' })
    const reply = await engine.call('cannedReply.save', { id: null, name: 'Thanks', html: '<p>Thanks.</p>' })
    await eventually(
      () => engine.events('snippets.changed'),
      ({ length }) => length > 0,
    )
    const listed = await engine.call('snippet.list', {})
    expect(listed).toEqual({
      signatures: [{ inboxId, address: inbox?.emailAddress, html: '<p>Support</p>' }],
      cannedReplies: [reply],
    })
    await engine.close()
    for (const end of ['', '-wal', '-shm']) rmSync(join(engine.directory, `cache.sqlite${end}`), { force: true })
    const again = await openSettledEngine(platform, engine.directory)
    expect(await again.call('snippet.list', {})).toEqual(listed)
    const file = {
      signatures: [{ address: inbox?.emailAddress.toUpperCase() ?? '', html: '<p>Support</p>' }],
      cannedReplies: [],
    }
    expect(await again.call('snippet.import', file)).toMatchObject({ same: 1, leftOut: [] })
    await expect(again.call('signature.set', { inboxId: 'nobody', html: '<p>Ann</p>' })).rejects.toThrow(/not_found/)
  })

  it('find the recipient’s contact by address, in any form', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 2, seed: 1 } })
    const engine = await openSettledEngine(platform)
    await engine.call('contact.add', { address: 'Ann@Example.com', firstName: 'Ann', lastName: null })
    expect(await engine.call('contact.ofAddress', { address: 'ann@EXAMPLE.com' })).toMatchObject({ firstName: 'Ann' })
    expect(await engine.call('contact.ofAddress', { address: 'nobody@example.com' })).toBeNull()
  })
})
