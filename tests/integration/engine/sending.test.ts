import { describe, expect, it } from 'vitest'
import { createFolderQuery, createMarkQuery } from '../../../src/shared/thread-query.ts'
import type { DraftContent, DraftKind, DraftTarget } from '../../../src/shared/drafts.ts'
import { eventually } from './support/eventually.ts'
import { testClock } from './support/test-time.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const ADA = { name: 'Ada Ferro', address: 'ada@example.com' }
const BOB = { name: null, address: 'bob@example.com' }
const CLEO = { name: null, address: 'cleo@example.com' }
const DAN = { name: null, address: 'dan@example.com' }
const DAY = 24 * 60 * 60 * 1000

const written = (change: Partial<DraftContent> = {}): DraftContent => ({
  ...{ to: [ADA], cc: [], bcc: [], subject: 'Berth for the Kittiwake' },
  ...{ format: 'rich', html: '<p>From Tuesday.</p>', text: 'From Tuesday.', quote: null, files: [] },
  ...change,
})

interface Sent {
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string
  readonly last_event: string
  readonly html: string | null
  readonly text: string | null
}

const sentBy = async ({ ask, inboxAddress }: TestPlatform): Promise<readonly Sent[]> => {
  const { data } = await ask<{ data: readonly (Sent & { from: string })[] }>('GET', '/emails?limit=100')
  const own = data.filter(({ from }) => from.includes(inboxAddress))
  return Promise.all(own.map(({ id }) => ask<Sent>('GET', `/emails/${id}`)))
}
const draftsOn = async ({ ask, inboxId }: TestPlatform): Promise<number> =>
  (await ask<{ data: unknown[] }>('GET', `/inboxes/${inboxId}/drafts`)).data.length

const openOne = async () => {
  const platform = await startTestPlatform()
  const engine = await openSettledEngine(platform)
  return { platform, engine }
}

const received = async ({ inboxId }: TestPlatform, engine: TestEngine): Promise<DraftTarget> => {
  const query = createFolderQuery(inboxId, 'inbox')
  await engine.call('sync.now', {})
  const { items } = await eventually(
    () => engine.call('thread.list', { query, offset: 0, limit: 5 }),
    (page) => page.items.length > 0,
  )
  const threadId = items[0]?.id ?? ''
  const { emails } = await eventually(
    () => engine.call('thread.open', { inboxId, threadId }),
    (thread) => thread.emails.length > 0,
  )
  return { threadId, emailId: emails.at(-1)?.id ?? '' }
}

const begin = (
  engine: TestEngine,
  { inboxId }: TestPlatform,
  content: DraftContent,
  kind: DraftKind = 'new',
  target: DraftTarget | null = null,
) => engine.call('draft.create', { inboxId, kind, target, content })

const AT_ONCE = { holdSeconds: 0, archive: false, scheduledAt: null }
const send = async (
  engine: TestEngine,
  draft: { readonly draftId: string; readonly revision: number },
  how: Partial<typeof AT_ONCE | { scheduledAt: number }> = {},
) => engine.call('draft.send', { ...draft, ...AT_ONCE, ...how })

const isSent = (engine: TestEngine, draftId: string) =>
  eventually(
    () => engine.events('draft.sent').find((event) => event.draftId === draftId),
    (event) => event !== undefined,
  )
const stateOf = (engine: TestEngine, draftId: string) =>
  engine.call('draft.open', { draftId }).then(({ state }) => state)
const refused = async (engine: TestEngine, draftId: string) => {
  const state = await eventually(
    () => stateOf(engine, draftId),
    ({ kind }) => kind === 'refused',
  )
  return state.kind === 'refused' ? state.reason : null
}

const addFile = async (engine: TestEngine, draftId: string, filename: string, content: string, isInline = false) => {
  const base64 = Buffer.from(content).toString('base64')
  const file = {
    draftId,
    upload: filename,
    place: 0,
    base64,
    isLast: true,
    filename,
    contentType: 'image/png',
    isInline,
  }
  const added = await engine.call('draft.addFile', file)
  if (added === null) throw new Error('The file is not whole.')
  return added
}

