import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEmailSearches } from '../../../src/engine/search/email-searches.ts'
import { openCache, type Cache } from '../../../src/engine/store/cache.ts'
import { hasWords, indexText, wordsOf } from '../../../src/service/search/words.ts'
import { EMAIL_LISTS, emailFilterOf, type EmailList, type EmailQuery } from '../../../src/shared/email-query.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { NO_FILTER, PEOPLE_FIELDS } from '../../../src/shared/thread-query.ts'
import { receivedEmailOf, sentEmailOf } from '../../support/platform-words.ts'
import { eventually } from './support/eventually.ts'
import { randomEmail, randomSearch, type RandomEmail, type RandomPerson } from './support/random-mailbox.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

/** Random lists; `SEARCH_LISTS=5000` for the long run. */
const LISTS = Number(process.env.SEARCH_LISTS ?? 60)
const SEED = process.env.SEARCH_SEED === undefined ? null : Number(process.env.SEARCH_SEED)

const openEmptyCache = (): Cache => {
  const { cache } = openCache(`${temporaryDirectory()}/cache.sqlite`, {
    threads: { overlay: () => undefined, confirmedSince: () => false },
    topics: () => new Map(),
  })
  onTestFinished(() => cache.close())
  return cache
}

/** Nothing ends a search here. */
const ending = new AbortController()
const clock = () => ({ now: Date.UTC(2026, 5, 1), timeZone: 'UTC' })

const searchFor = (text: string, list: EmailList = 'received'): EmailQuery => {
  const { filter, faults } = parseSearch(text, { ...clock(), labels: [], list })
  expect(faults).toEqual([])
  return emailFilterOf(filter)
}

