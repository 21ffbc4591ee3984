/** When two people reply to one thread, the second learns of the first one's reply before sending. */
import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import type { Elsewhere, DraftContent, DraftTarget } from '../../../src/shared/drafts.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const NOTHING: Elsewhere = { theirs: null, answers: [], drafts: [] }
const AT_ONCE = { holdSeconds: 0, archive: false, scheduledAt: null }

const written = (text: string): DraftContent => ({
  ...{ to: [{ name: 'Ada Ferro', address: 'ada@example.com' }], cc: [], bcc: [], subject: 'Re: Berths' },
  ...{ format: 'plain', html: '', text, quote: null, files: [] },
})

const received = async ({ inboxId }: TestPlatform, engine: TestEngine, count = 1): Promise<DraftTarget> => {
  await engine.call('sync.now', {})
  const { items } = await eventually(
    () => engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 5 }),
    (page) => page.items.length > 0,
  )
  const threadId = items[0]?.id ?? ''
  const { emails } = await eventually(
    () => engine.call('thread.open', { inboxId, threadId }),
    (thread) => thread.emails.length >= count,
  )
  return { threadId, emailId: emails.at(-1)?.id ?? '' }
}

const start = async (platform?: TestPlatform) => {
  const on = platform ?? (await startTestPlatform())
  await on.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>' })
  const engine = await openSettledEngine(on)
  const target = await received(on, engine)
  return { platform: on, engine, target }
}

const begin = (engine: TestEngine, { inboxId }: TestPlatform, target: DraftTarget, text = 'From Tuesday.') =>
  engine.call('draft.create', { inboxId, kind: 'reply', target, content: written(text) })

const look = (engine: TestEngine, draftId: string) => engine.call('draft.elsewhere', { draftId })
const known = (engine: TestEngine, draftId: string) => engine.call('draft.elsewhere', { draftId, cacheOnly: true })

const answerThere = ({ ask, inboxId }: TestPlatform, { threadId, emailId }: DraftTarget, text: string) =>
  ask<{ id: string }>('POST', `/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/reply`, { text })

const stateOf = async (engine: TestEngine, draftId: string) => (await engine.call('draft.open', { draftId })).state

/** Sends a draft as windows do. @returns its state once it is no longer about to be sent, or null if it was sent */
const sendAsking = async (
  engine: TestEngine,
  { draftId, revision }: { readonly draftId: string; readonly revision: number },
  archive = false,
) => {
  await engine.call('draft.send', { draftId, revision, ...AT_ONCE, archive, asksFirst: true })
  return eventually(
    async () => {
      const listed = await engine.call('draft.list', {})
      // A draft that was sent is in no list.
      return listed.find(({ id }) => id === draftId)?.state ?? null
    },
    (state) => state === null || (state.kind === 'held' && state.at === null),
  )
}

const send = async (engine: TestEngine, draft: { readonly draftId: string; readonly revision: number }) => {
  await engine.call('draft.send', { ...draft, ...AT_ONCE })
  await eventually(
    () => engine.events('draft.sent'),
    (events) => events.some(({ draftId }) => draftId === draft.draftId),
  )
}

const since = (platform: TestPlatform, part: string) => {
  const before = platform.requests().length
  return () =>
    platform
      .requests()
      .slice(before)
      .filter((request) => request.includes(part)).length
}

