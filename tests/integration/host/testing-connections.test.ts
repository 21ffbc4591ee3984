import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startTestPlatform } from '../engine/support/test-platform.ts'
import { openTestMachine } from './support/test-host.ts'

it('tests a saved or typed connection with progress, and stores nothing', async () => {
  const platform = await startTestPlatform()
  const { ask, account, events, problemOf } = openTestMachine().start()
  const { baseUrl, apiKey } = platform
  const run = randomUUID()
  const typed = await ask('network.test', { run, tested: { baseUrl, apiKey } })
  const names = ['way', 'name', 'line', 'certificate', 'platform', 'key']
  expect(typed.map(({ name, state }) => `${name} ${state}`)).toEqual(names.map((name) => `${name} well`))
  expect(typed[0]?.words).toBe('Linnet connects to 127.0.0.1 directly, because it is on this computer.')
  const told = events.flatMap((event) => (event.name === 'network.tested' ? [event] : []))
  expect(told.length).toBeGreaterThan(0)
  for (const { payload, accountId } of told) {
    expect(accountId).toBeNull()
    expect(payload).toEqual({ run, steps: typed.slice(0, payload.steps.length) })
  }
  expect((await ask('account.state', {})).accounts).toEqual([])

  await ask('account.connect', { baseUrl, apiKey })
  const accountId = (await account())?.id ?? ''
  await platform.stop()
  const steps = await ask('network.test', { run: randomUUID(), tested: { accountId } })
  expect(steps.find(({ state }) => state === 'wrong')).toMatchObject({ name: 'line' })
  expect((await ask('app.diagnostics', { browser: null })).text).toContain(
    '\nLast test: way well, name well, line wrong, certificate untried, platform untried, key untried\n',
  )
  const nobody = { run: randomUUID(), tested: { accountId: 'nobody' } }
  expect(await problemOf('network.test', nobody)).toMatchObject({ code: 'no_account' })
  const noAddress = { run: randomUUID(), tested: { baseUrl: 'http://example.com', apiKey } }
  expect(await problemOf('network.test', noAddress)).toMatchObject({ code: 'invalid_input' })
})
