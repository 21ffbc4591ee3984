import { describe, expect, it } from 'vitest'
import type { MailPlatform } from '../../../../src/engine/api/mail-platform.ts'
import { toRefusal } from '../../../../src/engine/api/platform-problem.ts'
import type { WireEmail } from '../../../../src/engine/api/wire.ts'
import { createThreadEmailReader } from '../../../../src/engine/sync/thread-emails.ts'
import { createTurns } from '../../../../src/engine/sync/turns.ts'
import { openTestCache, wireThread } from '../support/open-test-cache.ts'

const email = (id: string, minute: number, fields: Partial<WireEmail> = {}): WireEmail => ({
  id,
  direction: 'inbound',
  from: 'ada@example.com',
  text: `Text of ${id}`,
  read: true,
  received_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  ...fields,
})

/** A thread on a platform, and a cache that reads it; the e-mails can be changed at any time. */
const openThread = (first: readonly WireEmail[]) => {
  const { cache, inbox } = openTestCache()
  let emails = first
  const asked: (string | undefined)[] = []
  const platform: Pick<MailPlatform, 'getThread' | 'listThreadEmails'> = {
    getThread: () => Promise.reject(new Error('The thread is known.')),
    listThreadEmails: (_inbox, _thread, { after }) => {
      asked.push(after)
      const place = emails.findIndex(({ id }) => id === after)
      if (after !== undefined && place === -1) return Promise.reject(toRefusal(404, { message: 'No such cursor.' }))
      return Promise.resolve({ items: emails.slice(place + 1), hasMore: false, isWhole: true })
    },
  }
  const told: string[] = []
  const reader = createThreadEmailReader(
    platform,
    cache,
    { emails: (_inbox, ids) => void told.push(...ids), threads: () => undefined },
    createTurns(),
    () => Promise.reject(new Error('The thread is known.')),
    new AbortController().signal,
  )
  const read = async (): Promise<readonly (string | undefined)[]> => {
    const count = { email_count: emails.length }
    cache.threads.storePage(inbox, [wireThread('t1', 59, count)], { askedAt: performance.now(), inSent: false })
    asked.length = 0
    await reader.read(inbox, 't1', 'action')
    return [...asked]
  }
  return {
    read,
    told,
    change: (next: readonly WireEmail[]) => {
      emails = next
    },
    shown: () =>
      cache.emails
        .ofThread(inbox, 't1', false)
        .flatMap(({ id, onServer, read: isRead }) => (onServer ? [isRead ? id : `${id} unread`] : [])),
  }
}

const three = [email('e1', 1), email('e2', 2), email('e3', 3)]

describe('reading a thread that has been read before', () => {
  it('asks for what comes after the e-mails that are known and read', async () => {
    const { read, change, shown } = openThread(three)
    expect(await read()).toEqual([undefined])
    change([...three, email('e4', 4, { read: false })])
    expect(await read()).toEqual(['e3'])
    expect(shown()).toEqual(['e1', 'e2', 'e3', 'e4 unread'])
  })

  it('asks again for those that were unread: only the platform knows whether they still are', async () => {
    const { read, change, shown } = openThread([email('e1', 1), email('e2', 2, { read: false }), email('e3', 3)])
    await read()
    expect(shown()).toEqual(['e1', 'e2 unread', 'e3'])
    change(three)
    expect(await read()).toEqual(['e1'])
    expect(shown()).toEqual(['e1', 'e2', 'e3'])
  })

  it('reads all of it where an earlier e-mail is gone: the count does not fit', async () => {
    const { read, change, shown } = openThread(three)
    await read()
    change([email('e2', 2), email('e3', 3), email('e4', 4)])
    expect(await read()).toEqual(['e3', undefined])
    expect(shown()).toEqual(['e2', 'e3', 'e4'])
  })

  it('reads all of it where the last one that is known is gone', async () => {
    const { read, change, shown } = openThread(three)
    await read()
    change([email('e1', 1), email('e4', 4)])
    expect(await read()).toEqual(['e3', undefined])
    expect(shown()).toEqual(['e1', 'e4'])
  })

  it('tells of nothing where nothing differs', async () => {
    const { read, told } = openThread(three)
    await read()
    expect(told).toEqual(['t1'])
    await read()
    expect(told).toEqual(['t1'])
  })
})
