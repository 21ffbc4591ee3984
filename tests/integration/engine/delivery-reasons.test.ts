import { describe, expect, it } from 'vitest'
import type { Delivery, SentEmail } from '../../../src/shared/model.ts'
import { eventually } from './support/eventually.ts'
import { sendMessage } from './support/send-message.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

/** Nobody listens there. Events are logged whatever an endpoint answers. */
const ENDPOINT = 'http://127.0.0.1:9/hook'
const EVENTS = ['inbox.email.received', 'email.bounced', 'email.failed', 'email.suppressed']
const EVE = 'eve@pier.example'

const openWithWebhook = async () => {
  const platform = await startTestPlatform()
  const { id } = await platform.ask<{ id: string }>('POST', '/webhooks', { endpoint: ENDPOINT, events: EVENTS })
  const engine = await openSettledEngine(platform)
  await engine.call('window.activity', { activity: 'focused' })
  await engine.advance(5_000)
  return { platform, engine, webhookId: id }
}

const report = (platform: TestPlatform, emailId: string, event: object): Promise<unknown> =>
  platform.ask('PUT', `/_control/emails/${emailId}`, event)
const FULL = { last_event: 'bounced', bounce: { type: 'Transient', subType: 'MailboxFull' } }

const deliveryIn = async (
  engine: TestEngine,
  { inboxId }: TestPlatform,
  threadId: string,
): Promise<Delivery | undefined> => (await engine.call('delivery.ofThread', { inboxId, threadId, mayAsk: true })).at(-1)
const rowOf = async (engine: TestEngine, id: string): Promise<SentEmail | undefined> =>
  (await engine.call('sentEmail.list', { offset: 0, limit: 50 })).items.find((email) => email.id === id)
const told = async (engine: TestEngine) =>
  (await engine.call('problem.list', {})).filter(({ id }) => id.startsWith('not-delivered'))
const untilTold = (engine: TestEngine, words: string) =>
  eventually(
    () => told(engine),
    (problems) => problems.some(({ message }) => message.includes(words)),
  )

describe('the reason why a message was not delivered', () => {
  it.each([
    [FULL, 'Transient', 'MailboxFull', 'was not delivered: mailbox full. Wait'],
    [
      { last_event: 'bounced', bounce: { type: 'Transient', subType: 'MessageTooLarge' } },
      ...['Transient', 'MessageTooLarge', 'message too large'],
    ],
    [
      { last_event: 'bounced', bounce: { type: 'Transient', subType: 'ContentRejected' } },
      ...['Transient', 'ContentRejected', 'content refused'],
    ],
    [
      { last_event: 'bounced', bounce: { type: 'Transient', subType: 'AttachmentRejected' } },
      ...['Transient', 'AttachmentRejected', 'attachment refused'],
    ],
    [
      { last_event: 'bounced', bounce: { type: 'Permanent' } },
      ...['Permanent', 'General', 'no such address. Check it for typing mistakes. The platform added'],
    ],
    [
      { last_event: 'bounced', bounce: { type: 'Undetermined' } },
      ...['Undetermined', 'Undetermined', 'The server said: “The bounce message gives no reason.”.'],
    ],
    [
      { last_event: 'failed', failed: { reason: 'reached_daily_quota' } },
      ...[null, null, 'was not sent: your daily quota is used up'],
    ],
    [{ last_event: 'suppressed' }, 'OnAccountSuppressionList', null, 'on the platform’s suppression list'],
  ] as const)('is on the message, in the list and in the notice: %j', async (event, type, subType, words) => {
    const { platform, engine } = await openWithWebhook()
    const { emailId, threadId } = await sendMessage(engine, platform, EVE)
    await report(platform, emailId, event)
    await untilTold(engine, words)
    const failure = { type, subType, recipients: [EVE] }
    const delivery = await eventually(
      () => deliveryIn(engine, platform, threadId),
      (each) => each?.failure !== null && each?.failure !== undefined,
    )
    expect(delivery).toMatchObject({ lastEvent: event.last_event, failure })
    expect(await rowOf(engine, emailId)).toMatchObject({ failure })
    expect(await engine.call('sentEmail.get', { id: emailId })).toMatchObject({ failure })
    expect(await told(engine)).toHaveLength(1)

    await engine.close()
    await platform.stop()
    const again = await openTestEngine(platform, engine.directory)
    expect(await deliveryIn(again, platform, threadId)).toMatchObject({ failure })
  })

  it('appears if the event is read after the list, and updates the notice', async () => {
    const { platform, engine, webhookId } = await openWithWebhook()
    const { emailId, threadId } = await sendMessage(engine, platform, EVE)
    await platform.fault({ kind: 'error_500', path: `/webhooks/${webhookId}/events` })
    await report(platform, emailId, FULL)
    await untilTold(engine, 'the recipient’s server rejected the message')
    expect(await deliveryIn(engine, platform, threadId)).toMatchObject({ lastEvent: 'bounced', failure: null })
    await platform.fault()
    const before = engine.events('sentEmails.changed').length
    const [problem, ...others] = await untilTold(engine, 'mailbox full')
    expect(others).toEqual([])
    expect(engine.events('sentEmails.changed').length).toBeGreaterThan(before)
    expect(await deliveryIn(engine, platform, threadId)).toMatchObject({ failure: { subType: 'MailboxFull' } })
    expect(problem?.details).toEqual({ sentId: emailId, inboxId: platform.inboxId, threadId })
  })

  it('doesn’t bring back a dismissed notice', async () => {
    const { platform, engine, webhookId } = await openWithWebhook()
    const { emailId } = await sendMessage(engine, platform, EVE)
    await platform.fault({ kind: 'error_500', path: `/webhooks/${webhookId}/events` })
    await report(platform, emailId, FULL)
    const [problem] = await untilTold(engine, 'the recipient’s server rejected the message')
    await engine.call('problem.dismiss', { id: problem?.id ?? '' })
    await platform.fault()
    await eventually(
      () => rowOf(engine, emailId),
      (row) => row?.failure !== null,
    )
    // The windows and the notices learn of it a moment later.
    await engine.advance(1_000)
    expect(await told(engine)).toEqual([])
  })

  it('appears if the event is read before the list', async () => {
    const { platform, engine } = await openWithWebhook()
    const { emailId } = await sendMessage(engine, platform, EVE)
    await platform.fault({ kind: 'error_503', method: 'GET', path: '/emails' })
    await report(platform, emailId, FULL)
    await engine.advance(10_000)
    expect(await rowOf(engine, emailId)).toMatchObject({ lastEvent: 'sent', failure: null })
    await platform.fault()
    expect(await untilTold(engine, 'mailbox full')).toHaveLength(1)
  })

  it('names the affected one of several recipients', async () => {
    const { platform, engine } = await openWithWebhook()
    await sendMessage(engine, platform, 'bounced@resend.dev', 'kim@pier.example')
    const [problem] = await untilTold(engine, 'and 1 more was not delivered for bounced@resend.dev: no such address')
    expect(problem?.details).toMatchObject({ suppressedAddress: 'bounced@resend.dev' })
  })

  it('is unknown without a webhook', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { emailId } = await sendMessage(engine, platform, EVE)
    await report(platform, emailId, FULL)
    await untilTold(engine, 'the recipient’s server rejected the message. Check the address')
    expect(await rowOf(engine, emailId)).toMatchObject({ lastEvent: 'bounced', failure: null })
  })
})