describe('a reply while someone else replies', () => {
  it('learns of a colleague’s reply before it is synced', async () => {
    const { platform, engine, target } = await start()
    const { draftId } = await begin(engine, platform, target)
    expect(await look(engine, draftId)).toEqual(NOTHING)
    await engine.advance(3_000)
    const { id } = await answerThere(platform, target, 'You can have berth 14.')
    expect(await known(engine, draftId)).toEqual(NOTHING)
    const { answers, drafts } = await look(engine, draftId)
    expect(drafts).toEqual([])
    expect(answers).toMatchObject([{ emailId: id, snippet: 'You can have berth 14.' }])
    expect(answers[0]?.from).toContain(platform.inboxAddress)
    const { inboxId } = platform
    const { emails, sentElsewhere } = await engine.call('thread.open', { inboxId, threadId: target.threadId })
    expect(sentElsewhere).toEqual([id])
    expect(emails.map(({ direction }) => direction)).toEqual(['inbound', 'outbound'])
    expect(emails[1]?.receivedAt).toBe(answers[0]?.at)
    expect(engine.events('emails.changed').at(-1)).toMatchObject({ threadIds: [target.threadId] })
    expect(await known(engine, draftId)).toEqual({ theirs: null, answers, drafts })
  })

  it('learns of another engine’s reply, but not of its own', async () => {
    const { platform, engine: mine, target } = await start()
    const theirs = await openSettledEngine(platform)
    await received(platform, theirs)
    const [own, other] = [
      await begin(mine, platform, target),
      await begin(theirs, platform, target, 'Berth 14 is free.'),
    ]
    const second = await begin(theirs, platform, target, 'And a second one.')
    await send(theirs, other)
    expect((await look(mine, own.draftId)).answers).toMatchObject([{ snippet: 'Berth 14 is free.' }])
    expect(await look(theirs, second.draftId)).toMatchObject({ answers: [] })
    const { inboxId } = platform
    const { sentElsewhere } = await theirs.call('thread.open', { inboxId, threadId: target.threadId })
    expect(sentElsewhere).toBeUndefined()
    await theirs.close()
    const again = await openSettledEngine(platform, theirs.directory)
    await received(platform, again, 2)
    expect((await look(again, second.draftId)).answers).toEqual([])
    // After a restart, the first engine still reports the other reply: each draft stores what was visible when it was
    // started.
    await mine.close()
    const back = await openTestEngine(platform, mine.directory)
    expect((await look(back, own.draftId)).answers).toMatchObject([{ snippet: 'Berth 14 is free.' }])
  })

  it('ignores earlier replies and incoming mail', async () => {
    const { platform, engine, target } = await start()
    await answerThere(platform, target, 'You can have berth 14.')
    await received(platform, engine, 2)
    const { draftId } = await begin(engine, platform, target)
    await platform.deliver({ subject: 'Re: Berths', from: 'Ada Ferro <ada@example.com>', text: 'Thank you.' })
    expect(await look(engine, draftId)).toEqual(NOTHING)
  })

  it('is never checked if it is a forward or a new message', async () => {
    const { platform, engine, target } = await start()
    const content = written('See below.')
    const { inboxId } = platform
    const forwarded = await engine.call('draft.create', { inboxId, kind: 'forward', target, content })
    const own = await engine.call('draft.create', { inboxId, kind: 'new', target: null, content })
    await answerThere(platform, target, 'You can have berth 14.')
    const asked = since(platform, '/threads/')
    expect(await look(engine, forwarded.draftId)).toEqual(NOTHING)
    expect(await look(engine, own.draftId)).toEqual(NOTHING)
    expect(asked()).toBe(0)
  })

  it('learns of a colleague’s new draft until it is deleted', async () => {
    const { platform, engine, target } = await start()
    await platform.deliver({
      subject: 'Re: Berths',
      from: 'Ada Ferro <ada@example.com>',
      inReplyTo: '<none@example.com>',
    })
    const { inboxId, ask } = platform
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    // Replies to another e-mail of the thread, because unsent replies to the same e-mail are one draft.
    const { id: answered } = await answerThere(platform, target, 'One moment.')
    await received(platform, engine, 2)
    const place = { thread_id: target.threadId, reply_to_email_id: answered }
    const { id } = await ask<{ id: string }>('POST', `/inboxes/${inboxId}/drafts`, { ...place, text: 'Berth 14 is' })
    await engine.advance(3_000)
    // For a reply started now, the earlier reply is old and only the draft is new.
    const next = await begin(engine, platform, target, 'A further one.')
    await engine.advance(3_000)
    expect(await look(engine, next.draftId)).toMatchObject({ answers: [], drafts: [{ snippet: 'Berth 14 is' }] })
    await ask('DELETE', `/inboxes/${inboxId}/drafts/${id}`)
    await engine.advance(3_000)
    expect((await look(engine, next.draftId)).drafts).toEqual([])
    expect((await look(engine, draftId)).answers).toHaveLength(1)
  })

  it('ignores unchanged earlier drafts and its own', async () => {
    const { platform, engine, target } = await start()
    const { inboxId, ask } = platform
    await answerThere(platform, target, 'One moment.')
    const newest = await received(platform, engine, 2)
    const place = { thread_id: newest.threadId, reply_to_email_id: newest.emailId }
    const { id } = await ask<{ id: string }>('POST', `/inboxes/${inboxId}/drafts`, { ...place, text: 'By the agent.' })
    await eventually(
      () => engine.call('draft.list', {}),
      (drafts) => drafts.some((draft) => draft.id === id),
    )
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await engine.advance(3_000)
    expect(await look(engine, draftId)).toEqual(NOTHING)
    await ask('PATCH', `/inboxes/${inboxId}/drafts/${id}`, { text: 'By a person.' })
    await engine.advance(3_000)
    expect((await look(engine, draftId)).drafts).toMatchObject([{ snippet: 'By a person.' }])
  })

  it('makes two requests, and none again within two seconds', async () => {
    const { platform, engine, target } = await start()
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await engine.advance(3_000)
    const [emails, drafts, all] = [since(platform, '/emails 200'), since(platform, '/drafts 200'), since(platform, '')]
    await look(engine, draftId)
    expect({ emails: emails(), drafts: drafts(), all: all() }).toEqual({ emails: 1, drafts: 1, all: 2 })
    await look(engine, draftId)
    await look(engine, draftId)
    expect(all()).toBe(2)
    await engine.advance(3_000)
    const again = since(platform, '/emails 200')
    await look(engine, draftId)
    expect(again()).toBe(1)
  })

  it('fetches only the new e-mails of a long thread', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>', messageId: '<first@example.com>' })
    for (let at = 0; at < 130; at += 1) {
      await platform.deliver({
        ...{ subject: 'Re: Berths', from: 'Ada Ferro <ada@example.com>', text: `Number ${at}` },
        inReplyTo: '<first@example.com>',
      })
    }
    const engine = await openSettledEngine(platform)
    const target = await received(platform, engine, 131)
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await answerThere(platform, target, 'You can have berth 14.')
    const asked = since(platform, '/emails 200')
    expect((await look(engine, draftId)).answers).toMatchObject([{ snippet: 'You can have berth 14.' }])
    expect(asked()).toBe(1)
  })

  it('recognizes a local message after a lost response', async () => {
    const { platform, engine, target } = await start()
    const first = await begin(engine, platform, target, 'Berth 14 is free.')
    const second = await begin(engine, platform, target, 'And 15, too.')
    await engine.settled()
    await platform.fault({ kind: 'lost', method: 'POST', path: '/' })
    await engine.call('draft.send', { ...first, ...AT_ONCE })
    const path = `/inboxes/${platform.inboxId}/threads/${target.threadId}/emails?limit=100`
    await eventually(
      () => platform.ask<{ data: unknown[] }>('GET', path),
      ({ data }) => data.length === 2,
    )
    const { inboxId } = platform
    const { threadId } = target
    // The lost response looks like a network failure until the next poll.
    await engine.call('sync.now', {})
    await eventually(
      () => engine.call('thread.open', { inboxId, threadId }),
      ({ emails }) => emails.length === 2,
    )
    await eventually(engine.status, ({ connection }) => connection === 'online')
    expect(await look(engine, second.draftId)).toMatchObject({ answers: [] })
    expect((await engine.call('draft.open', { draftId: first.draftId })).state.kind).not.toBe('open')
    await platform.fault()
  })

  it.each([
    ['down', { kind: 'error_503', method: 'GET', path: '/' }],
    ['rejecting requests', { kind: 'error_422', method: 'GET', path: '/' }],
    ['unreadable', { kind: 'malformed_json', method: 'GET', path: '/' }],
    ['rate-limited', { kind: 'rate_limited', method: 'GET', path: '/', retry_after: 30 }],
    ['slow', { kind: 'delay', method: 'GET', path: '/', delay_ms: 20_000 }],
  ] as const)('doesn’t wait if the platform is %s', async (_, fault) => {
    const { platform, engine, target } = await start()
    const draft = await begin(engine, platform, target)
    await engine.settled()
    await answerThere(platform, target, 'You can have berth 14.')
    await platform.fault(fault)
    const looking = look(engine, draft.draftId)
    let answer: Elsewhere | null = null
    void looking.then((given) => (answer = given))
    await eventually(
      () => answer,
      (given) => given !== null,
    )
    expect(await looking).toEqual(NOTHING)
    await platform.fault()
    // Sending works as before, whatever the lookup returned.
    await send(engine, draft)
  })

  it('makes no requests offline, and reports known replies', async () => {
    const { platform, engine, target } = await start()
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await answerThere(platform, target, 'You can have berth 14.')
    await received(platform, engine, 2)
    await platform.stop()
    await engine.advance(60_000)
    await eventually(engine.status, ({ connection }) => connection === 'offline')
    expect((await look(engine, draftId)).answers).toMatchObject([{ snippet: 'You can have berth 14.' }])
  })
})

