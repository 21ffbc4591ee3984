import { describe, expect, it, onTestFinished } from 'vitest'
import { EmailSearches } from '../../../src/engine/mail/search/email-searches.ts'
import type { Cache } from '../../../src/engine/store/cache.ts'
import { toEmailFilter, type EmailList, type EmailQuery } from '../../../src/shared/email-query.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { NO_FILTER } from '../../../src/shared/thread-query.ts'
import { openUnchangedCache } from '../../support/open-cache.ts'
import { receivedEmailOf, sentEmailOf } from '../../support/raw-payloads.ts'
import { eventually } from './support/eventually.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { withMembers } from '../../support/with-members.ts'

const openEmptyCache = (): Cache => {
  const cache = openUnchangedCache(`${temporaryDirectory()}/cache.sqlite`)
  onTestFinished(() => cache.close())
  return cache
}

/** Never aborted in these tests. */
const ending = new AbortController()
const clock = () => ({ now: Date.UTC(2026, 5, 1), timeZone: 'UTC' })

const searchFor = (text: string, list: EmailList = 'received'): EmailQuery => {
  const { filter, faults } = parseSearch(text, { ...clock(), labels: [], list })
  expect(faults).toEqual([])
  return toEmailFilter(filter)
}

describe('a search of the account’s e-mails', () => {
  it('takes short turns on the engine’s thread, and finds the same', async () => {
    const cache = openEmptyCache()
    const emails = Array.from({ length: 6_000 }, (_, at) => ({
      id: `e${at}`,
      created_at: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
      from: `Person ${at} <p${at}@x.example>`,
      to: ['me@x.example'],
      subject: at === 7 ? 'A lantern in the fog' : 'Fog',
    }))
    for (let at = 0; at < emails.length; at += 500)
      cache.receivedEmails.storePage(emails.slice(at, at + 500).map(receivedEmailOf))
    const ids = (rowKeys: readonly number[]) => rowKeys.map((key) => cache.receivedEmails.found(key)?.listed.id)
    // `p` matches more people than the index looks up one by one, so each e-mail is scanned.
    for (const text of ['lantern', 'from:p lantern', 'from:p -"no such words" lantern']) {
      const query = { ...searchFor(text), since: null, until: null }
      const steps: (readonly (string | undefined)[])[] = []
      for (let next: number | null = null; ;) {
        const step = cache.receivedEmails.search(query, next, { limit: 50, milliseconds: 0 })
        steps.push(ids(step?.rowKeys ?? []))
        next = step?.next ?? null
        if (next === null) break
      }
      expect(steps.flat()).toEqual(['e7'])
      expect(steps.length).toBe(3)
      const sessions = new EmailSearches<{ readonly id: string }>(cache.receivedEmails, clock, ending.signal)
      const { items, hasMore } = await sessions.read(searchFor(text), { offset: 0, limit: 100 })
      expect(items.map(({ id }) => id)).toEqual(['e7'])
      expect(hasMore).toBe(false)
    }
  })

  it('resumes where the previous page ended', async () => {
    const cache = openEmptyCache()
    cache.sentEmails.storePage(
      Array.from({ length: 40 }, (_, at) => ({
        id: `e${at}`,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
        subject: 'Fog',
      })).map(sentEmailOf),
    )
    const asked: (number | null)[] = []
    const search: Cache['sentEmails']['search'] = (query, after, bounds) => {
      asked.push(after)
      return cache.sentEmails.search(query, after, bounds)
    }
    const sessions = new EmailSearches<{ readonly id: string }>(
      withMembers(cache.sentEmails, { search }),
      clock,
      ending.signal,
    )
    for (const offset of [0, 10, 20]) await sessions.read(searchFor('fog'), { offset, limit: 10 })
    expect(asked.filter((after) => after === null)).toHaveLength(1)
    await sessions.read(searchFor('fog'), { offset: 0, limit: 10 })
    expect(asked).toHaveLength(3)
  })
})

const send = (platform: TestPlatform, subject: string, to: string): Promise<unknown> =>
  platform.ask('POST', '/emails', { from: platform.inboxAddress, to, subject, text: `About: ${subject}` })

