import { expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const HOUR = 60 * 60_000

const threads = async (engine: TestEngine, inboxId: string, count: number) =>
  (
    await eventually(
      () => engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 20 }),
      ({ items }) => items.length === count,
    )
  ).items

it('reports response times and the longest wait, for people only, also offline', async () => {
  const platform = await startTestPlatform()
  const engine = await openTestEngine(platform)
  const { inboxId } = platform
  await engine.settled()
  const none = { threads: 0, median: null }
  expect(await engine.call('answer.times', {})).toEqual({
    inboxes: [{ inboxId, week: none, month: none, longest: null }],
    waiting: 0,
  })

  // The longest wait, but automated mail doesn't count.
  await platform.deliver({ from: 'newsletter@quill.example', subject: 'Offers' })
  await platform.deliver({ from: 'ada@quay.example', subject: 'Berth' })
  await engine.skip(2 * HOUR)
  await platform.deliver({ from: 'bea@quay.example', subject: 'Lunch' })
  await engine.call('sync.now', {})
  await threads(engine, inboxId, 3)
  const longest = async () => (await engine.call('answer.times', {})).inboxes[0]?.longest
  await eventually(longest, (thread) => thread?.subject === 'Berth')

  const berth = (await threads(engine, inboxId, 3)).find(({ subject }) => subject === 'Berth')
  const { emails } = await engine.call('thread.open', { inboxId, threadId: berth?.id ?? '' })
  const draft = await engine.call('draft.create', {
    ...{ inboxId, kind: 'reply', target: { threadId: berth?.id ?? '', emailId: emails[0]?.id ?? '' } },
    content: {
      to: [{ name: null, address: 'ada@quay.example' }],
      ...{ cc: [], bcc: [], subject: 'Re: Berth', format: 'plain', html: '', text: 'Four.', quote: null, files: [] },
    },
  })
  await engine.call('draft.send', { ...draft, holdSeconds: 0, archive: false, scheduledAt: null })
  await eventually(
    () => engine.events('draft.sent'),
    ({ length }) => length > 0,
  )
  await engine.call('sync.now', {})
  await eventually(longest, (thread) => thread?.subject === 'Lunch')
  const [answers] = (await engine.call('answer.times', {})).inboxes
  expect(answers).toMatchObject({ week: { threads: 1 }, month: { threads: 1 } })
  expect(Math.round((answers?.month.median ?? 0) / HOUR)).toBe(2)

  await platform.stop()
  await engine.skip(8 * 24 * HOUR)
  const [later] = (await engine.call('answer.times', {})).inboxes
  expect(later).toMatchObject({ week: none, month: { threads: 1 }, longest: { subject: 'Lunch' } })
})

it('counts threads with missing messages as not yet examined', async () => {
  const platform = await startTestPlatform()
  const engine = await openTestEngine(platform)
  const { inboxId } = platform
  await engine.settled()
  await platform.fault({ kind: 'error_503', method: 'GET', path: `/inboxes/${inboxId}/threads/` })
  await platform.deliver({ from: 'ada@quay.example', subject: 'Berth' })
  await engine.call('sync.now', {})
  await threads(engine, inboxId, 1)
  expect(await engine.call('answer.times', {})).toMatchObject({ inboxes: [{ longest: null }], waiting: 1 })
  await platform.fault()
  await engine.call('sync.now', {})
  await eventually(
    () => engine.call('answer.times', {}),
    ({ inboxes, waiting }) => waiting === 0 && inboxes[0]?.longest?.subject === 'Berth',
  )
})
