import { describe, expect, it } from 'vitest'
import { KIND_TABS } from '../../../src/shared/inbox-tabs.ts'
import { createFolderQuery, type EmailKind } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { searchFor, word } from './support/searches.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const deliverAll = async (platform: TestPlatform): Promise<void> => {
  const from = 'gauge@harbour.example'
  await platform.deliver({ from: 'ada@quill.example', subject: 'Lunch', text: 'At the pier, fog or not?' })
  await platform.deliver({ from, subject: 'Tides', text: 'Fog.', headers: { 'List-Id': '<tides.harbour.example>' } })
  await platform.deliver({ from, subject: 'Offers', text: 'Fog lamps.', headers: { Precedence: 'bulk' } })
  await platform.deliver({ from, subject: 'Silent', text: '-', headers: { 'Auto-Submitted': 'auto-generated' } })
  await platform.deliver({ from: 'no-reply@harbour.example', subject: 'Berth', text: 'Paid.' })
}

const subjectsOf = async (engine: TestEngine, inboxId: string, ...kinds: readonly EmailKind[]) => {
  const query = { ...searchFor(inboxId, { folders: ['inbox'], kinds }) }
  const { items, searched } = await engine.call('thread.list', { query, offset: 0, limit: 50 })
  expect(searched?.platform).toEqual({ state: 'not asked' })
  return items.map(({ subject }) => subject)
}
const isInTheEnd = (engine: TestEngine, inboxId: string, kind: EmailKind, subjects: readonly string[]) =>
  eventually(
    () => subjectsOf(engine, inboxId, kind),
    (now) => JSON.stringify(now) === JSON.stringify(subjects),
  )

const countsOf = async (engine: TestEngine, inboxId: string) =>
  Object.fromEntries((await engine.call('inboxTab.list', { inboxId })).map(({ name, unread }) => [name, unread]))
const countsTo = (engine: TestEngine, inboxId: string, counts: Readonly<Record<string, number>>) =>
  eventually(
    () => countsOf(engine, inboxId),
    (now) => JSON.stringify(now) === JSON.stringify(counts),
  )

describe('the kinds of mail', () => {
  it('come from stored headers, without requests of their own', async () => {
    const platform = await startTestPlatform()
    await deliverAll(platform)
    const { inboxId } = platform
    const engine = await openSettledEngine(platform, undefined, { days: 30, bytes: null })
    await isInTheEnd(engine, inboxId, 'newsletter', ['Offers', 'Tides'])
    await isInTheEnd(engine, inboxId, 'robot', ['Berth', 'Silent'])
    await isInTheEnd(engine, inboxId, 'person', ['Lunch'])
    const inbox = { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 9 }
    const waiting = async (): Promise<readonly (string | null)[]> =>
      (await engine.call('thread.list', inbox)).items.filter(({ isWaiting }) => isWaiting).map(({ subject }) => subject)
    await eventually(waiting, (subjects) => subjects.join() === 'Lunch')
    expect(platform.requests().filter((request) => request.includes('/search'))).toEqual([])
    await countsTo(engine, inboxId, { People: 1, Newsletters: 2, Robots: 2 })

    // The words and the kind must match the same message.
    const query = searchFor(inboxId, { text: [word('fog')], kinds: ['newsletter'] })
    const found = await engine.call('thread.list', { query, offset: 0, limit: 9 })
    expect(found.items.map(({ subject }) => subject)).toEqual(['Offers', 'Tides'])

    await platform.deliver({
      ...{ from: 'bob@quill.example', subject: 'Weekly', text: 'Hello' },
      headers: { 'List-Unsubscribe': '<mailto:out@quill.example>' },
    })
    await engine.call('sync.now', {})
    await isInTheEnd(engine, inboxId, 'newsletter', ['Weekly', 'Offers', 'Tides'])
    await countsTo(engine, inboxId, { People: 1, Newsletters: 3, Robots: 2 })

    await platform.stop()
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await subjectsOf(again, inboxId, 'newsletter')).toEqual(['Weekly', 'Offers', 'Tides'])
    expect(await subjectsOf(again, inboxId, 'sent', 'person')).toEqual(['Lunch'])
  })

  it('come from the senders if there are no headers', async () => {
    const platform = await startTestPlatform()
    await platform.fault({ kind: 'error_500', method: 'GET', path: '/emails/receiving/', times: 1_000_000 })
    await deliverAll(platform)
    const engine = await openSettledEngine(platform)
    await isInTheEnd(engine, platform.inboxId, 'robot', ['Berth'])
    await isInTheEnd(engine, platform.inboxId, 'person', ['Silent', 'Offers', 'Tides', 'Lunch'])
  })

  it('are tabs next to saved searches, up to seven per inbox', async () => {
    const platform = await startTestPlatform()
    await deliverAll(platform)
    const { inboxId } = platform
    const engine = await openSettledEngine(platform)
    // Only opened e-mails are fetched in full here, so the senders decide.
    const save = (text: string) => engine.call('savedSearch.save', { inboxId, name: text, text })
    const { id } = await save('from:ada')
    await engine.call('savedSearch.showAsTab', { id, isTab: true })
    await countsTo(engine, inboxId, { People: 4, Newsletters: 0, Robots: 1, 'from:ada': 1 })
    // A tab only covers the inbox; a search covers everything.
    const [thread] = (
      await engine.call('thread.list', { query: searchFor(inboxId, { from: ['ada'] }), offset: 0, limit: 1 })
    ).items
    await engine.call('thread.change', { inboxId, threadIds: [thread?.id ?? ''], change: { folder: 'archive' } })
    await countsTo(engine, inboxId, { People: 3, Newsletters: 0, Robots: 1, 'from:ada': 0 })
    expect((await engine.call('savedSearch.list', {})).map(({ isTab, unread }) => ({ isTab, unread }))).toEqual([
      { isTab: true, unread: 1 },
    ])

    for (const at of [2, 3, 4, 5, 6, 7]) {
      await engine.call('savedSearch.showAsTab', { id: (await save(`tab ${at}`)).id, isTab: true })
    }
    const eighth = await save('one more')
    expect(await engine.problemOf('savedSearch.showAsTab', { id: eighth.id, isTab: true })).toMatchObject({
      code: 'invalid_input',
    })
    await engine.call('savedSearch.showAsTab', { id, isTab: false })
    await engine.call('savedSearch.showAsTab', { id: eighth.id, isTab: true })
    const tabs = await engine.call('inboxTab.list', { inboxId })
    expect(tabs.slice(0, 3).map((tab) => tab.id)).toEqual(KIND_TABS.map((tab) => tab.id))
    expect(tabs.at(-1)?.name).toBe('one more')
    expect(tabs).toHaveLength(10)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect((await again.call('inboxTab.list', { inboxId })).map((tab) => tab.name)).toEqual(
      tabs.map(({ name }) => name),
    )
  })
})
