import type { SendMailOptions } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { createFolderQuery, createMarkQuery } from '../../../src/shared/thread-query.ts'
import type { ThreadStateChange } from '../../../src/shared/thread-state.ts'
import { eventually } from './support/eventually.ts'
import { startInflatingProxy } from './support/inflating-proxy.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSynced } from './support/synced-account.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import type { TestPlatform } from './support/test-platform.ts'
import { testClock } from './support/test-time.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const ADA = 'Ada <ada@example.com>'
const THREADED = { inReplyTo: '<offer@example.com>', references: '<offer@example.com>' }

/** A report (RFC 3462) as a mail server or a mail program writes it. */
const report = (from: string, subject: string, type: string, returnPath = ''): SendMailOptions => ({
  envelope: { from: returnPath, to: 'inbox@linnet.example' },
  raw: [
    `From: ${from}`,
    'To: inbox@linnet.example',
    `Subject: ${subject}`,
    `Message-ID: <${type}-${Math.random()}@example.com>`,
    'In-Reply-To: <offer@example.com>',
    'References: <offer@example.com>',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary=x`,
    '',
    '--x\r\nContent-Type: text/plain\r\n\r\nA report about your message.',
    `--x\r\nContent-Type: message/${type}\r\n\r\nFinal-Recipient: rfc822; ada@example.com`,
    '--x--',
  ].join('\r\n'),
})

type Arrival = (platform: TestPlatform, threadId: string) => Promise<unknown>
const delivered =
  (message: SendMailOptions): Arrival =>
  ({ deliver, inboxAddress }) =>
    deliver({
      ...{ ...THREADED, from: ADA, text: 'Hello.', ...message },
      ...(message.envelope !== undefined && { envelope: { from: '', to: inboxAddress } }),
    })
const sentFromInbox: Arrival = async ({ ask, inboxId }, threadId) => {
  const path = `/inboxes/${inboxId}/threads/${threadId}/emails`
  const { data } = await ask<{ data: readonly { id: string }[] }>('GET', path)
  await ask('POST', `${path}/${data.at(-1)?.id ?? ''}/reply`, { text: 'One more thing.' })
}

const ANSWERS: readonly (readonly [string, Arrival])[] = [
  ['a person’s answer', delivered({ subject: 'Re: Offer' })],
  [
    'a person’s answer through a discussion list',
    delivered({
      subject: 'Re: Offer',
      headers: {
        ...{ 'List-Id': '<sales.example.com>', 'List-Post': '<mailto:sales@example.com>' },
        ...{ 'List-Unsubscribe': '<mailto:out@example.com>', Precedence: 'list' },
      },
    }),
  ],
  ['an answer by a person’s colleague', delivered({ subject: 'Re: Offer', from: 'Bo <bo@example.com>' })],
]

const NO_ANSWERS: readonly (readonly [string, Arrival])[] = [
  [
    'an out-of-office note by Exchange',
    delivered({
      subject: 'Automatic reply: Offer',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    }),
  ],
  [
    'an out-of-office note by Gmail',
    delivered({
      subject: 'Away until Monday Re: Offer',
      headers: { 'Auto-Submitted': 'auto-replied', Precedence: 'bulk', 'X-Autoreply': 'yes' },
    }),
  ],
  [
    'an out-of-office note by a Sieve script',
    delivered({ subject: 'Auto: Offer', headers: { 'Auto-Submitted': 'auto-replied (vacation)' } }),
  ],
  [
    'an out-of-office note by Notes',
    delivered({ subject: 'Ada is out of the office (returning Monday)', headers: { Precedence: 'junk' } }),
  ],
  [
    'an out-of-office note by Exchange in an unknown language',
    delivered({
      subject: 'Automaatvastus: Offer',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    }),
  ],
  ['an out-of-office note in German, without headers', delivered({ subject: 'Automatische Antwort: Offer' })],
  [
    'a ticket acknowledgement',
    delivered({
      ...{ from: 'Help <help@example.com>', subject: '[Request received] Offer' },
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    }),
  ],
  ['a note by a no-reply address', delivered({ from: 'no-reply@example.com', subject: 'Re: Offer' })],
  [
    'a delivery report by Exchange',
    delivered(
      report(
        'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com>',
        'Undeliverable: Offer',
        'delivery-status',
      ),
    ),
  ],
  [
    'a delivery report by Postfix',
    delivered(report('MAILER-DAEMON@example.com', 'Undelivered Mail Returned to Sender', 'delivery-status')),
  ],
  [
    'a delivery report by Gmail',
    delivered(
      report(
        'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
        'Delivery Status Notification (Failure)',
        'delivery-status',
      ),
    ),
  ],
  ['a read receipt', delivered(report(ADA, 'Read: Offer', 'disposition-notification'))],
  ['another message by the user', sentFromInbox],
]

const ARRIVALS = [
  ...ANSWERS.map(([name, arrive]) => [name, arrive, true] as const),
  ...NO_ANSWERS.map(([name, arrive]) => [name, arrive, false] as const),
]

const openReminded = async (changeAt = (now: number): ThreadStateChange => ({ remindAt: now + DAY })) => {
  const { platform, engine } = await openSynced({ generate: { threads: 60, seed: 7 } })
  const { inboxId } = platform
  await platform.deliver({ from: ADA, subject: 'Offer', text: 'Hello.', messageId: '<offer@example.com>' })
  const [offer] = await eventually(
    async () => {
      await engine.call('sync.now', {})
      return (
        await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 100 })
      ).items.filter(({ subject }) => subject === 'Offer')
    },
    (rows) => rows.length > 0,
  )
  if (offer === undefined) throw new Error('No mail came.')
  await engine.skip(HOUR)
  const change = changeAt(testClock().now())
  await engine.call('thread.change', { inboxId, threadIds: [offer.id], change: change as never })
  await engine.settled()
  return { platform, engine, threadId: offer.id }
}

const look = async (engine: TestEngine): Promise<void> => {
  await engine.call('sync.now', {})
  await engine.settled()
  await engine.advance(3_000)
  await engine.settled()
}

const resultOf = async (engine: TestEngine, { inboxId }: TestPlatform, threadId: string) => {
  const query = createMarkQuery(inboxId, 'back')
  const back = (await engine.call('thread.list', { query, offset: 0, limit: 100 })).items
  const told = engine.events('mail.arrived').filter(({ why }) => why === 'unanswered')
  return {
    isBack: back.some(({ id, marks }) => id === threadId && marks?.back?.why === 'unanswered'),
    told: told.length,
  }
}

describe('a reminder due while Linnet is closed', () => {
  it.each(ARRIVALS)('handles %s received before', async (_name, arrive, isAnswer) => {
    const { platform, engine, threadId } = await openReminded()
    await arrive(platform, threadId)
    await look(engine)
    await engine.close()
    await testClock().skip(2 * DAY)
    const again = await openTestEngine(platform, engine.directory)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual({ isBack: !isAnswer, told: isAnswer ? 0 : 1 })
  })

  it.each(ARRIVALS)('handles %s received meanwhile', async (_name, arrive, isAnswer) => {
    const { platform, engine, threadId } = await openReminded()
    await engine.close()
    await testClock().skip(36 * HOUR)
    await arrive(platform, threadId)
    await testClock().skip(12 * HOUR)
    const again = await openTestEngine(platform, engine.directory)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual({ isBack: !isAnswer, told: isAnswer ? 0 : 1 })
  })

  it.each(ARRIVALS)('handles %s received afterwards', async (_name, arrive, isAnswer) => {
    const { platform, engine, threadId } = await openReminded()
    await engine.close()
    await testClock().skip(2 * DAY)
    const again = await openTestEngine(platform, engine.directory)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual({ isBack: true, told: 1 })
    await arrive(platform, threadId)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual({ isBack: !isAnswer, told: 1 })
  })

  it('stays silent until the platform is reachable', async () => {
    const { platform, engine, threadId } = await openReminded()
    await engine.close()
    await testClock().skip(2 * DAY)
    await platform.fault({ kind: 'error_503', path: '/inboxes' })
    const again = await openTestEngine(platform, engine.directory)
    await again.advance(3 * HOUR)
    expect(await resultOf(again, platform, threadId)).toEqual({ isBack: false, told: 0 })
    await platform.fault()
    await again.advance(10 * 60_000)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual({ isBack: true, told: 1 })
  })
})

describe('a reminder due while the computer sleeps', () => {
  it.each(ARRIVALS)('handles %s received meanwhile', async (_name, arrive, isAnswer) => {
    const { platform, engine, threadId } = await openReminded()
    await arrive(platform, threadId)
    await engine.skip(2 * DAY)
    await engine.link.networkChanged()
    await look(engine)
    expect(await resultOf(engine, platform, threadId)).toEqual({ isBack: !isAnswer, told: isAnswer ? 0 : 1 })
  })

  it.each(ARRIVALS)('handles %s received afterwards', async (_name, arrive, isAnswer) => {
    const { platform, engine, threadId } = await openReminded()
    await engine.skip(2 * DAY)
    await engine.link.networkChanged()
    await look(engine)
    expect(await resultOf(engine, platform, threadId)).toEqual({ isBack: true, told: 1 })
    await arrive(platform, threadId)
    await look(engine)
    expect(await resultOf(engine, platform, threadId)).toEqual({ isBack: !isAnswer, told: 1 })
  })
})

describe('a reminder that looks for a reply', () => {
  const answered = { isBack: false, told: 0 }

  it.each([
    ['behind a robot’s mail that takes a page of its own', 3, undefined],
    ['that is too large to be fetched', undefined, 65],
  ])('finds one %s', async (_, robotSize, answerSize) => {
    const { platform, engine, threadId } = await openReminded()
    await engine.close()
    await platform.deliver({ ...THREADED, from: 'no-reply@example.com', subject: 'Robot' })
    await platform.deliver({ ...THREADED, from: ADA, subject: 'Re: Offer' })
    await testClock().skip(2 * DAY)
    const fill = (size: number | undefined) => (size === undefined ? undefined : 'x'.repeat(size * 1024 * 1024))
    const { baseUrl } = await startInflatingProxy(platform.baseUrl, ({ subject }) =>
      fill(subject === 'Robot' ? robotSize : subject === 'Re: Offer' ? answerSize : undefined),
    )
    const again = await openTestEngine({ baseUrl, apiKey: platform.apiKey }, engine.directory)
    await look(again)
    await again.advance(61_000)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual(answered)
  })

  it('finds one if the newest local message is gone from the platform', async () => {
    const { platform, engine, threadId } = await openReminded()
    const { emails } = await engine.call('thread.open', { inboxId: platform.inboxId, threadId })
    await engine.close()
    await platform.deliver({ ...THREADED, from: ADA, subject: 'Re: Offer' })
    await testClock().skip(2 * DAY)
    const { baseUrl, intercept } = await startInterceptingProxy(platform.baseUrl)
    intercept((_method, path) => (path.includes(`after=${emails.at(-1)?.id ?? ''}`) ? 404 : null))
    const again = await openTestEngine({ baseUrl, apiKey: platform.apiKey }, engine.directory)
    await look(again)
    await again.advance(61_000)
    await look(again)
    expect(await resultOf(again, platform, threadId)).toEqual(answered)
  })
})

describe('a snooze', () => {
  const isQuiet = (name: string): boolean => /out-of-office|acknowledgement|read receipt|by the user/.test(name)
  it.each(ARRIVALS.map(([name, arrive]) => [isQuiet(name) ? 'stays with' : 'ends with', name, arrive] as const))(
    '%s %s',
    async (effect, _name, arrive) => {
      const { platform, engine, threadId } = await openReminded((now) => ({ snoozedUntil: now + 5 * DAY }))
      await arrive(platform, threadId)
      await look(engine)
      const query = createMarkQuery(platform.inboxId, 'snoozed')
      const { items } = await engine.call('thread.list', { query, offset: 0, limit: 5 })
      expect(items.some(({ id }) => id === threadId)).toBe(effect === 'stays with')
    },
  )
})
