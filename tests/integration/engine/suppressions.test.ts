import { describe, expect, it } from 'vitest'
import type { AddressSuppression } from '../../../src/shared/suppressions.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const EVE = 'eve@pier.example'

const suppress = (platform: TestPlatform, email = EVE): Promise<unknown> =>
  platform.ask('POST', '/suppressions', { email })
const isSuppressedThere = async (platform: TestPlatform, email = EVE): Promise<boolean> =>
  (await platform.ask<{ data: readonly { email: string }[] }>('GET', '/suppressions')).data.some(
    (each) => each.email === email,
  )
const asked = (platform: TestPlatform): readonly string[] =>
  platform.requests().filter((request) => request.includes(' /suppressions'))
const known = async (engine: TestEngine, address = EVE): Promise<AddressSuppression | undefined> =>
  (await engine.call('suppression.ofAddresses', { addresses: [address] }))[0]
const look = async (engine: TestEngine, address = EVE): Promise<AddressSuppression | undefined> =>
  (await engine.call('suppression.refresh', { addresses: [address] }))[0]
const sendTo = async (platform: TestPlatform, to: string | readonly string[], event: string): Promise<string> => {
  const { id } = await platform.ask<{ id: string }>('POST', '/emails', {
    ...{ from: platform.inboxAddress, to, subject: 'Invoice', text: 'Due on Friday.' },
  })
  await platform.ask('PUT', `/_control/emails/${id}`, { last_event: event })
  return id
}
const open = async () => {
  const platform = await startTestPlatform()
  const proxy = await startRecordingProxy(platform.baseUrl)
  const directory = temporaryDirectory()
  const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
  return { platform, proxy, directory, engine }
}

describe('the suppression status of an address', () => {
  it('is requested when viewed, once in ten minutes, and never automatically', async () => {
    const { platform, engine } = await open()
    await sendTo(platform, EVE, 'bounced')
    await suppress(platform, 'kim@pier.example')
    await engine.call('sync.now', {})
    expect(asked(platform).filter((request) => !request.startsWith('POST'))).toEqual([])
    expect(await known(engine)).toMatchObject({ suppression: null, freshness: { state: 'never' } })

    const addresses = [EVE, 'Kim@Pier.example', 'nobody@pier.example']
    const found = await engine.call('suppression.refresh', { addresses })
    expect(found.map(({ address, suppression }) => [address, suppression?.origin ?? null])).toEqual([
      [EVE, 'bounce'],
      ['Kim@Pier.example', 'manual'],
      ['nobody@pier.example', null],
    ])
    expect(found[0]?.suppression?.since).toEqual(expect.any(Number))
    expect(found.map(({ freshness }) => freshness.state)).toEqual(['live', 'live', 'live'])
    const before = asked(platform).length
    await engine.call('suppression.refresh', { addresses })
    await engine.call('person.refresh', { address: EVE })
    expect(asked(platform)).toHaveLength(before)
    expect((await engine.call('person.get', { address: EVE })).suppressed.suppression?.origin).toBe('bounce')

    await engine.skip(11 * 60_000)
    expect((await known(engine))?.freshness.state).toBe('cached')
    await engine.call('suppression.refresh', { addresses })
    expect(asked(platform)).toHaveLength(before + 3)
  })

  it('names the message that caused it once that is in the list of sent e-mails', async () => {
    const { platform, engine } = await open()
    await platform.fault({ kind: 'error_503', method: 'GET', path: '/emails' })
    const id = await sendTo(platform, EVE, 'bounced')
    expect(await look(engine)).toMatchObject({ suppression: { origin: 'bounce', sourceId: null } })
    await platform.fault()
    await engine.call('sync.now', {})
    expect(await known(engine)).toMatchObject({ suppression: { origin: 'bounce', sourceId: id } })
    await suppress(platform, 'kim@pier.example')
    expect(await look(engine, 'kim@pier.example')).toMatchObject({ suppression: { origin: 'manual', sourceId: null } })
  })

  it('is requested again after a bounce', async () => {
    const { platform, engine } = await open()
    expect(await look(engine)).toMatchObject({ suppression: null, returned: null })
    await engine.advance(1_000)
    await sendTo(platform, EVE, 'complained')
    await engine.call('sync.now', {})
    await eventually(
      () => known(engine),
      (each) => each?.returned?.event === 'complained',
    )
    expect(await look(engine)).toMatchObject({ suppression: { origin: 'complaint' } })
  })

  it('ignores mail to several people, and is cleared by later deliveries', async () => {
    const { platform, engine } = await open()
    await sendTo(platform, [EVE, 'kim@pier.example'], 'bounced')
    await sendTo(platform, 'joan@pier.example', 'bounced')
    await platform.ask('DELETE', '/suppressions/joan@pier.example')
    await engine.advance(1_000)
    await sendTo(platform, 'joan@pier.example', 'delivered')
    await sendTo(platform, 'lee@pier.example', 'bounced')
    await engine.call('sync.now', {})
    await eventually(
      () => known(engine, 'lee@pier.example'),
      (each) => each?.returned?.event === 'bounced',
    )
    expect((await known(engine))?.returned).toBeNull()
    expect((await known(engine, 'joan@pier.example'))?.returned).toBeNull()
  })

  it('is kept offline with its time; an unknown one is no error', async () => {
    const { platform, directory, engine } = await open()
    await suppress(platform)
    const at = (await look(engine))?.freshness.at
    await engine.close()
    await platform.stop()
    const again = await openTestEngine(platform, directory)
    await again.skip(11 * 60_000)
    expect(await look(again)).toMatchObject({ suppression: { origin: 'manual' }, freshness: { state: 'cached', at } })
    expect(await look(again, 'kim@pier.example')).toMatchObject({ suppression: null, freshness: { state: 'never' } })
  })

  it.each([403, 404, 405])('is unavailable if the platform answers %d, and rarely requested', async (status) => {
    const platform = await startTestPlatform()
    const door = await startRejectingProxy(platform)
    door.refuse((request) => (request.includes('/suppressions') ? status : null))
    const engine = await openSettledEngine({ ...platform, baseUrl: door.baseUrl })
    for (let n = 0; n < 9; n++) {
      const found = await look(engine, `p${n}@pier.example`)
      expect(found).toMatchObject({ suppression: null, freshness: { state: 'never' } })
    }
    // One address and the entire list are requested twice each, because a single refusal may be temporary.
    expect(door.requests().filter((request) => request.includes('/suppressions')).length).toBeLessThanOrEqual(4)
    expect(await engine.status()).toMatchObject({ connection: 'online', problem: null })
  })
})