describe('the account’s lists', () => {
  it('are searchable offline, newest first, and include new mail', async () => {
    const platform = await startTestPlatform()
    const attachments = [{ filename: 'harbour plan.pdf', content: 'plan' }]
    await platform.deliver({
      from: 'Ada Quill <ada@harbour.example>',
      subject: 'Fog horn',
      text: 'A walrus.',
      attachments,
    })
    await platform.deliver({ from: 'Bo <bo@harbour.example>', subject: 'Clear sky', text: 'No clouds.' })
    await send(platform, 'Fog lamps', 'Pier <pier@harbour.example>')
    const engine = await openSettledEngine(platform)
    const subjects = async (command: 'receivedEmail.list' | 'sentEmail.list', text: string) => {
      const query = searchFor(text, command === 'sentEmail.list' ? 'sent' : 'received')
      const page = await engine.call(command, { query, offset: 0, limit: 50 })
      return page.items.map(({ subject }) => subject)
    }
    expect(await subjects('receivedEmail.list', 'fog')).toEqual(['Fog horn'])
    expect(await subjects('receivedEmail.list', 'from:quill "harbour plan"')).toEqual(['Fog horn'])
    expect(await subjects('receivedEmail.list', '-fog')).toEqual(['Clear sky'])
    expect(await subjects('receivedEmail.list', 'has:attachment')).toEqual(['Fog horn'])
    expect(await subjects('receivedEmail.list', 'from:harbour newer_than:1d')).toEqual(['Clear sky', 'Fog horn'])
    expect(await subjects('sentEmail.list', 'to:pier fog')).toEqual(['Fog lamps'])
    expect(await engine.call('receivedEmail.list', { query: searchFor('fog'), offset: 0, limit: 5 })).toMatchObject({
      total: 1,
      hasMore: false,
      searched: { emails: 2, of: 2, isWhole: true },
      freshness: { state: 'live' },
    })
    expect(await engine.call('receivedEmail.list', { offset: 0, limit: 5 })).toMatchObject({ total: 2, searched: null })

    // The text of an e-mail is found once it is downloaded, with an excerpt.
    expect(await subjects('receivedEmail.list', 'walrus')).toEqual([])
    const [horn] = (await engine.call('receivedEmail.list', { query: searchFor('fog'), offset: 0, limit: 5 })).items
    await engine.call('receivedEmail.get', { id: horn?.id ?? '' })
    const byText = await engine.call('receivedEmail.list', { query: searchFor('walrus'), offset: 0, limit: 5 })
    expect(byText.items).toMatchObject([{ subject: 'Fog horn', excerpt: 'A walrus.' }])

    const told = engine.events('receivedEmails.changed').length
    await platform.deliver({ from: 'Ada Quill <ada@harbour.example>', subject: 'More fog', text: 'Again.' })
    await engine.call('sync.now', {})
    await eventually(
      () => engine.events('receivedEmails.changed').length,
      (count) => count > told,
    )
    expect(await subjects('receivedEmail.list', 'fog')).toEqual(['More fog', 'Fog horn'])
    await platform.stop()
    await engine.call('sync.now', {}).catch(() => undefined)
    expect(await subjects('receivedEmail.list', 'fog')).toEqual(['More fog', 'Fog horn'])
    const offline = await engine.call('receivedEmail.list', { query: searchFor('fog'), offset: 0, limit: 5 })
    expect(offline.freshness.state).toBe('cached')
    expect(platform.requests().filter((request) => request.includes('search'))).toEqual([])
  })

  it('suggest only people from their own mail', async () => {
    const platform = await startTestPlatform()
    await send(platform, 'Fog lamps', 'Wilma Wharf <wilma@wharf.example>')
    const engine = await openSettledEngine(platform)
    const whom = (list: EmailList) => engine.call('person.suggest', { list, typed: 'wha', limit: 5 })
    expect(await whom('sent')).toMatchObject([{ name: 'Wilma Wharf', address: 'wilma@wharf.example' }])
    expect(await whom('received')).toEqual([])
  })

  it('reject thread conditions in a search', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    const query = { ...NO_FILTER, read: false } as unknown as EmailQuery
    expect(await engine.problemOf('receivedEmail.list', { query, offset: 0, limit: 5 })).toMatchObject({
      code: 'invalid_input',
    })
  })
})
