import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MailPlatform } from '../../../../src/engine/platform/mail-platform.ts'
import type { FetchedEmail } from '../../../../src/engine/platform/resources/thread-emails.ts'
import { toRefusal } from '../../../../src/engine/platform/platform-problem.ts'
import { ThreadEmailFetcher } from '../../../../src/engine/sync/thread-emails.ts'
import { createTurnRunner } from '../../../../src/engine/timing/turns.ts'
import type { ChunkedBodies } from '../../../../src/shared/model.ts'
import { emailOf, type Words } from '../../../support/raw-payloads.ts'
import { computeBodyVersion, getBodyChunk } from '../../../../src/engine/store/separate-bodies.ts'
import { systemClock } from '../../../../src/engine/timing/clock.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'

const email = (id: string, minute: number, fields: Words = {}): FetchedEmail =>
  emailOf({
    id,
    direction: 'inbound',
    from: 'ada@example.com',
    text: `Text of ${id}`,
    read: true,
    received_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    ...fields,
  })

const openThread = (first: readonly FetchedEmail[]) => {
  const { cache, inbox, file } = openTestCache()
  let emails = first
  let mayAnswer: (after: string | undefined) => boolean = () => true
  const asked: (string | undefined)[] = []
  let isGoingOn = false
  let firstPage: number | null = null
  let longestPage = 100
  const platform: Pick<MailPlatform, 'getThread' | 'listThreadEmails'> = {
    getThread: () => Promise.reject(new Error('The thread is known.')),
    listThreadEmails: (_inbox, _thread, { after, limit }) => {
      asked.push(limit === 1 ? 'the first one' : after)
      if (!mayAnswer(after)) return Promise.reject(new Error('It cannot be reached.'))
      if (isGoingOn) {
        const next = Array.from({ length: limit ?? 100 }, (_, index) => email(`more-${asked.length}-${index}`, 5))
        return Promise.resolve({ items: next, hasMore: true, isWhole: true })
      }
      if (firstPage !== null)
        return Promise.resolve({ items: emails.slice(0, firstPage), hasMore: true, isWhole: true })
      const place = emails.findIndex(({ id }) => id === after)
      if (after !== undefined && place === -1) return Promise.reject(toRefusal(404, { message: 'No such cursor.' }))
      const rest = emails.slice(place + 1)
      const most = Math.min(limit ?? 100, longestPage)
      return Promise.resolve({ items: rest.slice(0, most), hasMore: rest.length > most, isWhole: true })
    },
  }
  const told: string[] = []
  const endless: number[] = []
  const reader = new ThreadEmailFetcher({
    platform,
    cache,
    hub: { emails: (_inbox, ids) => void told.push(...ids), threads: () => undefined },
    inTurn: createTurnRunner(),
    storeThread: () => Promise.reject(new Error('The thread is known.')),
    isEndless: (_inbox, _thread, count) => void endless.push(count),
    signal: new AbortController().signal,
    clock: systemClock,
  })
  const read = async (): Promise<readonly (string | undefined)[]> => {
    const count = { email_count: emails.length }
    cache.threads.storePage(inbox, [listedThread('t1', 59, count)], { askedAt: performance.now(), inSent: false })
    asked.length = 0
    await reader.read(inbox, 't1', 'action')
    return [...asked]
  }
  const readNewer = () => {
    asked.length = 0
    return reader.readNewer(inbox, 't1', { priority: 'action', signal: new AbortController().signal })
  }
  return {
    read,
    readNewer,
    asked,
    limitPages: (length: number) => {
      longestPage = length
    },
    told,
    endless,
    goOn: () => {
      isGoingOn = true
    },
    repeatFirst: (length: number) => {
      firstPage = length
    },
    file,
    inbox,
    emails: () => cache.emails.ofThread(inbox, 't1', false),
    htmlOf: (id: string, { html, version }: ChunkedBodies) => {
      const bodies = cache.emails.bodiesOf(inbox, 't1', id)
      expect(bodies && computeBodyVersion(bodies)).toBe(version)
      expect(getBodyChunk(bodies?.html ?? '', html - 1)).not.toBeNull()
      expect(getBodyChunk(bodies?.html ?? '', html)).toBeNull()
      return bodies?.html
    },
    change: (next: readonly FetchedEmail[]) => {
      emails = next
    },
    answerOnly: (may: typeof mayAnswer) => {
      mayAnswer = may
    },
    shown: () =>
      cache.emails
        .ofThread(inbox, 't1', false)
        .flatMap(({ id, onServer, read: isRead }) => (onServer ? [isRead ? id : `${id} unread`] : [])),
  }
}

