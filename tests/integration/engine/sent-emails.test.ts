import { describe, expect, it } from 'vitest'
import { forwardRequest, listenOnLoopback } from '../../support/loopback-server.ts'
import { eventually } from './support/eventually.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const send = async (platform: TestPlatform, subject: string, more: object = {}): Promise<string> => {
  const { id } = await platform.ask<{ id: string }>('POST', '/emails', {
    from: platform.inboxAddress,
    to: 'pier@harbour.example',
    subject,
    text: `About: ${subject}`,
    ...more,
  })
  return id
}

describe('the account’s sent e-mails', () => {
  it('are listed like the platform’s, and readable offline once opened', async () => {
    const platform = await startTestPlatform()
    for (const subject of ['First', 'Second', 'Third']) await send(platform, subject)
    const directory = temporaryDirectory()
    const engine = await openSettledEngine(platform, directory)
    const page = await engine.call('sentEmail.list', { offset: 0, limit: 10 })
    const { data } = await platform.ask<{ data: { id: string; last_event: string }[] }>('GET', '/emails')
    // Two sent within the same millisecond may be in either order.
    const known = (pairs: readonly (readonly [string, string | null])[]) => new Map(pairs)
    expect(known(page.items.map(({ id, lastEvent }) => [id, lastEvent]))).toEqual(
      known(data.map(({ id, last_event }) => [id, last_event])),
    )
    const times = page.items.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(page).toMatchObject({ total: 3, freshness: { state: 'live' } })

    const [first, second] = page.items
    const id = first?.id ?? ''
    const words = `About: ${first?.subject ?? ''}`
    expect((await engine.call('sentEmail.get', { id })).text).toBe(words)
    await platform.stop()
    expect((await engine.call('sentEmail.get', { id })).text).toBe(words)
    const other = second?.id ?? ''
    expect(await engine.problemOf('sentEmail.get', { id: other })).toMatchObject({ code: 'unreachable' })
  })

  it('are all fetched, across pages', async () => {
    const platform = await startTestPlatform()
    for (let count = 0; count < 130; count += 1) await send(platform, `Number ${count}`)
    const engine = await openSettledEngine(platform)
    const { items, total } = await engine.call('sentEmail.list', { offset: 0, limit: 200 })
    expect(total).toBe(130)
    expect(new Set(items.map(({ subject }) => subject)).size).toBe(130)
  })

  it('include those sent elsewhere, and follow their status', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const id = await send(platform, 'Later', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    await engine.call('sync.now', {})
    const listed = (): Promise<readonly { id: string; lastEvent: string | null; scheduledAt: number | null }[]> =>
      engine.call('sentEmail.list', { offset: 0, limit: 10 }).then(({ items }) => items)
    expect(await listed()).toMatchObject([{ id, lastEvent: 'scheduled', scheduledAt: expect.any(Number) as number }])
    await eventually(
      () => Promise.resolve(engine.events('sentEmails.changed')),
      (events) => events.length > 0,
    )

    await engine.call('sentEmail.get', { id })
    await platform.ask('POST', `/emails/${id}/cancel`, {})
    await engine.call('sync.now', {})
    expect(await eventually(listed, ([first]) => first?.lastEvent === 'canceled')).toHaveLength(1)
    expect(await engine.call('sentEmail.get', { id })).toMatchObject({ lastEvent: 'canceled', text: 'About: Later' })
  })

  it('exist without any inbox', async () => {
    const platform = await startTestPlatform({ inboxes: 'forbidden' })
    await send(platform, 'No inbox needed')
    const engine = await openSettledEngine(platform)
    expect((await engine.call('sentEmail.list', { offset: 0, limit: 10 })).items).toMatchObject([
      { subject: 'No inbox needed' },
    ])
  })
})

describe('an e-mail that the platform withholds', () => {
  it('shows what is known, explains why, and opens once released', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Held back', from: 'Ada <ada@mail.example>' })
    let name: string | null = 'email_above_quota'
    const baseUrl = await listenOnLoopback((incoming, outgoing) => {
      if (name === null || !/^\/emails\/receiving\/[^?]/.test(incoming.url ?? '')) {
        forwardRequest(incoming, outgoing, platform.baseUrl, {})
        return
      }
      outgoing.writeHead(403, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ statusCode: 403, name, message: 'This email is above your quota.' }))
    })
    const engine = await openSettledEngine({ ...platform, baseUrl })
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 10 })
    const { id = '', createdAt } = items[0] ?? {}
    const get = () => engine.call('receivedEmail.get', { id })
    const known = { id, subject: 'Held back', from: 'Ada <ada@mail.example>', createdAt, text: null, html: null }
    expect(await get()).toMatchObject({ ...known, withheld: expect.stringMatching(/over its quota/) as string })
    name = 'not_yours'
    expect(await get()).toMatchObject({
      ...known,
      withheld: 'The platform rejected the request: This email is above your quota.',
    })
    name = null
    const whole = await get()
    expect(whole.withheld).toBeUndefined()
    expect(whole.text).toContain('Hello')
  })
})