describe('a sent message', () => {
  it('returns unless answered, if a reminder was set', async () => {
    const { platform, engine } = await openOne()
    const { inboxId } = platform
    const remindAt = testClock().now() + 2 * DAY
    const draft = await begin(engine, platform, written())
    await engine.call('draft.remind', { draftId: draft.draftId, remindAt })
    // The platform adds no scheduled message to a thread.
    const scheduledAt = testClock().now() + DAY
    const problem = await engine.problemOf('draft.send', { ...draft, ...AT_ONCE, scheduledAt })
    expect(problem.code).toBe('refused')
    expect(problem.message).toContain('Remove the reminder')
    await send(engine, draft, { holdSeconds: 60 })
    expect(await engine.call('draft.cancelSending', { draftId: draft.draftId })).toMatchObject({ remindAt })
    expect(await engine.call('draft.open', { draftId: draft.draftId })).toMatchObject({ remindAt })
    await send(engine, draft)
    await eventually(
      () => sentBy(platform),
      (sent) => sent.length === 1,
    )
    const marked = () =>
      engine.call('thread.list', { query: createMarkQuery(inboxId, 'reminder'), offset: 0, limit: 5 })
    const { items } = await eventually(marked, (page) => page.items.length === 1)
    expect(items[0]).toMatchObject({ subject: 'Berth for the Kittiwake', marks: { remindAt } })
    await engine.skip(2 * DAY)
    await engine.call('sync.now', {})
    const inbox = () => engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 5 })
    const back = await eventually(inbox, (page) => page.items.length === 1)
    expect(back.items[0]?.marks?.back).toEqual({ at: remindAt, why: 'unanswered' })
  })

  it('keeps its reminder despite earlier mail and an outdated row', async () => {
    const { platform, engine } = await openOne()
    const { inboxId } = platform
    const ada = 'Ada Ferro <ada@example.com>'
    await platform.deliver({ subject: 'Berths', from: ada, messageId: '<berths@example.com>' })
    const target = await received(platform, engine)
    const draft = await begin(engine, platform, written({ subject: 'Re: Berths' }), 'reply', target)
    await engine.call('draft.remind', { draftId: draft.draftId, remindAt: testClock().now() + 2 * DAY })
    await platform.deliver({
      ...{ subject: 'Re: Berths', from: ada, text: 'By the way.' },
      ...{ inReplyTo: '<berths@example.com>', references: '<berths@example.com>' },
    })
    // Reads the thread's e-mails, but not the list.
    await engine.call('draft.elsewhere', { draftId: draft.draftId })
    await send(engine, draft)
    await isSent(engine, draft.draftId)
    await engine.call('sync.now', {})
    await engine.settled()
    await engine.advance(5_000)
    const query = createMarkQuery(inboxId, 'reminder')
    expect((await engine.call('thread.list', { query, offset: 0, limit: 5 })).items).toHaveLength(1)
  })

  it('is on the platform once, and its draft is gone', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    await send(engine, draft)
    const event = await isSent(engine, draft.draftId)
    const sent = await sentBy(platform)
    expect(sent).toMatchObject([
      { id: event?.emailId, subject: 'Berth for the Kittiwake', html: '<p>From Tuesday.</p>', text: 'From Tuesday.' },
    ])
    expect(sent[0]?.to).toEqual(['Ada Ferro <ada@example.com>'])
    expect(await engine.call('draft.list', {})).toEqual([])
    expect(await draftsOn(platform)).toBe(0)
    const query = createFolderQuery(platform.inboxId, 'sent')
    await eventually(
      () => engine.call('thread.list', { query, offset: 0, limit: 5 }),
      ({ items }) => items.some(({ id }) => id === event?.threadId),
    )
  })

  it('carries inline pictures by their names', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    const picture = await addFile(engine, draft.draftId, 'quay.png', 'pixels', true)
    const content = written({ html: `<p><img src="cid:${picture.contentId ?? ''}"></p>`, files: [picture] })
    const { revision } = await engine.call('draft.save', { ...draft, content })
    await send(engine, { ...draft, revision })
    const event = await isSent(engine, draft.draftId)
    const { data } = await platform.ask<{ data: unknown[] }>('GET', `/emails/${event?.emailId ?? ''}/attachments`)
    expect(data).toMatchObject([{ filename: 'quay.png', content_id: picture.contentId, size: 6 }])
  })

  it.each([
    ['a new one', 'new', ADA, null],
    ['a scheduled one', 'new', ADA, 2_000],
    ['an answer', 'reply', ADA, null],
    ['a reply to someone else', 'reply', BOB, null],
    ['a forwarded one', 'forward', BOB, null],
  ] as const)('goes to all recipients, including Bcc: %s', async (_, kind, to, later) => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = kind === 'new' ? null : await received(platform, engine)
    const quote = { html: '<p>Hello</p>', text: 'Hello' }
    const content = written({ to: [to], cc: [CLEO], bcc: [DAN], quote })
    const draft = await begin(engine, platform, content, kind, target)
    await send(engine, draft, later === null ? {} : { scheduledAt: testClock().now() + later })
    const event = await isSent(engine, draft.draftId)
    expect(await platform.ask('GET', `/emails/${event?.emailId ?? ''}`)).toMatchObject({
      to: [expect.stringContaining(to.address)],
      cc: [CLEO.address],
      bcc: [DAN.address],
    })
  })

  it('replies within its thread, refreshes it, and archives it', async () => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = await received(platform, engine)
    const quote = { html: '<blockquote>Hello</blockquote>', text: '> Hello' }
    const draft = await begin(engine, platform, written({ subject: 'Re: Berths', quote }), 'reply', target)
    await send(engine, draft, { archive: true })
    const event = await isSent(engine, draft.draftId)
    expect(event).toMatchObject({ threadId: target.threadId, inboxId: platform.inboxId })
    expect(platform.requests().filter((request) => request.includes('/reply 200'))).toHaveLength(1)
    const { emails, thread } = await eventually(
      () => engine.call('thread.open', { inboxId: platform.inboxId, threadId: target.threadId }),
      (opened) => opened.emails.length === 2 && opened.thread.folder === 'archive',
    )
    expect(thread.folder).toBe('archive')
    expect(emails.at(-1)).toMatchObject({
      direction: 'outbound',
      html: '<p>From Tuesday.</p><br><blockquote>Hello</blockquote>',
      text: 'From Tuesday.\n\n> Hello',
    })
    await engine.settled()
  })

  it('archives its thread at once, and returns it if undone or rejected', async () => {
    const { platform, engine } = await openOne()
    await platform.deliver({ from: 'Ada Ferro <ada@example.com>', subject: 'Berth', text: 'Is it free?' })
    const target = await received(platform, engine)
    const { inboxId } = platform
    const thread = { inboxId, threadId: target.threadId }
    const folderNow = async () => (await engine.call('thread.open', thread)).thread.folder
    const draft = await begin(engine, platform, written(), 'reply', target)
    await send(engine, draft, { archive: true, holdSeconds: 120 })
    expect(await folderNow()).toBe('archive')
    await engine.call('draft.cancelSending', { draftId: draft.draftId })
    expect(await folderNow()).toBe('inbox')
    await send(engine, draft, { archive: true, holdSeconds: 120 })
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    const folderThen = async () => (await again.call('thread.open', thread)).thread.folder
    expect(await folderThen()).toBe('archive')
    await again.call('draft.cancelSending', { draftId: draft.draftId })
    expect(await folderThen()).toBe('inbox')
    await platform.fault({ kind: 'error_422', method: 'POST', path: '/', times: 1, message: 'Something else.' })
    await send(again, draft, { archive: true })
    await refused(again, draft.draftId)
    expect(await folderThen()).toBe('inbox')
    await again.settled()
    const there = await platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${target.threadId}`)
    expect(there.folder).toBe('inbox')
  })

  it('may go to other recipients within its thread', async () => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = await received(platform, engine)
    const content = written({ subject: 'Re: Berths', to: [BOB], cc: [ADA] })
    const draft = await begin(engine, platform, content, 'reply', target)
    await send(engine, draft)
    expect(await isSent(engine, draft.draftId)).toMatchObject({ threadId: target.threadId })
    expect((await sentBy(platform)).map(({ to }) => to)).toEqual([['bob@example.com']])
    const { data } = await platform.ask<{ data: unknown[] }>(
      'GET',
      `/inboxes/${platform.inboxId}/threads/${target.threadId}/emails`,
    )
    expect(data).toHaveLength(2)
  })

  it.each([
    ['as the platform would address it', [ADA]],
    ['to someone else', [BOB]],
  ])('keeps its own text next to another reply to the same e-mail: %s', async (_, to) => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = await received(platform, engine)
    const texts = ['The first.', 'The second.', 'The third.', 'The fourth.']
    const writtenAs = (text: string) => written({ subject: 'Re: Berths', to, html: `<p>${text}</p>`, text })
    const [first, second] = await Promise.all(
      texts.slice(0, 2).map((text) => begin(engine, platform, writtenAs(text), 'reply', target)),
    )
    // Two drafts are on the platform already, and two are uploaded while being sent.
    await eventually(
      () => engine.call('draft.list', {}),
      (all) => all.every(({ isSynced }) => isSynced),
    )
    const [third, fourth] = await Promise.all(
      texts.slice(2).map((text) => begin(engine, platform, writtenAs(text), 'reply', target)),
    )
    const drafts = [first, second, third, fourth].flatMap((draft) => draft ?? [])
    await Promise.all(drafts.map((draft) => send(engine, draft)))
    for (const { draftId } of drafts) {
      expect(await isSent(engine, draftId)).toMatchObject({ threadId: target.threadId })
    }
    expect((await sentBy(platform)).map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
    const threadPath = `/inboxes/${platform.inboxId}/threads/${target.threadId}/emails`
    expect((await platform.ask<{ data: unknown[] }>('GET', threadPath)).data).toHaveLength(5)
    expect(await draftsOn(platform)).toBe(0)
  })

  it('leaves a colleague’s draft of the same reply alone', async () => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = await received(platform, engine)
    const theirs = { thread_id: target.threadId, reply_to_email_id: target.emailId, text: 'Of a colleague' }
    await platform.ask('POST', `/inboxes/${platform.inboxId}/drafts`, theirs)
    const draft = await begin(engine, platform, written({ subject: 'Re: Berths', to: [BOB] }), 'reply', target)
    await send(engine, draft)
    await isSent(engine, draft.draftId)
    expect((await sentBy(platform)).map(({ text }) => text)).toEqual(['From Tuesday.'])
    expect(await draftsOn(platform)).toBe(1)
  })

  it('forwards an e-mail with attachments sent by the platform', async () => {
    const { platform, engine } = await openOne()
    await platform.deliver({
      subject: 'Plan',
      text: 'See the plan.',
      attachments: [{ filename: 'plan.txt', content: 'All of it' }],
    })
    const target = await received(platform, engine)
    const quote = { html: '<p>See the plan.</p>', text: 'See the plan.' }
    const draft = await begin(engine, platform, written({ subject: 'Fwd: Plan', to: [BOB], quote }), 'forward', target)
    const of = { list: 'threads', inboxId: platform.inboxId, ...target } as const
    const { files } = await engine.call('draft.addFrom', { draftId: draft.draftId, of })
    const extra = await addFile(engine, draft.draftId, 'quay.png', 'pixels')
    const content = written({ subject: 'Fwd: Plan', to: [BOB], quote, files: [...files, extra] })
    const { revision } = await engine.call('draft.save', { ...draft, content })
    await send(engine, { ...draft, revision })
    const event = await isSent(engine, draft.draftId)
    expect(platform.requests().filter((request) => request.includes('/forward 200'))).toHaveLength(1)
    const { data } = await platform.ask<{ data: { filename: string }[] }>(
      'GET',
      `/emails/${event?.emailId ?? ''}/attachments`,
    )
    expect(data.map(({ filename }) => filename)).toEqual(['plan.txt', 'quay.png'])
  })

  it.each([
    [
      'HTML',
      { text: undefined, html: '<p>See the plan.</p><img src="https://tracker.example/1.gif"><b hidden>UNSEEN</b>' },
    ],
    ['no known text', { text: '' }],
    ['HTML next to text', { text: 'See the plan.', html: '<p>See the plan.</p><script>alert("UNSEEN")</script>' }],
    ['text with invisible characters', { text: 'See the\u{e0055}\u{e004e} plan.' }],
  ])('forwards only what was shown, with attachments: %s', async (_, mail) => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Plan', ...mail, attachments: [{ filename: 'plan.txt', content: 'All of it' }] })
    const target = await received(platform, engine)
    const quote = { html: '<p>See the plan.</p>', text: 'See the plan.' }
    const draft = await begin(engine, platform, written({ subject: 'Fwd: Plan', to: [BOB], quote }), 'forward', target)
    const of = { list: 'threads', inboxId: platform.inboxId, ...target } as const
    const { files } = await engine.call('draft.addFrom', { draftId: draft.draftId, of })
    const content = written({ subject: 'Fwd: Plan', to: [BOB], quote, files })
    const { revision } = await engine.call('draft.save', { ...draft, content })
    await send(engine, { ...draft, revision })
    const event = await isSent(engine, draft.draftId)
    expect(await platform.ask('GET', `/emails/${event?.emailId ?? ''}`)).toMatchObject({
      subject: 'Fwd: Plan',
      html: '<p>From Tuesday.</p><br><p>See the plan.</p>',
      text: 'From Tuesday.\n\nSee the plan.',
    })
    expect(await platform.ask('GET', `/emails/${event?.emailId ?? ''}/attachments`)).toMatchObject({
      data: [{ filename: 'plan.txt', size: 9 }],
    })
  })
})

describe('a message whose response is lost', () => {
  it.each([
    ['a new one', 'new'],
    ['an answer', 'reply'],
    ['a forwarded one', 'forward'],
  ] as const)('is still sent once: %s', async (_, kind) => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = kind === 'new' ? null : await received(platform, engine)
    await platform.fault(
      { kind: 'error_500', method: 'POST', path: '/', times: 1 },
      { kind: 'lost', method: 'POST', path: '/', times: 2 },
      { kind: 'rate_limited', method: 'POST', path: '/', times: 1, retry_after: 1 },
    )
    const quote = { html: '<p>Hello</p>', text: 'Hello' }
    const draft = await begin(engine, platform, written({ quote }), kind, target)
    await send(engine, draft)
    await isSent(engine, draft.draftId)
    expect(await sentBy(platform)).toHaveLength(1)
    expect(await draftsOn(platform)).toBe(0)
  })

  it('is looked up after its key expired, and not sent again', async () => {
    const { platform, engine } = await openOne()
    await platform.fault({ kind: 'lost', method: 'POST', path: '/inboxes', times: 1, skip: 1 })
    const picture = await (async () => {
      const draft = await begin(engine, platform, written())
      return { draft, file: await addFile(engine, draft.draftId, 'quay.png', 'pixels', true) }
    })()
    const content = written({ html: `<img src="cid:${picture.file.contentId ?? ''}">`, files: [picture.file] })
    const { revision } = await engine.call('draft.save', { ...picture.draft, content })
    await platform.fault({ kind: 'lost', method: 'POST', path: '/emails' })
    await send(engine, { ...picture.draft, revision })
    await eventually(
      () => sentBy(platform),
      (sent) => sent.length === 1,
    )
    await engine.close()
    await engine.skip(DAY)
    await platform.fault()
    const later = await openTestEngine(platform, engine.directory)
    await isSent(later, picture.draft.draftId)
    expect(await sentBy(platform)).toHaveLength(1)
    expect(platform.requests().filter((request) => request.startsWith('POST /emails'))).toHaveLength(1)
  })
})

describe('a queued message', () => {
  it('can be taken back while held, and is sent automatically afterwards', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    const { state } = await send(engine, draft, { holdSeconds: 60 })
    expect(state.kind).toBe('held')
    expect((await engine.status()).pendingChanges).toBe(1)
    expect((await engine.problemOf('draft.save', { ...draft, content: written() })).code).toBe('conflict')
    await engine.advance(50_000)
    expect(await stateOf(engine, draft.draftId)).toEqual(state)
    expect(await sentBy(platform)).toEqual([])
    expect((await engine.call('draft.cancelSending', { draftId: draft.draftId })).state).toEqual({ kind: 'open' })
    await send(engine, draft, { holdSeconds: 1 })
    await isSent(engine, draft.draftId)
    expect(await sentBy(platform)).toHaveLength(1)
  })

  it('is sent at the next start if its time has passed', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    await send(engine, draft, { holdSeconds: 1 })
    await engine.close()
    expect(await sentBy(platform)).toEqual([])
    await engine.advance(1_100)
    const later = await openTestEngine(platform, engine.directory)
    await isSent(later, draft.draftId)
    expect(await sentBy(platform)).toHaveLength(1)
  })

  it('can be read, corrected and sent again offline', async () => {
    const { platform, engine } = await openOne()
    await engine.close()
    const nowhere = { ...platform, baseUrl: 'http://127.0.0.1:9' }
    const offline = await openTestEngine(nowhere, engine.directory)
    const draft = await begin(offline, platform, written())
    const file = await addFile(offline, draft.draftId, 'quay.png', 'pixels')
    const saved = await offline.call('draft.save', { ...draft, content: written({ files: [file] }) })
    await send(offline, { ...draft, ...saved })
    await offline.advance(300)
    await offline.close()

    const again = await openTestEngine(nowhere, engine.directory)
    await again.advance(300)
    const { draftId } = draft
    const waiting = {
      state: { kind: 'sending', mayHaveLeft: false },
      content: { text: 'From Tuesday.', files: [{ filename: 'quay.png' }] },
    }
    expect(await again.call('draft.open', { draftId })).toMatchObject(waiting)
    const base64 = await again.call('draft.readFile', { draftId, fileId: file.id, place: 0 })
    expect(Buffer.from(base64 ?? '', 'base64').toString()).toBe('pixels')
    expect(await again.call('draft.list', {})).toMatchObject([
      { id: draftId, state: { kind: 'sending', mayHaveLeft: false }, files: 1 },
    ])
    expect((await again.status()).pendingChanges).toBe(1)
    const mended = { draftId, ...saved, content: written({ subject: 'Mended', files: [file] }) }
    expect((await again.problemOf('draft.save', mended)).code).toBe('conflict')
    expect((await again.problemOf('draft.discard', { draftId })).code).toBe('conflict')
    const back = await again.call('draft.cancelSending', { draftId })
    expect(back).toMatchObject({ ...waiting, state: { kind: 'open' } })
    const { revision } = await again.call('draft.save', mended)
    await send(again, { draftId, revision })
    await again.close()
    const online = await openTestEngine(platform, engine.directory)
    await isSent(online, draftId)
    expect((await sentBy(platform)).map(({ subject }) => subject)).toEqual(['Mended'])
  })

  it('isn’t sent after being taken back offline, and can be discarded', async () => {
    const { platform, engine } = await openOne()
    await engine.close()
    const offline = await openTestEngine({ ...platform, baseUrl: 'http://127.0.0.1:9' }, engine.directory)
    const drafts = [await begin(offline, platform, written()), await begin(offline, platform, written())]
    for (const draft of drafts) await send(offline, draft)
    for (const { draftId } of drafts) await offline.call('draft.cancelSending', { draftId })
    await offline.call('draft.discard', { draftId: drafts[0]?.draftId ?? '' })
    await offline.close()
    const online = await openTestEngine(platform, engine.directory)
    await eventually(
      () => draftsOn(platform),
      (count) => count === 1,
    )
    await online.settled()
    expect(await online.call('draft.list', {})).toMatchObject([{ id: drafts[1]?.draftId, state: { kind: 'open' } }])
    expect(await sentBy(platform)).toEqual([])
  })
})

describe('a scheduled message', () => {
  const inAnHour = () => Date.now() + 3_600_000

  it('is kept locally and on the platform, rescheduled, and cancelled', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    const at = inAnHour()
    await send(engine, draft, { scheduledAt: at })
    await eventually(
      () => stateOf(engine, draft.draftId),
      (state) => state.kind === 'scheduled' && state.at === at,
    )
    expect(await sentBy(platform)).toMatchObject([{ last_event: 'scheduled' }])
    await engine.call('draft.reschedule', { draftId: draft.draftId, scheduledAt: at + 60_000 })
    expect(await stateOf(engine, draft.draftId)).toEqual({ kind: 'scheduled', at: at + 60_000 })
    expect((await engine.call('draft.cancelSending', { draftId: draft.draftId })).state).toEqual({ kind: 'open' })
    expect(await sentBy(platform)).toMatchObject([{ last_event: 'canceled' }])
    await send(engine, draft)
    await isSent(engine, draft.draftId)
    expect((await sentBy(platform)).filter(({ last_event: event }) => event !== 'canceled')).toHaveLength(1)
  })

  it('is listed once, although its saved draft was listed too', async () => {
    const { platform, engine } = await openOne()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
    const target = await received(platform, engine)
    const draft = await begin(engine, platform, written(), 'reply', target)
    await eventually(
      () => engine.call('draft.list', { cacheOnly: true }),
      ([listed]) => listed?.isSynced === true,
    )
    // The platform's list is read, and has the draft.
    const before = platform.requests().length
    await engine.call('draft.list', {})
    await eventually(
      () => Promise.resolve(platform.requests().slice(before)),
      (requests) => requests.some((request) => request.includes('/drafts')),
    )
    await engine.settled()
    await send(engine, draft, { scheduledAt: inAnHour() })
    await eventually(
      () => stateOf(engine, draft.draftId),
      ({ kind }) => kind === 'scheduled',
    )
    await eventually(
      () => draftsOn(platform),
      (count) => count === 0,
    )
    await engine.settled()
    expect(await engine.call('draft.list', { cacheOnly: true })).toMatchObject([{ id: draft.draftId, isOurs: true }])
  })

  it('is rescheduled offline before it was sent', async () => {
    const { platform, engine } = await openOne()
    await engine.close()
    const offline = await openTestEngine({ ...platform, baseUrl: 'http://127.0.0.1:9' }, engine.directory)
    const { draftId, revision } = await begin(offline, platform, written())
    const at = inAnHour()
    await send(offline, { draftId, revision }, { scheduledAt: at })
    await offline.call('draft.reschedule', { draftId, scheduledAt: at + 60_000 })
    const past = await offline.problemOf('draft.reschedule', { draftId, scheduledAt: Date.now() - 1_000 })
    expect(past).toMatchObject({ code: 'refused', details: { field: 'schedule' } })
    await offline.close()
    const online = await openTestEngine(platform, engine.directory)
    await eventually(
      () => stateOf(online, draftId),
      (state) => state.kind === 'scheduled' && state.at === at + 60_000,
    )
    const sent = await platform.ask<{ data: readonly { scheduled_at: string }[] }>('GET', '/emails?limit=5')
    expect(sent.data.map((each) => Date.parse(each.scheduled_at))).toEqual([at + 60_000])
  })

  it('keeps its time if the platform rejects another, or it was sent', async () => {
    const { platform, engine } = await openOne()
    const { draftId, revision } = await begin(engine, platform, written())
    const at = inAnHour()
    expect((await engine.problemOf('draft.reschedule', { draftId, scheduledAt: at })).code).toBe('conflict')
    await send(engine, { draftId, revision }, { scheduledAt: at })
    await eventually(
      () => stateOf(engine, draftId),
      ({ kind }) => kind === 'scheduled',
    )
    await platform.fault({ kind: 'error_422', method: 'PATCH', path: '/emails', times: 1, message: 'Too late.' })
    const refusal = await engine.problemOf('draft.reschedule', { draftId, scheduledAt: at + 60_000 })
    expect(refusal).toMatchObject({ code: 'refused', message: 'The platform rejected the request: Too late.' })
    expect(await stateOf(engine, draftId)).toEqual({ kind: 'scheduled', at })
    await platform.fault({ kind: 'lost', method: 'PATCH', path: '/emails', times: 1 })
    await engine.problemOf('draft.reschedule', { draftId, scheduledAt: at + 120_000 })
    expect(await stateOf(engine, draftId)).toEqual({ kind: 'scheduled', at: at + 120_000 })
    await engine.call('draft.reschedule', { draftId, scheduledAt: testClock().now() + 1_500 })
    await isSent(engine, draftId)
    expect((await engine.problemOf('draft.reschedule', { draftId, scheduledAt: at })).code).toBe('not_found')
    expect((await engine.problemOf('draft.cancelSending', { draftId })).code).toBe('not_found')
    expect(await sentBy(platform)).toHaveLength(1)
  })

  it('disappears locally once the platform has sent it', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    await send(engine, draft, { scheduledAt: testClock().now() + 2_000 })
    await isSent(engine, draft.draftId)
    expect(await sentBy(platform)).toHaveLength(1)
    expect(await engine.call('draft.list', {})).toEqual([])
  })

  it('is polled after its time until the platform has sent it', async () => {
    const { platform, engine } = await openOne()
    const { draftId, revision } = await begin(engine, platform, written())
    await send(engine, { draftId, revision }, { scheduledAt: testClock().now() + 2_000 })
    await eventually(
      () => stateOf(engine, draftId),
      ({ kind }) => kind === 'scheduled',
    )
    const [sent] = await sentBy(platform)
    const path = `/emails/${sent?.id ?? ''}`
    await platform.fault({ kind: 'error_422', method: 'GET', path })
    const looks = (): number => platform.requests().filter((request) => request === `GET ${path} 422`).length
    for (let seconds = 0; seconds < 15; seconds += 3) await engine.advance(3_000)
    expect(looks()).toBe(1)
    await platform.fault()
    await engine.advance(20_000)
    await isSent(engine, draftId)
  })

  it('becomes a draft when cancelled, also after a crash', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    const { draftId } = draft
    await send(engine, draft, { scheduledAt: inAnHour() })
    await eventually(
      () => stateOf(engine, draftId),
      ({ kind }) => kind === 'scheduled',
    )
    const [sent] = await sentBy(platform)
    await platform.fault({ kind: 'lost', method: 'POST', path: `/emails/${sent?.id ?? ''}/cancel` })
    const cancelling = engine.call('draft.cancelSending', { draftId }).catch(() => null)
    await eventually(
      () => sentBy(platform),
      ([email]) => email?.last_event === 'canceled',
    )
    await engine.close()
    await cancelling
    await platform.fault()
    const later = await openTestEngine(platform, engine.directory)
    await eventually(
      () => stateOf(later, draftId),
      ({ kind }) => kind !== 'scheduled',
    )
    expect(await stateOf(later, draftId)).toEqual({ kind: 'open' })
  })

  it('returns to the composer with the reason if cancelled elsewhere', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    await send(engine, draft, { scheduledAt: inAnHour() })
    await eventually(
      () => stateOf(engine, draft.draftId),
      ({ kind }) => kind === 'scheduled',
    )
    await engine.close()
    const [sent] = await sentBy(platform)
    await platform.ask('POST', `/emails/${sent?.id ?? ''}/cancel`, {})
    const later = await openTestEngine(platform, engine.directory)
    expect(await refused(later, draft.draftId)).toMatchObject({ field: 'schedule' })
  })
})

describe('a message that can’t be sent', () => {
  it.each([
    ['no recipient', { to: [] }, 'to'],
    ['an invalid address', { to: [{ name: null, address: 'ada' }] }, 'to'],
    [
      'too many recipients',
      { bcc: Array.from({ length: 50 }, (_, at) => ({ name: null, address: `p${at}@x.example` })) },
      'to',
    ],
  ])('is reported at once, with the field: %s', async (_, change, field) => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written(change))
    const problem = await engine.problemOf('draft.send', { ...draft, ...AT_ONCE })
    expect(problem).toMatchObject({ code: 'refused', details: { field } })
    expect(await stateOf(engine, draft.draftId)).toEqual({ kind: 'open' })
    expect(platform.requests().filter((request) => request.startsWith('POST'))).toEqual([])
  })

  it('is still sent if only its subject is missing', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written({ subject: '' }))
    await send(engine, draft)
    await isSent(engine, draft.draftId)
    expect(await sentBy(platform)).toHaveLength(1)
  })

  it.each([
    ['The example.com domain is not verified.', 'from'],
    ['The recipient is on the suppression list.', 'to'],
    ['The attachment is not allowed.', 'files'],
    ['Something else.', 'message'],
  ])('returns with the platform’s reason, and can be corrected: %s', async (message, field) => {
    const { platform, engine } = await openOne()
    await platform.fault({ kind: 'error_422', method: 'POST', path: '/', times: 1, message })
    const draft = await begin(engine, platform, written())
    await send(engine, draft)
    expect(await refused(engine, draft.draftId)).toMatchObject({
      field,
      message: `The platform rejected the request: ${message}`,
    })
    expect(await engine.rollbackNotices()).toEqual([])
    expect((await engine.status()).pendingChanges).toBe(0)
    const { revision } = await engine.call('draft.save', { ...draft, content: written({ subject: 'Mended' }) })
    await send(engine, { ...draft, revision })
    await isSent(engine, draft.draftId)
    expect((await sentBy(platform)).map(({ subject }) => subject)).toEqual(['Mended'])
  })

  it('isn’t sent twice by two windows, or with another revision', async () => {
    const { platform, engine } = await openOne()
    const draft = await begin(engine, platform, written())
    expect((await engine.problemOf('draft.send', { ...draft, revision: 7, ...AT_ONCE })).code).toBe('conflict')
    await send(engine, draft, { holdSeconds: 30 })
    expect((await engine.problemOf('draft.send', { ...draft, ...AT_ONCE })).code).toBe('conflict')
  })
})
