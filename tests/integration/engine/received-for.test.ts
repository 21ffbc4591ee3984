import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { toEmailFilter } from '../../../src/shared/email-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const deliver = (platform: TestPlatform, subject: string, to: string, ...received: readonly string[]): Promise<void> =>
  platform.deliver({
    ...{ from: 'Ann <ann@pier.example>', subject, to, text: subject },
    envelope: { from: 'ann@pier.example', to: [...received] },
  })

const found = async (engine: TestEngine, text: string): Promise<readonly (string | null)[]> => {
  const { filter, faults } = parseSearch(text, { now: Date.now(), timeZone: 'UTC', labels: [], list: 'received' })
  expect(faults).toEqual([])
  const query = toEmailFilter(filter)
  const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 10, query })
  return items.map(({ subject }) => subject).toSorted()
}

describe('the address that an e-mail was received for', () => {
  it('appears in lists and e-mails, and is found by `to:`, also offline', async () => {
    const platform = await startTestPlatform()
    await deliver(platform, 'Named', 'Sales <sales@linnet.example>', 'sales@linnet.example')
    await deliver(platform, 'Blind', 'Bo <bo@pier.example>', 'sales@linnet.example')
    await deliver(platform, 'Another', 'jobs@linnet.example', 'jobs@linnet.example')
    await deliver(platform, 'To the inbox', platform.inboxAddress, platform.inboxAddress)
    const directory = temporaryDirectory()
    const first = await openSettledEngine(platform, directory)
    const { items } = await first.call('receivedEmail.list', { offset: 0, limit: 10 })
    expect(Object.fromEntries(items.map(({ subject, receivedFor }) => [subject, receivedFor]))).toEqual({
      Named: ['sales@linnet.example'],
      Blind: ['sales@linnet.example'],
      Another: ['jobs@linnet.example'],
      'To the inbox': [platform.inboxAddress],
    })
    const blind = items.find(({ subject }) => subject === 'Blind')
    expect(await first.call('receivedEmail.get', { id: blind?.id ?? '' })).toMatchObject({
      to: ['Bo <bo@pier.example>'],
      receivedFor: ['sales@linnet.example'],
      inThread: null,
    })
    await first.close()
    await platform.stop()

    const engine = await openTestEngine(platform, directory)
    expect(await found(engine, 'to:sales')).toEqual(['Blind', 'Named'])
    expect(await found(engine, 'to:"<sales@linnet.example>"')).toEqual(['Blind', 'Named'])
    expect(await found(engine, 'to:pier')).toEqual(['Blind'])
    expect(await found(engine, 'to:jobs')).toEqual(['Another'])
  })
})