const three = [email('e1', 1), email('e2', 2), email('e3', 3)]

it('reads an endless thread up to about its count, reports it and deletes nothing', async () => {
  const { read, endless, goOn, shown } = openThread(three)
  await read()
  const before = shown()
  goOn()
  const asked = await read()
  expect(endless).toHaveLength(1)
  expect(endless[0]).toBeLessThanOrEqual(250)
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(shown()).toEqual(expect.arrayContaining([...before]))
})

it('ends a thread whose first page repeats, and reports missing e-mails', async () => {
  const { read, endless, change, emails, repeatFirst } = openThread(
    Array.from({ length: 5 }, (_, at) => email(`e${at}`, at)),
  )
  await read()
  repeatFirst(3)
  change([...Array.from({ length: 5 }, (_, at) => email(`e${at}`, at)), email('e5', 5)])
  expect((await read()).length).toBeLessThanOrEqual(5)
  expect(endless).toEqual([3])
  expect(emails().every(({ onServer }) => onServer)).toBe(true)
  repeatFirst(6)
  await read()
  expect(endless).toEqual([3])
  expect(emails()).toHaveLength(6)
})

describe('rereading a thread', () => {
  it('notifies about stored e-mails even if the rest can’t be fetched', async () => {
    const { read, told, change, answerOnly, emails } = openThread(three)
    await read()
    told.length = 0
    // One e-mail is gone, so continuing from the newest isn't enough.
    change([...three.filter(({ id }) => id !== 'e2'), email('e4', 4)])
    answerOnly((after) => after !== undefined)
    await expect(read()).rejects.toThrow('reached')
    expect(emails().map(({ id }) => id)).toContain('e4')
    expect(told).toEqual(['t1'])
  })

  it('fetches what follows the known e-mails that are read', async () => {
    const { read, change, shown } = openThread(three)
    expect(await read()).toEqual([undefined])
    change([...three, email('e4', 4, { read: false })])
    expect(await read()).toEqual(['e3'])
    expect(shown()).toEqual(['e1', 'e2', 'e3', 'e4 unread'])
  })

  it('fetches unread ones again, as only the platform knows their state', async () => {
    const { read, change, shown } = openThread([email('e1', 1), email('e2', 2, { read: false }), email('e3', 3)])
    await read()
    expect(shown()).toEqual(['e1', 'e2 unread', 'e3'])
    change(three)
    expect(await read()).toEqual(['e1'])
    expect(shown()).toEqual(['e1', 'e2', 'e3'])
  })

  it('fetches only the oldest if the platform dropped the first e-mails', async () => {
    const { read, change, shown, emails } = openThread(three)
    await read()
    change([email('e2', 2), email('e3', 3), email('e4', 4)])
    expect(await read()).toEqual(['e3', 'the first one'])
    expect(shown()).toEqual(['e2', 'e3', 'e4'])
    expect(emails().map(({ id, onServer }) => [id, onServer])).toEqual([
      ['e1', false],
      ['e2', true],
      ['e3', true],
      ['e4', true],
    ])
  })

  it('reads everything if an e-mail in between is gone', async () => {
    const { read, change, shown } = openThread(three)
    await read()
    change([email('e1', 1), email('e3', 3), email('e4', 4)])
    expect(await read()).toEqual(['e3', 'the first one', undefined])
    expect(shown()).toEqual(['e1', 'e3', 'e4'])
  })

  it('reads everything if the last known one is gone', async () => {
    const { read, change, shown } = openThread(three)
    await read()
    change([email('e1', 1), email('e4', 4)])
    expect(await read()).toEqual(['e3', undefined])
    expect(shown()).toEqual(['e1', 'e4'])
  })

  it('notifies nobody if nothing changed', async () => {
    const { read, told } = openThread(three)
    await read()
    expect(told).toEqual(['t1'])
    await read()
    expect(told).toEqual(['t1'])
  })
})