const header = ({ name, address }: RandomPerson): string =>
  name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`

/** A row of a list as it is now. */
interface Row {
  readonly id: string
  readonly order: number
  readonly email: RandomEmail
  /** It was opened: its text is here. */
  readonly isWhole: boolean
}

/** An e-mail as a list of the platform tells it, or as it is told by itself. How formatted text is read is tested elsewhere. */
const wordsOfRow = (list: EmailList, { id, email, isWhole }: Row) => ({
  id,
  created_at: new Date(email.time).toISOString(),
  from: email.from === null ? '' : header(email.from),
  to: email.to.map(header),
  cc: email.cc.map(header),
  bcc: email.bcc.map(header),
  subject: email.subject,
  ...(isWhole ? { text: email.text, html: null } : {}),
  ...(list === 'sent'
    ? { last_event: 'delivered' }
    : { attachments: email.attachments.map(({ filename }, at) => ({ id: `${id}-${at}`, filename })) }),
})

/** The contract's rules for one e-mail, in the plainest way, with the local platform's idea of a word. */
const matches = (list: EmailList, { email, isWhole }: Row, query: EmailQuery): boolean => {
  const people = { from: email.from === null ? [] : [email.from], to: email.to, cc: email.cc, bcc: email.bcc }
  const attachments = list === 'sent' ? [] : email.attachments
  const named = PEOPLE_FIELDS.flatMap((field) => people[field].flatMap(({ name, address }) => [name, address]))
  const files = attachments.map(({ filename }) => filename ?? '')
  const words = indexText([email.subject ?? '', isWhole ? (email.text ?? '') : '', ...named, ...files])
  const terms = query.text.map((term, at) => ({ ...term, at, words: wordsOf(term.text) }))
  const spoken = terms.filter((term) => term.words.length > 0)
  if (terms.length > 0 && spoken.length === 0) return false
  const fitsTerm = (term: (typeof terms)[number]): boolean => {
    const isOpen = query.lastWordIsPrefix === true && term.at === terms.length - 1 && !term.isPhrase && !term.isExcluded
    return isOpen ? words.includes(` ${term.words.join(' ')}`) : hasWords(words, term.words) !== term.isExcluded
  }
  const isAt = (bound: EmailQuery['since']): number => (bound?.kind === 'instant' ? bound.at : Number.NaN)
  return (
    spoken.every(fitsTerm) &&
    PEOPLE_FIELDS.every(
      (field) =>
        query[field].length === 0 ||
        query[field].some((part) =>
          people[field].some(({ name, address }) => `${name}\n${address}`.toLowerCase().includes(part.toLowerCase())),
        ),
    ) &&
    (query.hasAttachment === null || attachments.length > 0 === query.hasAttachment) &&
    (query.since === null || email.time >= isAt(query.since)) &&
    (query.until === null || email.time < isAt(query.until))
  )
}

const randomStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('new' as const), email: randomEmail }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('opened' as const), at: fc.nat({ max: 40 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('changed' as const), at: fc.nat({ max: 40 }), email: randomEmail }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gone' as const), at: fc.nat({ max: 40 }) }) },
)
const randomQuery: fc.Arbitrary<EmailQuery> = fc
  .record({ search: randomSearch, lastWordIsPrefix: fc.boolean() })
  .map(({ search: { text, from, to, cc, bcc, hasAttachment, since, until }, lastWordIsPrefix }) => ({
    ...{ text, from, to, cc, bcc, hasAttachment },
    since: since === null ? null : { kind: 'instant', at: since },
    until: until === null ? null : { kind: 'instant', at: until },
    lastWordIsPrefix,
  }))

describe('a search of the account’s own e-mails', () => {
  it('finds what the plainest look at each of them finds, in the order of the list, while it changes', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...EMAIL_LISTS),
        fc.array(randomEmail, { minLength: 1, maxLength: 12 }),
        fc.array(fc.record({ query: randomQuery, steps: fc.array(randomStep, { maxLength: 2 }) }), {
          minLength: 4,
          maxLength: 8,
        }),
        async (list, emails, searches) => {
          const cache = openEmptyCache()
          const store = list === 'received' ? cache.receivedEmails : cache.sentEmails
          let rows: readonly Row[] = []
          const put = (row: Row): void => {
            rows = [...rows.filter(({ id }) => id !== row.id), row]
            const words = wordsOfRow(list, row)
            if (list === 'received' && row.isWhole) cache.receivedEmails.storeWhole(receivedEmailOf(words))
            else if (list === 'received') cache.receivedEmails.storePage([receivedEmailOf(words)])
            else if (row.isWhole) cache.sentEmails.storeWhole(sentEmailOf(words))
            else cache.sentEmails.storePage([sentEmailOf(words)])
          }
          const add = (email: RandomEmail): void =>
            put({ id: `e${rows.length}`, order: rows.length, email, isWhole: false })
          emails.forEach(add)
          const sessions = createEmailSearches<{ readonly id: string }>(store, clock, ending.signal)
          for (const { query, steps } of searches) {
            // What was found is kept: after the changes it is found anew.
            await sessions.read(query, { offset: 0, limit: 3 })
            for (const step of steps) {
              const row = 'at' in step ? rows[step.at % rows.length] : undefined
              if (step.kind === 'new') add(step.email)
              else if (row === undefined) continue
              else if (step.kind === 'gone') store.markGone(row.id)
              else if (step.kind === 'opened') put({ ...row, isWhole: true })
              // Of what is whole here a list says nothing that is lost.
              else if (!row.isWhole) put({ ...row, email: step.email })
            }
            const expected = rows
              .filter((row) => matches(list, row, query))
              .toSorted((a, b) => b.email.time - a.email.time || b.order - a.order)
              .map(({ id }) => id)
            found += expected.length
            // Windows as they are scrolled to, some at the same time.
            const windows = await Promise.all([0, 3, 6, 9].map((offset) => sessions.read(query, { offset, limit: 3 })))
            const seen = windows.map(({ items }) => items.map(({ id }) => id))
            expect(seen).toEqual([0, 3, 6, 9].map((offset) => expected.slice(offset, offset + 3)))
            for (const { total, hasMore } of windows)
              expect(hasMore ? total < expected.length : total).toBe(hasMore || expected.length)
            const all = await sessions.read(query, { offset: 0, limit: 200 })
            expect(all.items.map(({ id }) => id)).toEqual(expected)
            expect(all).toMatchObject({ total: expected.length, hasMore: false })
          }
        },
      ),
      { numRuns: LISTS, ...(SEED === null ? {} : { seed: SEED }) },
    )
    expect(found).toBeGreaterThan(LISTS)
  }, 1_200_000)

  it('takes one short turn of the engine’s thread after another, however long the list is, and finds the same', async () => {
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
    // `p` is in more people than the index is asked for one by one: each e-mail is looked at.
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
      const sessions = createEmailSearches<{ readonly id: string }>(cache.receivedEmails, clock, ending.signal)
      const { items, hasMore } = await sessions.read(searchFor(text), { offset: 0, limit: 100 })
      expect(items.map(({ id }) => id)).toEqual(['e7'])
      expect(hasMore).toBe(false)
    }
  })

  it('goes on from where it was at the window before, and not from the top', async () => {
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
    const sessions = createEmailSearches<{ readonly id: string }>({ ...cache.sentEmails, search }, clock, ending.signal)
    for (const offset of [0, 10, 20]) await sessions.read(searchFor('fog'), { offset, limit: 10 })
    expect(asked.filter((after) => after === null)).toHaveLength(1)
    await sessions.read(searchFor('fog'), { offset: 0, limit: 10 })
    expect(asked).toHaveLength(3)
  })
})

const send = (platform: TestPlatform, subject: string, to: string): Promise<unknown> =>
  platform.ask('POST', '/emails', { from: platform.inboxAddress, to, subject, text: `About: ${subject}` })

describe('the account’s lists', () => {
  it('are searched offline, newest first; an e-mail that comes and matches is told of and found, and so is what one says', async () => {
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
    const engine = await openTestEngine(platform)
    await engine.settled()
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

    // Its text is found once it is here, with what stands around the word.
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

  it('name people of their own for what is typed of them', async () => {
    const platform = await startTestPlatform()
    await send(platform, 'Fog lamps', 'Wilma Wharf <wilma@wharf.example>')
    const engine = await openTestEngine(platform)
    await engine.settled()
    const whom = (list: EmailList) => engine.call('person.suggest', { list, typed: 'wha', limit: 5 })
    expect(await whom('sent')).toMatchObject([{ name: 'Wilma Wharf', address: 'wilma@wharf.example' }])
    expect(await whom('received')).toEqual([])
  })

  it('take no condition of threads in a search', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    const query = { ...NO_FILTER, read: false } as unknown as EmailQuery
    expect(await engine.problemOf('receivedEmail.list', { query, offset: 0, limit: 5 })).toMatchObject({
      code: 'invalid_input',
    })
  })
})
