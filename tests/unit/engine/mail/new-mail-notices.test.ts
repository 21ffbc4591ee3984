import { describe, expect, it } from 'vitest'
import { NewMailNotices } from '../../../../src/engine/mail/new-mail-notices.ts'
import type { ArrivedMail } from '../../../../src/shared/arrived-mail.ts'
import type { Thread } from '../../../../src/shared/model.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const START = 1_000_000

const threadOf = (id: string, receivedAt: number, about: Partial<Thread> = {}): Thread => ({
  ...{ id, inboxId: 'desk', subject: id, from: 'ada@quay.example', to: [], cc: [], bcc: [], labels: [] },
  ...{ emailCount: 1, hasAttachment: false, hasDraft: false, read: false, receivedAt, folder: 'inbox', snippet: null },
  ...{ writers: [], hasOutbound: false, onServer: true, ...about },
})

const open = (accountMeta = new Map<string, number>(), clock = createSteppedClock(START)) => {
  const threads = new Map<string, Thread>()
  const told: ArrivedMail[] = []
  const wanted = new Map<string, boolean | 'wait'>()
  const ending = new AbortController()
  const news = new NewMailNotices({
    accountMeta: {
      number: (name) => accountMeta.get(name) ?? null,
      set: (name, value) => {
        if (isFull.now) throw new Error('The disk is full.')
        accountMeta.set(name, Number(value))
      },
    },
    thread: (_inboxId, id) => threads.get(id),
    wanted: (_inboxId, id) => wanted.get(id) ?? null,
    announce: (mail) => told.push(mail),
    clock,
    signal: ending.signal,
  })
  const isFull = { now: false }
  const come = (...all: readonly Thread[]): void => {
    for (const each of all) threads.set(each.id, each)
    news.onArrival('desk', new Map(all.map(({ id, receivedAt }) => [id, receivedAt])))
  }
  const ids = () => told.map((mail) => mail.threads.map(({ threadId }) => threadId))
  return {
    clock,
    advance: clock.advance,
    threads,
    told,
    wanted,
    accountMeta,
    isFull,
    come,
    ids,
    end: () => ending.abort(),
  }
}

describe('new mail', () => {
  it('is reported together, newest first, without mail from before the inbox was added', async () => {
    const { come, told, ids, advance } = open()
    come(threadOf('old', START - 5_000), threadOf('first', START + 1), threadOf('second', START + 2))
    expect(told).toEqual([])
    await advance(1_000)
    expect(ids()).toEqual([['second', 'first']])
    expect(told[0]).toMatchObject({ inboxId: 'desk', count: 2 })
  })

  it('is reported once, even across a restart, and again when the thread grows', async () => {
    const first = open()
    first.come(threadOf('one', START + 10))
    await first.advance(1_000)
    first.come(threadOf('one', START + 10))
    await first.advance(1_000)
    expect(first.ids()).toEqual([['one']])
    first.end()
    const second = open(first.accountMeta, first.clock)
    second.come(threadOf('one', START + 10), threadOf('two', START + 20))
    await first.advance(1_000)
    second.come(threadOf('one', START + 30))
    await first.advance(1_000)
    expect(second.ids()).toEqual([['two'], ['one']])
  })

  it('isn’t reported if read, moved or dropped meanwhile, or outside the inbox', async () => {
    const { threads, come, told, advance } = open()
    come(
      threadOf('read', START + 1, { read: true }),
      threadOf('spam', START + 2, { folder: 'spam' }),
      threadOf('sent', START + 3, { folder: 'sent' }),
      threadOf('gone', START + 4, { onServer: false }),
      threadOf('seen', START + 5),
      threadOf('removed', START + 6),
    )
    threads.set('seen', threadOf('seen', START + 5, { read: true }))
    threads.delete('removed')
    await advance(1_000)
    expect(told).toEqual([])
  })

  it('names five senders, and how many there are', async () => {
    const { come, told, advance } = open()
    come(...Array.from({ length: 40 }, (_, index) => threadOf(`thread ${index}`, START + 1 + index)))
    await advance(1_000)
    expect(told).toHaveLength(1)
    expect(told[0]?.threads).toHaveLength(5)
    expect(told[0]?.count).toBe(40)
  })

  it('dated far ahead silences nothing that comes later', async () => {
    const { come, ids, advance } = open()
    come(threadOf('of the year 3000', START + 1e12))
    await advance(1_000)
    await advance(20 * 60_000)
    come(threadOf('today', START + 20 * 60_000))
    await advance(1_000)
    expect(ids()).toEqual([['of the year 3000'], ['today']])
  })

  it('is reported if the disk is full, but not after the account closed', async () => {
    const { come, isFull, ids, end, advance } = open()
    isFull.now = true
    come(threadOf('one', START + 1))
    await advance(1_000)
    come(threadOf('two', START + 2))
    await advance(1_000)
    expect(ids()).toEqual([['one'], ['two']])
    come(threadOf('three', START + 3))
    end()
    await advance(5_000)
    expect(ids()).toHaveLength(2)
  })

  it('waits for rules, which can suppress it or report it even if archived', async () => {
    const { come, wanted, threads, ids, advance } = open()
    for (const id of ['quiet', 'loud', 'plain']) wanted.set(id, 'wait')
    come(threadOf('quiet', START + 1), threadOf('loud', START + 2), threadOf('plain', START + 3))
    await advance(3_000)
    expect(ids()).toEqual([])
    wanted.set('quiet', false).set('loud', true).delete('plain')
    threads.set('loud', threadOf('loud', START + 2, { folder: 'archive', read: true }))
    await advance(1_000)
    expect(ids()).toEqual([['plain', 'loud']])
  })

  it('doesn’t wait for ever', async () => {
    const { come, wanted, ids, advance } = open()
    wanted.set('late', 'wait')
    come(threadOf('late', START + 1))
    for (let second = 0; second < 12; second += 1) await advance(1_000)
    expect(ids()).toEqual([['late']])
  })
})
