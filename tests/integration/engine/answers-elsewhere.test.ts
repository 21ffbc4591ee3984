/** Two people answer one thread: who sends second is told of the first one's reply before it leaves. */
import { describe, expect, it } from 'vitest'
import { folderQuery } from '../../../src/shared/thread-query.ts'
import type { AnsweredElsewhere, DraftContent, WritingTarget } from '../../../src/shared/writing.ts'
import { eventually } from './support/eventually.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const NOTHING: AnsweredElsewhere = { answers: [], drafts: [] }
const AT_ONCE = { holdSeconds: 0, archive: false, scheduledAt: null }

const written = (text: string): DraftContent => ({
  ...{ to: [{ name: 'Ada Ferro', address: 'ada@example.com' }], cc: [], bcc: [], subject: 'Re: Berths' },
  ...{ format: 'plain', html: '', text, quote: null, files: [] },
})

/** The newest e-mail of the only thread, once it is here. */
const received = async ({ inboxId }: TestPlatform, engine: TestEngine, count = 1): Promise<WritingTarget> => {
  await engine.call('sync.now', {})
  const { items } = await eventually(
    () => engine.call('thread.list', { query: folderQuery(inboxId, 'inbox'), offset: 0, limit: 5 }),
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
  const engine = await openTestEngine(on)
  await engine.settled()
  const target = await received(on, engine)
  return { platform: on, engine, target }
}

const begin = (engine: TestEngine, { inboxId }: TestPlatform, target: WritingTarget, text = 'From Tuesday.') =>
  engine.call('draft.create', { inboxId, kind: 'reply', target, content: written(text) })

const look = (engine: TestEngine, draftId: string) => engine.call('draft.answeredElsewhere', { draftId })
const known = (engine: TestEngine, draftId: string) =>
  engine.call('draft.answeredElsewhere', { draftId, isAsKnown: true })

/** A colleague answers on the platform itself. */
const answerThere = ({ ask, inboxId }: TestPlatform, { threadId, emailId }: WritingTarget, text: string) =>
  ask<{ id: string }>('POST', `/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/reply`, { text })

const send = async (engine: TestEngine, draft: { readonly draftId: string; readonly revision: number }) => {
  await engine.call('draft.send', { ...draft, ...AT_ONCE })
  await eventually(
    () => engine.events('draft.sent'),
    (events) => events.some(({ draftId }) => draftId === draft.draftId),
  )
}

/** Requests of a kind that were made since. */
const since = (platform: TestPlatform, part: string) => {
  const before = platform.requests().length
  return () =>
    platform
      .requests()
      .slice(before)
      .filter((request) => request.includes(part)).length
}

describe('a reply that another one is written beside', () => {
  it('is told of the answer that somebody else has sent, with who and when, before sync knows of it', async () => {
    const { platform, engine, target } = await start()
    const { draftId } = await begin(engine, platform, target)
    expect(await look(engine, draftId)).toEqual(NOTHING)
    await engine.pass(3_000)
    const { id } = await answerThere(platform, target, 'You can have berth 14.')
    expect(await known(engine, draftId)).toEqual(NOTHING)
    const { answers, drafts } = await look(engine, draftId)
    expect(drafts).toEqual([])
    expect(answers).toMatchObject([{ emailId: id, snippet: 'You can have berth 14.' }])
    expect(answers[0]?.from).toContain(platform.inboxAddress)
    // It is here from then on, for the conversation and for whoever asks without a look.
    const { inboxId } = platform
    const { emails, sentElsewhere } = await engine.call('thread.open', { inboxId, threadId: target.threadId })
    expect(sentElsewhere).toEqual([id])
    expect(emails.map(({ direction }) => direction)).toEqual(['inbound', 'outbound'])
    expect(emails[1]?.receivedAt).toBe(answers[0]?.at)
    expect(engine.events('emails.changed').at(-1)).toMatchObject({ threadIds: [target.threadId] })
    expect(await known(engine, draftId)).toEqual({ answers, drafts })
  })

  it('is told of another engine’s answer, and that one is not told of its own', async () => {
    const { platform, engine: mine, target } = await start()
    const theirs = await openTestEngine(platform)
    await theirs.settled()
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
    // Nor after a restart.
    await theirs.close()
    const again = await openTestEngine(platform, theirs.directory)
    await again.settled()
    await received(platform, again, 2)
    expect((await look(again, second.draftId)).answers).toEqual([])
    // And after one the first is still told: what it could see when it was begun is kept with it.
    await mine.close()
    const back = await openTestEngine(platform, mine.directory)
    expect((await look(back, own.draftId)).answers).toMatchObject([{ snippet: 'Berth 14 is free.' }])
  })

  it('is told nothing of answers that were there when it was begun, nor of mail that came in', async () => {
    const { platform, engine, target } = await start()
    await answerThere(platform, target, 'You can have berth 14.')
    await received(platform, engine, 2)
    const { draftId } = await begin(engine, platform, target)
    await platform.deliver({ subject: 'Re: Berths', from: 'Ada Ferro <ada@example.com>', text: 'Thank you.' })
    expect(await look(engine, draftId)).toEqual(NOTHING)
  })

  it('is told nothing where it is no reply', async () => {
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

  it('is told of a draft that somebody else has begun since, and no more once that is gone', async () => {
    const { platform, engine, target } = await start()
    await platform.deliver({
      subject: 'Re: Berths',
      from: 'Ada Ferro <ada@example.com>',
      inReplyTo: '<none@example.com>',
    })
    const { inboxId, ask } = platform
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    // To an e-mail of the same thread: one unsent answer to one e-mail is one draft, which both change.
    const { id: answered } = await answerThere(platform, target, 'One moment.')
    await received(platform, engine, 2)
    const place = { thread_id: target.threadId, reply_to_email_id: answered }
    const { id } = await ask<{ id: string }>('POST', `/inboxes/${inboxId}/drafts`, { ...place, text: 'Berth 14 is' })
    await engine.pass(3_000)
    // The answer is known, and asked about alone; of a reply that is begun now the draft is news.
    const next = await begin(engine, platform, target, 'A further one.')
    await engine.pass(3_000)
    expect(await look(engine, next.draftId)).toMatchObject({ answers: [], drafts: [{ snippet: 'Berth 14 is' }] })
    await ask('DELETE', `/inboxes/${inboxId}/drafts/${id}`)
    await engine.pass(3_000)
    expect((await look(engine, next.draftId)).drafts).toEqual([])
    expect((await look(engine, draftId)).answers).toHaveLength(1)
  })

  it('is told nothing of a draft that could be seen when it was begun and has not changed, nor of its own', async () => {
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
    await engine.pass(3_000)
    expect(await look(engine, draftId)).toEqual(NOTHING)
    await ask('PATCH', `/inboxes/${inboxId}/drafts/${id}`, { text: 'By a person.' })
    await engine.pass(3_000)
    expect((await look(engine, draftId)).drafts).toMatchObject([{ snippet: 'By a person.' }])
  })

  it('asks two things of the platform, and nothing again within two seconds', async () => {
    const { platform, engine, target } = await start()
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await engine.pass(3_000)
    const [emails, drafts, all] = [since(platform, '/emails 200'), since(platform, '/drafts 200'), since(platform, '')]
    await look(engine, draftId)
    expect({ emails: emails(), drafts: drafts(), all: all() }).toEqual({ emails: 1, drafts: 1, all: 2 })
    await look(engine, draftId)
    await look(engine, draftId)
    expect(all()).toBe(2)
    await engine.pass(3_000)
    const again = since(platform, '/emails 200')
    await look(engine, draftId)
    expect(again()).toBe(1)
  })

  it('asks for what is new of a thread of hundreds, and not for all of it', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Berths', from: 'Ada Ferro <ada@example.com>', messageId: '<first@example.com>' })
    for (let at = 0; at < 130; at += 1) {
      await platform.deliver({
        ...{ subject: 'Re: Berths', from: 'Ada Ferro <ada@example.com>', text: `Number ${at}` },
        inReplyTo: '<first@example.com>',
      })
    }
    const engine = await openTestEngine(platform)
    await engine.settled()
    const target = await received(platform, engine, 131)
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await answerThere(platform, target, 'You can have berth 14.')
    const asked = since(platform, '/emails 200')
    expect((await look(engine, draftId)).answers).toMatchObject([{ snippet: 'You can have berth 14.' }])
    expect(asked()).toBe(1)
  })

  it('knows a message of this computer again whose answer was lost', async () => {
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
    // The lost answer is taken for a line that is down, until the next look.
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
    ['refusing', { kind: 'error_422', method: 'GET', path: '/' }],
    ['saying what nobody can read', { kind: 'malformed_json', method: 'GET', path: '/' }],
    ['limited', { kind: 'rate_limited', method: 'GET', path: '/', retry_after: 30 }],
    ['slow', { kind: 'delay', method: 'GET', path: '/', delay_ms: 20_000 }],
  ] as const)('does not wait where the platform is %s', async (_, fault) => {
    const { platform, engine, target } = await start()
    const draft = await begin(engine, platform, target)
    await engine.settled()
    await answerThere(platform, target, 'You can have berth 14.')
    await platform.fault(fault)
    const looking = look(engine, draft.draftId)
    let answer: AnsweredElsewhere | null = null
    void looking.then((given) => (answer = given))
    await eventually(
      () => answer,
      (given) => given !== null,
    )
    expect(await looking).toEqual(NOTHING)
    await platform.fault()
    // It goes as it did before, whatever the look has come to.
    await send(engine, draft)
  })

  it('does not ask offline, and says what is known', async () => {
    const { platform, engine, target } = await start()
    const { draftId } = await begin(engine, platform, target)
    await engine.settled()
    await answerThere(platform, target, 'You can have berth 14.')
    await received(platform, engine, 2)
    await platform.stop()
    await engine.pass(60_000)
    await eventually(engine.status, ({ connection }) => connection === 'offline')
    expect((await look(engine, draftId)).answers).toMatchObject([{ snippet: 'You can have berth 14.' }])
  })
})
