import { describe, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { searchFor } from './support/searches.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const open = async () => {
  const platform = await startTestPlatform()
  const send = (from: string, cc: string[] = []) =>
    platform.deliver({ from, to: platform.inboxAddress, cc, subject: 'Fog', text: 'Fog until noon.' })
  await send('Ann Lee <ann.lee@harbour.example>', ['"Marshall, Joan" <joan@harbour.example>'])
  await send('"Örjan Ek" <orjan@harbour.example>')
  await send('pier-annex@harbour.example')
  await platform.ask('POST', '/contacts', { email: 'annika@pier.example', first_name: 'Annika', last_name: 'Berg' })
  const engine = await openSettledEngine(platform)
  const find = (typed: string, limit = 8) => engine.call('person.suggest', { inboxId: platform.inboxId, typed, limit })
  const suggest = async (typed: string, limit?: number) =>
    (await find(typed, limit)).map(({ name, address }) => ({ name, address }))
  await eventually(
    () => engine.call('contact.list', { offset: 0, limit: 1 }),
    ({ total }) => total === 1,
  )
  return { platform, engine, find, suggest }
}

describe('suggested people', () => {
  it('are people from mail and contacts, prefix matches first', async () => {
    const { suggest } = await open()
    expect(await suggest('ann')).toEqual([
      { name: 'Ann Lee', address: 'ann.lee@harbour.example' },
      { name: 'Annika Berg', address: 'annika@pier.example' },
      { name: null, address: 'pier-annex@harbour.example' },
    ])
    expect(await suggest('ANN', 1)).toEqual([{ name: 'Ann Lee', address: 'ann.lee@harbour.example' }])
    expect(await suggest('annika b')).toEqual([{ name: 'Annika Berg', address: 'annika@pier.example' }])
    expect(await suggest('ö')).toEqual([{ name: 'Örjan Ek', address: 'orjan@harbour.example' }])
    expect(await suggest('marshall, j')).toEqual([{ name: 'Marshall, Joan', address: 'joan@harbour.example' }])
    expect(await suggest('joan')).toHaveLength(1)
  })

  it('are found without accents, exact matches first', async () => {
    const { platform, engine, suggest } = await open()
    const send = (from: string) => platform.deliver({ from, to: platform.inboxAddress, subject: 'Fog', text: 'Fog.' })
    await send('"José Núñez" <jn@harbour.example>')
    await send('"Nunez, Ana" <ana@harbour.example>')
    await platform.ask('POST', '/contacts', { email: 'z@pier.example', first_name: 'Zoë', last_name: 'Núñez' })
    await engine.call('sync.now', {})
    await eventually(
      () => suggest('núñez'),
      ({ length }) => length === 2,
    )
    const names = async (typed: string) => (await suggest(typed)).map(({ name }) => name).toSorted()
    for (const typed of ['nunez', 'NUNEZ', 'nun', 'unez']) {
      expect(await names(typed), typed).toEqual(['José Núñez', 'Nunez, Ana', 'Zoë Núñez'])
    }
    expect((await suggest('nunez'))[0]?.name).toBe('Nunez, Ana')
    for (const typed of ['jose n', 'jose núñez', 'José nunez']) expect(await names(typed)).toEqual(['José Núñez'])
    expect(await names('zoe')).toEqual(['Zoë Núñez'])
    await send('"Łukasz Weiß" <lw@harbour.example>')
    await engine.call('sync.now', {})
    for (const typed of ['lukasz', 'weiss', 'łuk']) {
      await eventually(
        () => names(typed),
        ([name]) => name === 'Łukasz Weiß',
      )
    }
    expect(await names('núñez')).toEqual(['José Núñez', 'Zoë Núñez'])
  })

  it('are shown as contacts if they are, also if found in mail', async () => {
    const { platform, engine, find } = await open()
    const contact = await platform.ask<{ id: string }>('POST', '/contacts', { email: 'Ann.Lee@harbour.example' })
    await engine.call('sync.now', {})
    const found = await eventually(
      () => find('ann'),
      ([ann]) => ann?.contactId !== null,
    )
    expect(found.map(({ name, contactId }) => [name, contactId === contact.id, contactId === null])).toEqual([
      ['Ann Lee', true, false],
      ['Annika Berg', false, false],
      [null, false, true],
    ])
  })

  it('are empty for an empty query, and robust against any input', async () => {
    const { suggest } = await open()
    expect(await suggest('  ')).toEqual([])
    for (const typed of ['"', '%', '_', '\\', '""" OR "', "'; --", '\n', 'x'.repeat(256)]) {
      expect(await suggest(typed)).toEqual([])
    }
  })

  it('have mail in the searched inbox, and are found by address', async () => {
    const { platform, engine, suggest } = await open()
    const [person] = await suggest('örj')
    const { items } = await engine.call('thread.list', {
      query: searchFor(platform.inboxId, { from: [person?.address ?? ''] }),
      offset: 0,
      limit: 10,
    })
    expect(items.map(({ from }) => from)).toEqual([expect.stringContaining('orjan@harbour.example')])
    expect(await engine.problemOf('person.suggest', { inboxId: 'none', typed: 'a', limit: 5 })).toMatchObject({
      code: 'not_found',
    })
  })
})