describe('an address removed from the suppression list', () => {
  it('is removed with one request, and undo adds a manual entry', async () => {
    const { platform, proxy, engine } = await open()
    await sendTo(platform, EVE, 'bounced')
    await look(engine)
    const { changeId } = await engine.call('suppression.remove', { address: EVE.toUpperCase() })
    expect(await known(engine)).toMatchObject({ suppression: null })
    await engine.settled()
    expect(await isSuppressedThere(platform)).toBe(false)
    expect(engine.events('suppressions.changed').length).toBeGreaterThan(0)
    expect(await known(engine)).toMatchObject({ suppression: null, isWaiting: false })

    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    expect(await known(engine)).toMatchObject({ suppression: { origin: 'manual' } })
    await engine.settled()
    expect(await isSuppressedThere(platform)).toBe(true)
    expect(proxy.changes().map(({ method, status }) => [method, status])).toEqual([
      ['DELETE', 200],
      ['POST', 201],
    ])
    expect(await known(engine)).toMatchObject({ suppression: { origin: 'manual' }, isWaiting: false })
  })

  it('waits offline through restarts, and isn’t sent if undone', async () => {
    const { platform, directory, engine } = await open()
    await suppress(platform)
    await suppress(platform, 'kim@pier.example')
    await engine.call('suppression.refresh', { addresses: [EVE, 'kim@pier.example'] })
    await platform.fault({ kind: 'error_503', path: '/suppressions' })
    const { changeId } = await engine.call('suppression.remove', { address: EVE })
    await engine.call('suppression.remove', { address: 'kim@pier.example' })
    expect(await known(engine)).toMatchObject({ suppression: null, isWaiting: true })
    await engine.close()

    const again = await openTestEngine(platform, directory)
    expect(await known(again)).toMatchObject({ suppression: null, isWaiting: true })
    await again.call('change.undo', { changeId })
    await platform.fault()
    await again.settled()
    expect(await isSuppressedThere(platform)).toBe(true)
    expect(await isSuppressedThere(platform, 'kim@pier.example')).toBe(false)
    expect(await known(again)).toMatchObject({ suppression: { origin: 'manual' }, isWaiting: false })
  })

  it('is removed once if the response is lost or another client was faster', async () => {
    const { platform, engine } = await open()
    await suppress(platform)
    await look(engine)
    await platform.fault({ kind: 'lost', method: 'DELETE', path: '/suppressions', times: 1 })
    await engine.call('suppression.remove', { address: EVE })
    await engine.settled()
    expect(await isSuppressedThere(platform)).toBe(false)
    expect(asked(platform).filter((request) => request.startsWith('DELETE')).length).toBeLessThanOrEqual(1)
    expect(await known(engine)).toMatchObject({ suppression: null, isWaiting: false })
    expect(await engine.rollbackNotices()).toEqual([])

    await suppress(platform, 'kim@pier.example')
    await look(engine, 'kim@pier.example')
    await platform.ask('DELETE', '/suppressions/kim@pier.example')
    await engine.call('suppression.remove', { address: 'kim@pier.example' })
    await engine.settled()
    expect(await engine.rollbackNotices()).toEqual([])
    expect(await known(engine, 'kim@pier.example')).toMatchObject({ suppression: null, isWaiting: false })
  })

  it('stays listed with a notice if the platform rejects it', async () => {
    const { platform, engine } = await open()
    await suppress(platform)
    await look(engine)
    await platform.fault({ kind: 'error_422', method: 'DELETE', path: '/suppressions', times: 1 })
    await engine.call('suppression.remove', { address: EVE })
    await engine.settled()
    expect(await engine.rollbackNotices()).toMatchObject([
      { message: expect.stringContaining(`Your removal of ${EVE} from the suppression list was undone`) as string },
    ])
    expect(await known(engine)).toMatchObject({ suppression: { origin: 'manual' } })
    expect(await engine.problemOf('suppression.remove', { address: 'kim@pier.example' })).toMatchObject({
      code: 'invalid_input',
    })
  })
})
