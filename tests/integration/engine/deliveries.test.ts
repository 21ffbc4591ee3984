import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import type { Delivery } from '../../../src/shared/model.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { sendMessage } from './support/send-message.ts'
import { testClock } from './support/test-time.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const deliveryIn = async (engine: TestEngine, inboxId: string, threadId: string): Promise<Delivery | undefined> =>
  (await engine.call('delivery.ofThread', { inboxId, threadId, mayAsk: true })).at(-1)
const becomes = (engine: TestEngine, { inboxId }: TestPlatform, threadId: string, lastEvent: string) =>
  eventually(
    () => deliveryIn(engine, inboxId, threadId),
    (delivery) => delivery?.lastEvent === lastEvent,
  )
const told = async (engine: TestEngine) =>
  (await engine.call('problem.list', {})).filter(({ id }) => id.startsWith('not-delivered'))
const asksOf = ({ requests }: TestPlatform, emailId: string): number =>
  requests().filter((request) => request.startsWith(`GET /emails/${emailId} `)).length

describe('the delivery status of a local message', () => {
  it.each(['bounced', 'complained', 'suppressed'])(
    'is shown, and the user is told once if it was %s, also after a restart',
    async (event) => {
      const platform = await startTestPlatform()
      const directory = temporaryDirectory()
      const engine = await openSettledEngine(platform, directory)
      const before = testClock().now()
      const { emailId, threadId } = await sendMessage(engine, platform, `${event}@resend.dev`)
      if (event === 'complained') {
        // Complaints come after delivery, when no more events are expected. Polling for new sent mail finds them.
        await eventually(
          () => platform.ask<{ last_event: string }>('GET', `/emails/${emailId}`),
          ({ last_event: now }) => now === event,
        )
        await engine.call('sync.now', {})
      }
      // No window is open, so nothing else polls.
      const [problem] = await eventually(
        () => told(engine),
        (problems) => problems.length > 0,
      )
      expect(problem?.message).toContain(`“For ${event}@resend.dev” to ${event}@resend.dev was`)
      expect(problem?.details).toMatchObject({ sentId: emailId, inboxId: platform.inboxId, threadId })
      // The status may be known before the thread is synced.
      expect(await becomes(engine, platform, threadId, event)).toEqual({
        ...{ emailId, lastEvent: event, failure: null, scheduledAt: null },
        learnedAt: expect.toSatisfy((at: number) => at >= before && at <= testClock().now()) as number,
        confirmedAt: expect.any(Number) as number,
      })

      await engine.call('problem.dismiss', { id: problem?.id ?? '' })
      await engine.close()
      const again = await openTestEngine(platform, directory)
      await again.call('sync.now', {})
      expect(await told(again)).toEqual([])
      await platform.stop()
      expect(await deliveryIn(again, platform.inboxId, threadId)).toMatchObject({ emailId, lastEvent: event })
    },
  )

  it('is reported if it arrives after a restart', async () => {
    const platform = await startTestPlatform()
    const directory = temporaryDirectory()
    const engine = await openSettledEngine(platform, directory)
    const { emailId } = await sendMessage(engine, platform, 'eve@example.com')
    await engine.close()
    await platform.ask('PUT', `/_control/emails/${emailId}`, { last_event: 'failed' })
    const again = await openTestEngine(platform, directory)
    const [problem] = await eventually(
      () => told(again),
      (problems) => problems.length > 0,
    )
    expect(problem?.message).toContain('was not sent: the platform could not send the message')
  })

  it('is polled with growing pauses until it is final', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { emailId, threadId } = await sendMessage(engine, platform, 'eve@example.com')
    await becomes(engine, platform, threadId, 'sent')
    await platform.ask('PUT', `/_control/emails/${emailId}`, { last_event: 'delivery_delayed' })
    await becomes(engine, platform, threadId, 'delivery_delayed')
    expect(await told(engine)).toEqual([])
    await platform.ask('PUT', `/_control/emails/${emailId}`, { last_event: 'delivered' })
    await becomes(engine, platform, threadId, 'delivered')
    const looks = (): number => platform.requests().filter((request) => /^GET \/emails[ ?/]/.test(request)).length
    const before = looks()
    for (let count = 0; count < 20; count += 1) await deliveryIn(engine, platform.inboxId, threadId)
    await engine.advance(3_000)
    // One poll for new sent mail may fall into this period.
    expect(looks() - before).toBeLessThanOrEqual(1)
    expect(asksOf(platform, emailId)).toBeLessThan(4)
  })

  it('is fetched once the platform is reachable again', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { emailId, threadId } = await sendMessage(engine, platform, 'eve@example.com')
    await becomes(engine, platform, threadId, 'sent')
    await platform.fault({ kind: 'error_503', method: 'GET', path: '/emails' })
    await platform.ask('PUT', `/_control/emails/${emailId}`, { last_event: 'bounced' })
    await engine.advance(4_000)
    expect(await deliveryIn(engine, platform.inboxId, threadId)).toMatchObject({ lastEvent: 'sent' })
    expect(engine.log().filter((line) => line.startsWith('error'))).toEqual([])
    await platform.fault()
    await engine.call('sync.now', {})
    await becomes(engine, platform, threadId, 'bounced')
    await eventually(
      () => told(engine),
      (problems) => problems.length === 1,
    )
  })
})

