import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { searchFor, word } from './support/searches.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const openSome = async () => {
  const platform = await startTestPlatform({}, { generate: { threads: 12, seed: 1 } })
  const engine = await openSettledEngine(platform)
  return { platform, engine, inboxId: platform.inboxId }
}

const namesOf = async (engine: TestEngine): Promise<readonly string[]> =>
  (await engine.call('savedSearch.list', {})).map(({ name }) => name)
const says = (engine: TestEngine, id: string, unread: number | null) =>
  eventually(
    async () => (await engine.call('savedSearch.list', {})).find((search) => search.id === id)?.unread,
    (now) => now === unread,
  )

describe('saved searches', () => {
  it('survive a restart and a damaged or lost cache', async () => {
    const { platform, engine, inboxId } = await openSome()
    await engine.call('savedSearch.save', { inboxId, name: 'Bills', text: 'has:attachment invoice' })
    await engine.call('savedSearch.save', { inboxId, name: 'Unread', text: 'is:unread' })
    await engine.call('recentSearch.add', { text: 'invoice' })
    await eventually(
      () => [...engine.events('savedSearches.changed'), ...engine.events('recentSearches.changed')],
      ({ length }) => length >= 2,
    )
    const { directory } = engine
    await engine.close()
    for (const damage of ['none', 'damaged', 'gone'] as const) {
      const cache = join(directory, 'cache.sqlite')
      if (damage === 'damaged') writeFileSync(cache, 'a letter to nobody')
      if (damage === 'gone') for (const end of ['', '-wal', '-shm']) rmSync(cache + end, { force: true })
      const again = await openTestEngine(platform, directory)
      expect(await namesOf(again)).toEqual(['Bills', 'Unread'])
      expect(await again.call('recentSearch.list', {})).toEqual([{ text: 'invoice' }])
      await again.settled()
      const [, unread] = await again.call('savedSearch.list', {})
      const [inbox] = (await again.call('inbox.list', {})).inboxes
      await says(again, unread?.id ?? '', inbox?.unread ?? -1)
      const told = (await again.call('problem.list', {})).map(({ id }) => id)
      expect(told).toEqual(damage === 'none' ? [] : ['cache-damaged'])
      await again.close()
    }
  })

  it('count their results when opened, with the last word as a prefix', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    for (const subject of ['Noordwijk', 'Noord']) await platform.deliver({ from: 'ada@quay.example', subject })
    const engine = await openSettledEngine(platform)
    const beginning = await engine.call('savedSearch.save', { inboxId, name: 'Beginning', text: 'noord' })
    const whole = await engine.call('savedSearch.save', { inboxId, name: 'Whole', text: '"noord"' })
    await says(engine, beginning.id, 2)
    await says(engine, whole.id, 1)
  })

  it('follow a renamed label, also through undo', async () => {
    const { platform, engine, inboxId } = await openSome()
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Bills', color: '#E93D82' })
    await engine.call('label.create', { inboxId, name: 'Harbour', color: '#00A2C7' })
    const text = 'label:(bills, Harbour)  invoice'
    const { id } = await engine.call('savedSearch.save', { inboxId, name: text, text })
    const other = await engine.call('savedSearch.save', { inboxId, name: 'Other', text: 'bills -"label:bills"' })
    const shows = (wanted: string) =>
      eventually(
        async () => (await engine.call('savedSearch.list', {})).find((search) => search.id === id),
        (search) => search?.text === wanted && search.name === wanted.replace('  ', ' '),
      )
    await engine.settled()
    // Simultaneous events are merged.
    const told = engine.events('savedSearches.changed').length
    // By now the platform has assigned the label its own ID.
    const { changeId } = await engine.call('label.update', { inboxId, labelId, name: 'Paid bills' })
    await shows('label:("Paid bills", Harbour)  invoice')
    await eventually(
      () => engine.events('savedSearches.changed'),
      ({ length }) => length > told,
    )
    await engine.call('change.undo', { changeId })
    await shows('label:(Bills, Harbour)  invoice')
    await engine.settled()
    const { labelId: theirs } = await engine.call('label.usage', { inboxId, labelId })
    await platform.ask('PATCH', `/inboxes/${inboxId}/labels/${theirs}`, { name: 'Rechnungen' })
    await engine.call('sync.now', {})
    await shows('label:(Rechnungen, Harbour)  invoice')
    const searches = await engine.call('savedSearch.list', {})
    expect(searches.find((search) => search.id === other.id)?.text).toBe('bills -"label:bills"')
  })

  it('are rejected beyond the limit and for an unknown inbox', async () => {
    const { engine, inboxId } = await openSome()
    expect(await engine.problemOf('savedSearch.save', { inboxId, name: ' ', text: 'x' })).toMatchObject({
      code: 'invalid_input',
      message: 'Type a name for the search.',
    })
    expect(await engine.problemOf('savedSearch.save', { inboxId: 'none', name: 'x', text: 'x' })).toMatchObject({
      code: 'not_found',
    })
    expect(await engine.problemOf('savedSearch.rename', { id: 'none', name: 'x' })).toMatchObject({ code: 'not_found' })
  })
})

describe('the unread count of a saved search', () => {
  it('follows reading and new mail', async () => {
    const { platform, engine, inboxId } = await openSome()
    const letter = (count: number) => platform.deliver({ subject: `Fog ${count}`, text: 'It lifted at noon.' })
    for (const count of [1, 2, 3]) await letter(count)
    await engine.call('sync.now', {})
    const { id } = await engine.call('savedSearch.save', { inboxId, name: 'Fog', text: 'fog noon' })
    await says(engine, id, 3)
    const query = searchFor(inboxId, { text: [word('fog')], read: false })
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 200, localOnly: true })
    const { id: readId } = await engine.call('savedSearch.save', { inboxId, name: 'Read', text: 'fog is:read' })
    const { id: faultId } = await engine.call('savedSearch.save', { inboxId, name: 'Fault', text: 'subject:fog' })
    await says(engine, readId, null)
    await says(engine, faultId, null)

    await engine.call('thread.change', { inboxId, threadIds: [items[0]?.id ?? ''], change: { read: true } })
    await says(engine, id, 2)
    const told = engine.events('savedSearches.changed').length
    await letter(4)
    await engine.call('sync.now', {})
    await says(engine, id, 3)
    await eventually(
      () => engine.events('savedSearches.changed').length,
      (events) => events > told,
    )
  })

  it('follows the label with that name', async () => {
    const { platform, engine, inboxId } = await openSome()
    const { id: labelId } = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name: 'First' })
    await platform.deliver({ subject: 'Fog', text: 'It lifted at noon.' })
    await engine.call('sync.now', {})
    const { id } = await engine.call('savedSearch.save', { inboxId, name: 'Later', text: 'label:later' })
    const query = createFolderQuery(inboxId, 'inbox')
    const [newest] = (await engine.call('thread.list', { query, offset: 0, limit: 1 })).items
    const change = { addLabels: [labelId], read: false }
    await engine.call('thread.change', { inboxId, threadIds: [newest?.id ?? ''], change })
    await says(engine, id, null)
    await platform.ask('PATCH', `/inboxes/${inboxId}/labels/${labelId}`, { name: 'Later' })
    await engine.call('sync.now', {})
    await says(engine, id, 1)
  })
})
