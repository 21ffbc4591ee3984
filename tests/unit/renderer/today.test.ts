import { describe, expect, it } from 'vitest'
import { findLastRead, readToday } from '../../../src/renderer/features/home/today.ts'
import type { Backend } from '../../../src/renderer/kernel/backend.ts'
import type { CommandInput } from '../../../src/shared/contract.ts'
import { ok } from '../../../src/shared/result.ts'
import { fixtureThreads } from './support/fixture-mail.ts'

const INBOX_ID = 'inbox-1'

const threads = fixtureThreads(70).map((thread, index) => ({
  ...thread,
  folder: 'inbox',
  receivedAt: Date.now() - index * 60_000,
  ...(index % 2 === 1 && { isWaiting: true as const }),
  match: null,
}))

/** Answers for the inbox in the order of the wait; other lists are empty. */
const backendOf = (asked: CommandInput<'thread.list'>[]): Backend =>
  ({
    call: (_name: string, input: CommandInput<'thread.list'>) => {
      asked.push(input)
      const { order, offset, limit } = input
      const waiting = threads.filter(({ isWaiting }) => isWaiting).toReversed()
      const found = order === 'waiting' ? [...waiting, ...threads.filter(({ isWaiting }) => !isWaiting)] : []
      return Promise.resolve(ok({ items: found.slice(offset, offset + limit), total: found.length }))
    },
  }) as unknown as Backend

describe('the home pane', () => {
  it('lists the unanswered threads from people that wait longest, oldest first', async () => {
    const asked: CommandInput<'thread.list'>[] = []
    const today = await readToday(backendOf(asked), INBOX_ID, { labels: [], me: [] })
    expect(findLastRead(INBOX_ID)).toBe(today)
    expect(today.waiting.map(({ id }) => id)).toEqual([69, 67, 65, 63].map((index) => threads[index]?.id))
    expect(asked.every(({ localOnly }) => localOnly === true)).toBe(true)
  })

  it('asks for the user’s threads only if their name is known', async () => {
    const asked: CommandInput<'thread.list'>[] = []
    const queried = (): boolean => asked.some(({ query }) => query.assignedTo !== null)
    await readToday(backendOf(asked), INBOX_ID, { labels: [], me: [] })
    expect(queried()).toBe(false)
    await readToday(backendOf(asked), INBOX_ID, { labels: [], me: ['Ada'] })
    expect(queried()).toBe(true)
  })
})
