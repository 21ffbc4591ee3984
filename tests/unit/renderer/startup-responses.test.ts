import { expect, it, vi } from 'vitest'
import { takeStartupResponses, withStartupResponses } from '../../../src/renderer/startup-responses.ts'
import type { AddressedEvent } from '../../../src/shared/contract.ts'
import { STARTUP_RESPONSES_ID, type StartupResponse } from '../../../src/shared/startup-responses.ts'
import { fail, ok, type Result } from '../../../src/shared/result.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

const list = { query: createFolderQuery('inbox-1', 'inbox'), offset: 0, limit: 50 }
const kept: readonly StartupResponse[] = [
  { name: 'account.state', accountId: null, input: {}, data: { accounts: [] } },
  { name: 'inbox.list', accountId: 'a', input: {}, data: { inboxes: [] } },
  { name: 'label.list', accountId: 'a', input: { inboxId: 'inbox-1' }, data: [] },
  { name: 'thread.list', accountId: 'a', input: list, data: { items: ['one'] } },
]

const begin = (answer: (name: string) => Result<unknown> | Promise<never>) => {
  const asked: string[] = []
  const told: AddressedEvent[] = []
  const painted = Promise.withResolvers<undefined>()
  const transport = withStartupResponses(
    {
      call: (name) => {
        asked.push(name)
        return Promise.resolve(answer(name))
      },
      subscribe: () => () => undefined,
    },
    kept,
    () => painted.promise,
  )
  transport.subscribe((event) => void told.push(event))
  return { asked, told, transport, paint: () => painted.resolve(undefined) }
}
const askAll = ({ transport }: Pick<ReturnType<typeof begin>, 'transport'>) =>
  Promise.all(kept.map(({ name, input, accountId }) => transport.call(name, input, accountId)))

it('answers the first requests from saved responses, and asks the host after the first paint', async () => {
  const window = begin((name) => ok(kept.find((each) => each.name === name)?.data))
  const answers = kept.map(({ data }) => ok(data))
  expect(await askAll(window)).toEqual(answers)
  expect(await askAll(window)).toEqual(answers)
  expect(window.asked).toEqual([])
  window.paint()
  await vi.waitFor(() => expect(window.asked).toEqual(kept.map(({ name }) => name)))
  expect(window.told).toEqual([])
  await askAll(window)
  expect(window.asked).toHaveLength(2 * kept.length)
})

it('passes other requests to the host from the start', async () => {
  const window = begin(() => ok('of the host'))
  const { transport } = window
  expect(await transport.call('inbox.list', {}, 'b')).toEqual(ok('of the host'))
  expect(await transport.call('thread.list', { ...list, offset: 50 }, 'a')).toEqual(ok('of the host'))
  expect(await transport.call('run.state', {}, null)).toEqual(ok('of the host'))
})

it.each([
  ['another answer', () => ok('another')],
  ['a refusal', () => fail('storage_failed', 'The disk.')],
  ['no answer', () => Promise.reject(new Error('gone'))],
])('notifies the screens after %s', async (_, answer) => {
  const window = begin(answer)
  await askAll(window)
  window.paint()
  await vi.waitFor(() => expect(window.told.some(({ name }) => name === 'threads.changed')).toBe(true))
  const lists = { folders: ['inbox'], labelIds: [], threadIds: [], searches: [] }
  expect(window.told.filter(({ name }) => name !== 'account.changed')).toEqual([
    { name: 'inboxes.changed', payload: null, accountId: 'a' },
    { name: 'labels.changed', payload: { inboxId: 'inbox-1', replaced: [] }, accountId: 'a' },
    { name: 'threads.changed', payload: { inboxId: 'inbox-1', ...lists }, accountId: 'a' },
  ])
  // Only a response from the host replaces the accounts.
  const accounts = window.told.filter(({ name }) => name === 'account.changed').map(({ payload }) => payload)
  expect(accounts).toEqual(_ === 'another answer' ? ['another'] : [])
})

it('removes the saved responses from the page', () => {
  const remove = vi.fn()
  const element = { textContent: JSON.stringify(kept), remove }
  const page = { getElementById: (id: string) => (id === STARTUP_RESPONSES_ID ? element : null) }
  expect(takeStartupResponses(page as unknown as Document)).toEqual(kept)
  expect(remove).toHaveBeenCalledOnce()
  expect(takeStartupResponses({ getElementById: () => null } as unknown as Document)).toEqual([])
})