describe('the delivery status of a colleague’s message', () => {
  /** A colleague's message, followed by so many others that polling for new mail doesn't cover it. */
  const colleagues = async () => {
    const platform = await startTestPlatform()
    const from = platform.inboxAddress
    const post = (to: string) =>
      platform.ask<{ id: string }>('POST', '/emails', { from, to, subject: to, text: 'Hello' })
    const { id } = await post('eve@example.com')
    for (let count = 0; count < 30; count += 1) await post(`n${count}@example.com`)
    const engine = await openSettledEngine(platform)
    const query = createFolderQuery(platform.inboxId, 'sent')
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 50 })
    const threadId = items.find(({ subject }) => subject === 'eve@example.com')?.id ?? ''
    await engine.call('thread.open', { inboxId: platform.inboxId, threadId })
    return { platform, engine, id, threadId }
  }

  it('is fetched when a window shows it, and changes nothing else', async () => {
    const { platform, engine, id, threadId } = await colleagues()
    const { inboxId } = platform
    expect(await deliveryIn(engine, inboxId, threadId)).toMatchObject({ emailId: id, lastEvent: 'sent' })
    await platform.ask('PUT', `/_control/emails/${id}`, { last_event: 'bounced' })
    await becomes(engine, platform, threadId, 'bounced')
    expect(asksOf(platform, id)).toBeLessThan(4)
    expect(engine.events('sentEmails.changed').length).toBeGreaterThan(0)
    expect(await told(engine)).toEqual([])
  })

  it('isn’t fetched unless a window shows it', async () => {
    const { platform, engine, id, threadId } = await colleagues()
    const { inboxId } = platform
    await engine.advance(4_000)
    await engine.call('delivery.ofThread', { inboxId, threadId, mayAsk: false })
    await engine.settled()
    expect(asksOf(platform, id)).toBe(0)
  })

  it('is empty if unknown, and for received e-mails', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'A question' })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    const threadId = items[0]?.id ?? ''
    await engine.call('thread.open', { inboxId, threadId })
    expect(await engine.call('delivery.ofThread', { inboxId, threadId, mayAsk: true })).toEqual([])
    expect(await engine.call('delivery.ofThread', { inboxId, threadId: 'nowhere', mayAsk: true })).toEqual([])
    expect(await engine.problemOf('delivery.ofThread', { inboxId: 'x', threadId, mayAsk: true })).toMatchObject({
      code: 'not_found',
    })
  })
})
