import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { listCached } from './support/compare-with-platform.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const CHECKED = ['mx.example.com; spf=pass; dkim=fail; dmarc=gray']

const deliver = (platform: TestPlatform, from: string, subject: string): Promise<void> =>
  platform.deliver({
    from,
    to: platform.inboxAddress,
    subject,
    text: subject,
    headers: { 'Authentication-Results': CHECKED[0] ?? '' },
  })

type Owners = Readonly<Record<string, Extract<BodyOwner, { readonly list: 'threads' }>>>

const ownersOf = async (engine: TestEngine, inboxId: string): Promise<Owners> => {
  const items = await listCached(engine, inboxId, 'inbox')
  const owners = await Promise.all(
    items.map(async ({ id: threadId }) => {
      const { emails } = await engine.call('thread.open', { inboxId, threadId })
      return emails.map(({ id: emailId, subject }) => [
        subject ?? '',
        { list: 'threads', inboxId, threadId, emailId } as const,
      ])
    }),
  )
  return Object.fromEntries(owners.flat()) as Owners
}

describe('the authentication of a sender', () => {
  it('is requested once when a thread’s e-mail is read, and kept offline', async () => {
    const platform = await startTestPlatform()
    await deliver(platform, 'Ann <ann@quill.example>', 'Fog')
    await deliver(platform, 'Ben <ben@quill.example>', 'Tide')
    const engine = await openSettledEngine(platform)
    const { Fog, Tide } = await ownersOf(engine, platform.inboxId)
    if (Fog === undefined || Tide === undefined) throw new Error('two e-mails')
    const asked = (): readonly string[] =>
      platform.requests().filter((request) => /\/emails\/receiving\/[^/ ]+ /.test(request))
    expect(asked()).toEqual([])
    const both = await Promise.all([1, 2].map(() => engine.call('sender.authentication', { of: Fog })))
    const found = { spf: 'pass', dkim: 'fail', dmarc: 'gray' }
    expect(both).toEqual([found, found])
    expect(await engine.call('sender.authentication', { of: Fog })).toEqual(found)
    expect(asked()).toHaveLength(1)

    await platform.stop()
    expect(await engine.call('sender.authentication', { of: Fog })).toEqual(found)
    expect(await engine.call('sender.authentication', { of: Tide })).toBeNull()
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await again.call('sender.authentication', { of: Fog })).toEqual(found)
  })

  it('isn’t requested repeatedly if the platform rejects thread IDs', async () => {
    const platform = await startTestPlatform()
    for (const subject of ['Fog', 'Tide', 'Wind', 'Rain']) await deliver(platform, 'Ann <ann@quill.example>', subject)
    const door = await startRejectingProxy(platform)
    door.refuse((request) => (request.includes('/emails/receiving') ? 404 : null))
    const engine = await openSettledEngine({ ...platform, baseUrl: door.baseUrl })
    const owners = Object.values(await ownersOf(engine, platform.inboxId))
    const asked = (): number => door.requests().filter((request) => /\/emails\/receiving\/[^/ ?]+/.test(request)).length
    const before = asked()
    for (const of of owners) expect(await engine.call('sender.authentication', { of })).toBeNull()
    expect(owners).toHaveLength(4)
    expect(asked() - before).toBe(2)
  })

  it('comes with a received e-mail, and not with sent ones', async () => {
    const platform = await startTestPlatform()
    await deliver(platform, 'Ann <ann@quill.example>', 'Fog')
    const engine = await openSettledEngine(platform)
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 1 })
    const of = { list: 'received', emailId: items[0]?.id ?? '' } as const
    const { authentication } = await engine.call('receivedEmail.get', { id: of.emailId })
    expect(authentication).toEqual({ spf: 'pass', dkim: 'fail', dmarc: 'gray' })
    expect(await engine.call('sender.authentication', { of })).toEqual(authentication)
    expect(await engine.call('sender.authentication', { of: { list: 'sent', emailId: 'x' } })).toBeNull()
  })
})

describe('the first mail from a sender', () => {
  it('is recognized once, whatever the name or thread', async () => {
    const platform = await startTestPlatform()
    await deliver(platform, 'Ann Lee <ann@quill.example>', 'First')
    await deliver(platform, 'A. Lee <Ann@Quill.example>', 'Second')
    await deliver(platform, 'Ann <ann@quill.example.org>', 'Another domain')
    await deliver(platform, `Me <${platform.inboxAddress}>`, 'Own')
    await deliver(platform, `Me <${platform.inboxAddress.replace('@', '+notes@')}>`, 'Own, with a tag')
    await deliver(platform, 'Ann <ann+news@quill.example>', 'Third, with a tag')
    await deliver(platform, 'Dan <dan+news@quill.example>', 'A tag of somebody else')
    const engine = await openSettledEngine(platform)
    const owners = await ownersOf(engine, platform.inboxId)
    const isNew = Object.fromEntries(
      await Promise.all(
        Object.entries(owners).map(async ([subject, of]) => [subject, await engine.call('sender.isNew', { of })]),
      ),
    ) as Readonly<Record<string, boolean | null>>
    expect(isNew).toEqual({
      First: true,
      Second: false,
      'Another domain': true,
      Own: null,
      'Own, with a tag': null,
      'Third, with a tag': false,
      'A tag of somebody else': true,
    })
  })

  it('excludes earlier recipients and a message’s own copy', async () => {
    const platform = await startTestPlatform()
    await platform.ask('POST', '/emails', {
      from: platform.inboxAddress,
      to: ['ben@pier.example'],
      subject: 'Hello Ben',
      text: 'Hello',
    })
    await deliver(platform, 'Ben <ben@pier.example>', 'Hello back')
    await deliver(platform, 'Cleo <cleo@pier.example>', 'Never met')
    const engine = await openSettledEngine(platform)
    const owners = await ownersOf(engine, platform.inboxId)
    const { 'Hello back': known, 'Never met': unknown } = owners
    if (known === undefined || unknown === undefined) throw new Error('two e-mails')
    expect(await engine.call('sender.isNew', { of: known })).toBe(false)
    expect(await engine.call('sender.isNew', { of: unknown })).toBe(true)
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 10 })
    const received = items.find(({ subject }) => subject === 'Never met')
    await engine.call('receivedEmail.get', { id: received?.id ?? '' })
    const of = { list: 'received', emailId: received?.id ?? '' } as const
    expect(await engine.call('sender.isNew', { of })).toBe(true)
  })
})