describe('reading on from the newest local e-mail', () => {
  it('fetches all later pages, and nothing that was read', async () => {
    const { read, readNewer, limitPages, change, shown, asked } = openThread(three)
    await read()
    change([...three, email('e4', 4), email('e5', 5)])
    limitPages(1)
    expect(await readNewer()).toBe(true)
    expect(asked).toEqual(['e3', 'e4'])
    expect(shown()).toEqual(['e1', 'e2', 'e3', 'e4', 'e5'])
    expect(await readNewer()).toBe(true)
    expect(asked).toEqual(['e5'])
  })

  it('ends before an e-mail without a time, on every attempt', async () => {
    const { read, readNewer, limitPages, change, shown } = openThread(three)
    await read()
    change([...three, email('e4', 4), email('e5', 5, { received_at: undefined }), email('e6', 6)])
    limitPages(2)
    for (let time = 0; time < 2; time += 1) {
      expect(await readNewer()).toBe(false)
      expect(shown()).toEqual(['e1', 'e2', 'e3', 'e4'])
    }
  })

  it('ends on endless pages', async () => {
    const { read, readNewer, goOn, asked } = openThread(three)
    await read()
    goOn()
    expect(await readNewer()).toBe(false)
    expect(asked.length).toBeLessThanOrEqual(10)
  })
})

describe('a body stored apart from its e-mail', () => {
  const large = (letter: string): string => letter.repeat(700_000)
  const openLarge = (first: readonly FetchedEmail[]) => {
    const thread = openThread(first)
    const database = new Database(thread.file, { readonly: true })
    onTestFinished(() => void database.close())
    return {
      ...thread,
      /** First letter of each stored body. */
      kept: () => database.prepare('SELECT substr(text, 1, 1) FROM large_bodies ORDER BY text').pluck().all(),
      bodies: () =>
        thread.emails().map(({ id, html, text, apart }) => {
          const whole = apart === null ? html : thread.htmlOf(id, apart)
          return [id, (whole ?? text ?? '').slice(0, 1), whole?.length]
        }),
    }
  }

  it('exists while its e-mail has it, even if another e-mail has the same one', async () => {
    const { read, change, kept, bodies } = openLarge([
      email('e1', 1, { html: large('a') }),
      email('e2', 2, { html: large('a'), read: false }),
    ])
    await read()
    await read()
    expect(kept()).toEqual(['a', 'a'])
    change([email('e1', 1, { html: large('a') }), email('e2', 2, { html: 'small' })])
    await read()
    expect(kept()).toEqual(['a'])
    expect(bodies()).toEqual([
      ['e1', 'a', 700_000],
      ['e2', 's', 5],
    ])
  })

  it('goes when replaced, and stays with an e-mail that the platform dropped', async () => {
    const { read, change, kept, bodies } = openLarge([email('e1', 1, { html: large('a'), read: false })])
    await read()
    change([email('e1', 1, { html: large('b'), text: large('c'), read: false })])
    await read()
    expect(kept()).toEqual(['b', 'c'])
    change([email('e2', 2)])
    await read()
    expect(kept()).toHaveLength(2)
    expect(bodies()).toEqual([
      ['e1', 'b', 700_000],
      ['e2', 'T', undefined],
    ])
  })

  it('stays if a later response has no bodies', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 59)], { askedAt: 0, inSent: false })
    cache.emails.storePage(inbox, 't1', [email('e1', 1, { html: large('a') })])
    cache.emails.storePage(inbox, 't1', [email('e1', 1, { html: null, text: null, subject: 'Later' })])
    expect(cache.emails.get(inbox, 't1', 'e1')).toMatchObject({ html: large('a'), subject: 'Later' })
  })

  it('is deleted with its e-mail', () => {
    const { cache, inbox, file } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 59)], { askedAt: 0, inSent: false })
    cache.emails.storePage(inbox, 't1', [email('e1', 1, { html: large('a') })])
    cache.emails.removeAll(inbox, 't1')
    cache.close()
    const database = new Database(file, { readonly: true })
    expect(database.prepare('SELECT count(*) FROM large_bodies').pluck().get()).toBe(0)
    database.close()
  })
})