describe('a reply sent while someone else replies', () => {
  it('is held for consent with its thread in place, and then sent once', async () => {
    const { platform, engine, target } = await start()
    const draft = await begin(engine, platform, target)
    const { id } = await answerThere(platform, target, 'You can have berth 14.')
    expect(await sendAsking(engine, draft, true)).toMatchObject({
      kind: 'held',
      objection: { replies: { answers: [{ emailId: id, snippet: 'You can have berth 14.' }] }, quota: null },
    })
    const { inboxId } = platform
    const { thread } = await engine.call('thread.open', { inboxId, threadId: target.threadId })
    expect(thread.folder).toBe('inbox')
    await engine.call('draft.sendAgain', { draftId: draft.draftId })
    await eventually(
      () => engine.events('draft.sent'),
      (events) => events.length === 1,
    )
    const archived = await engine.call('thread.open', { inboxId, threadId: target.threadId })
    expect(archived.thread.folder).toBe('archive')
    const { data } = await platform.ask<{ data: readonly unknown[] }>('GET', '/emails')
    expect(data).toHaveLength(2)
  })

  it('objects to each reply once, and not to one that the user has looked at', async () => {
    const { platform, engine, target } = await start()
    const { draftId, revision } = await begin(engine, platform, target)
    await answerThere(platform, target, 'You can have berth 14.')
    expect(await sendAsking(engine, { draftId, revision })).not.toBeNull()
    await engine.call('draft.cancelSending', { draftId })
    const saved = await engine.call('draft.save', { draftId, revision, content: written('Or Wednesday.') })
    await answerThere(platform, target, 'Or berth 15.')
    await engine.advance(1_000)
    expect(await sendAsking(engine, { draftId, ...saved })).toMatchObject({
      objection: { replies: { answers: [{ snippet: 'Or berth 15.' }] } },
    })
    await engine.call('draft.cancelSending', { draftId })
    await answerThere(platform, target, 'Berth 16, then.')
    await engine.advance(1_000)
    await engine.call('draft.elsewhere', { draftId, isSeen: true })
    expect(await sendAsking(engine, { draftId, ...saved })).toBeNull()
  })

  it('stays held across a restart', async () => {
    const { platform, engine, target } = await start()
    const draft = await begin(engine, platform, target)
    await answerThere(platform, target, 'You can have berth 14.')
    const held = await sendAsking(engine, draft)
    await engine.close()
    const again = await openSettledEngine(platform, engine.directory)
    await again.advance(60_000)
    expect(await stateOf(again, draft.draftId)).toEqual(held)
  })

  it('is checked once online if it was sent offline', async () => {
    const { platform, engine, target } = await start()
    const { draftId, revision } = await begin(engine, platform, target)
    await engine.settled()
    await engine.close()
    const answered = await answerThere(platform, target, 'You can have berth 14.')
    const offline = await openTestEngine({ ...platform, baseUrl: 'http://127.0.0.1:9' }, engine.directory)
    await offline.call('draft.send', { draftId, revision, ...AT_ONCE, asksFirst: true })
    await eventually(
      () => stateOf(offline, draftId),
      ({ kind }) => kind === 'sending',
    )
    await offline.close()
    const online = await openTestEngine(platform, engine.directory)
    expect(
      await eventually(
        () => stateOf(online, draftId),
        ({ kind }) => kind === 'held',
      ),
    ).toMatchObject({ at: null, objection: { replies: { answers: [{ emailId: answered.id }] } } })
  })

  it('can be taken back while it is checked', async () => {
    const { platform, engine, target } = await start()
    const { draftId, revision } = await begin(engine, platform, target)
    await engine.settled()
    await platform.fault({ kind: 'delay', method: 'GET', path: '/inboxes', delay_ms: 300, times: 10 })
    await engine.call('draft.send', { draftId, revision, ...AT_ONCE, asksFirst: true })
    await engine.call('draft.cancelSending', { draftId })
    await platform.fault()
    await engine.advance(5_000)
    await engine.settled()
    expect(await stateOf(engine, draftId)).toEqual({ kind: 'open' })
    expect(engine.events('draft.sent')).toEqual([])
  })
})
