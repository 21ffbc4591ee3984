import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FetchedEmail } from '../../../../../src/engine/platform/resources/thread-emails.ts'
import type { AccountListQuery } from '../../../../../src/engine/store/search-index/search-threads.ts'
import type { ResolvedThreadQuery } from '../../../../../src/engine/store/search-index/search-query.ts'
import { CACHE_FILE_KIND, openCache, type Cache } from '../../../../../src/engine/store/cache.ts'
import { openDatabase } from '../../../../../src/engine/store/open-database.ts'
import { addChecksum } from '../../../../../src/engine/store/checksummed-payload.ts'
import type { InboxRef } from '../../../../../src/engine/store/inboxes.ts'
import { NO_FILTER } from '../../../../../src/shared/thread-query.ts'
import {
  emailOf,
  inboxOf,
  receivedEmailOf,
  sentEmailOf,
  threadOf,
  type Words,
} from '../../../../support/raw-payloads.ts'
import { openTestCache, listedThread } from '../../support/open-test-cache.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

const fresh = { askedAt: 0, inSent: false }
const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const mail = (id: string, minute: number, fields: Words = {}): FetchedEmail =>
  emailOf({
    id,
    direction: 'inbound',
    from: 'Ada <ada@example.com>',
    to: ['me@example.com'],
    text: `words of ${id}`,
    html: null,
    read: true,
    received_at: timeOf(minute),
    ...fields,
  })
const store = (cache: Cache, inbox: InboxRef, id: string, minute: number, emails: readonly FetchedEmail[]): void => {
  cache.threads.storePage(inbox, [listedThread(id, minute, { email_count: emails.length })], fresh)
  cache.emails.storePage(inbox, id, emails)
}
const query = (typed: string, fields: Partial<ResolvedThreadQuery> = {}): ResolvedThreadQuery => ({
  ...NO_FILTER,
  inboxId: 'inbox-1',
  since: null,
  until: null,
  text: typed.split(' ').map((text) => ({ text, isPhrase: false, isExcluded: false })),
  ...fields,
})
const found = (cache: Cache, typed: string, fields: Partial<ResolvedThreadQuery> = {}): readonly string[] =>
  cache.threadSearch.page(query(typed, fields), null, 100).threads.map(({ id }) => id)

/** Indexes everything pending. @returns the number of steps, each as short as possible */
const indexAll = (cache: Cache): number => {
  let steps = 1
  while (cache.search.indexSome(0)) steps += 1
  return steps
}

/** A cache without its index: one thread per minute, newest last. @param wordsOf stored JSON of a thread */
const openUnindexed = (threads: number, emails = 1, wordsOf = (id: string) => addChecksum(threadOf({ id }))) => {
  const file = join(temporaryDirectory(), 'cache.sqlite')
  const { database, close } = openDatabase(file, CACHE_FILE_KIND)
  database.transaction(() => {
    database.exec(
      `INSERT INTO inboxes (key, id, position, on_server, wire) VALUES (1, 'inbox-1', 0, 1, '{"id":"inbox-1"}')`,
    )
    for (let thread = 1; thread <= threads; thread += 1) {
      const time = Date.parse(timeOf(thread))
      database
        .prepare(
          `INSERT INTO threads (key, inbox_key, id, received_at, listed_at, folder, read, label_ids, has_outbound, in_sent,
             on_server, emails_at, wire) VALUES (?, 1, ?, ?, ?, 'inbox', 1, '["l1"]', 0, 0, 1, ?, ?)`,
        )
        .run(thread, `t${thread}`, time, time, time, wordsOf(`t${thread}`))
      for (let email = 0; email < emails; email += 1) {
        const wire = mail(`e${thread} part${email}`, thread)
        database
          .prepare('INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, 1, ?)')
          .run(thread, wire.id, time, addChecksum(wire))
      }
    }
  })()
  close()
  return file
}

describe('the search index', () => {
  it('indexes existing mail in steps, newest first, and reports how much is left', () => {
    const { cache } = openTestCache(openUnindexed(200, 2))
    expect(cache.search.countUnindexed()).toBe(200)
    expect(found(cache, 'words')).toEqual([])

    const waiting: number[] = []
    while (cache.search.indexSome(0)) {
      waiting.push(cache.search.countUnindexed())
      // Indexed mail is found, and it is the newest.
      const newest = Array.from({ length: Math.min(100, 200 - (waiting.at(-1) ?? 0)) }, (_, at) => `t${200 - at}`)
      expect(found(cache, 'words')).toEqual(newest)
    }
    expect(waiting).toEqual(waiting.toSorted((a, b) => b - a))
    expect(new Set(waiting).size).toBeGreaterThan(50)
    expect(cache.search.countUnindexed()).toBe(0)
    expect(found(cache, 'e7 part1')).toEqual(['t7'])
    expect(found(cache, 'words', { labelIds: ['l1'] })).toHaveLength(100)
    expect(cache.search.indexSome(0)).toBe(false)
  })

  it('resumes after an interruption without indexing twice', () => {
    const file = openUnindexed(60)
    const first = openTestCache(file).cache
    for (let step = 0; step < 30; step += 1) first.search.indexSome(0)
    const waiting = first.search.countUnindexed()
    expect(waiting).toBeGreaterThan(0)
    expect(waiting).toBeLessThan(60)
    first.close()

    const { cache } = openTestCache(file)
    expect(cache.search.countUnindexed()).toBe(waiting)
    indexAll(cache)
    expect(found(cache, 'words')).toHaveLength(60)
    expect(found(cache, 'e1')).toEqual(['t1'])
  })

  it('indexes mail in its current state, however often it changes meanwhile', () => {
    const { cache, inbox } = openTestCache(openUnindexed(30, 2))
    const changed = new Set<number>()
    let steps = 0
    while (cache.search.indexSome(0)) {
      steps += 1
      const thread = 30 - (Math.floor(steps / 2) % 30)
      if (steps % 2 !== 1) continue
      cache.emails.storePage(inbox, `t${thread}`, [mail(`e${thread} part0`, thread, { text: `changed${thread}` })])
      changed.add(thread)
      expect(steps).toBeLessThan(1_000)
    }
    expect(changed.size).toBeGreaterThan(10)
    for (const thread of changed) {
      expect(found(cache, `changed${thread}`)).toEqual([`t${thread}`])
      expect(found(cache, `e${thread} part0`)).toEqual([])
    }
    expect(found(cache, 'words')).toEqual(Array.from({ length: 30 }, (_, at) => `t${30 - at}`))
    expect(cache.search.extent(inbox.key).emails).toBe(60)
    expect(cache.search.countUnindexed()).toBe(0)
  })

  it('loses nothing when it is closed after any number of steps', () => {
    const file = openUnindexed(20, 20)
    for (let runs = 1; ; runs += 1) {
      const { cache, inbox } = openTestCache(file)
      const isLeft = Array.from({ length: runs }, () => cache.search.indexSome(0)).at(-1) === true
      if (isLeft) {
        expect(runs).toBeLessThan(100)
        cache.close()
        continue
      }
      expect(found(cache, 'words')).toHaveLength(20)
      expect(cache.search.extent(inbox.key).emails).toBe(400)
      expect(cache.search.countUnindexed()).toBe(0)
      return
    }
  })

  it('leaves no more segments than a grown index, and merges as usual afterwards', () => {
    const file = openUnindexed(150)
    const look = () => {
      const database = new Database(file, { readonly: true })
      const segments = database.prepare<[], number>('SELECT count(DISTINCT segid) FROM search_words_idx').pluck().get()
      const merged = database.prepare("SELECT v FROM search_words_config WHERE k = 'automerge'").pluck().get()
      database.close()
      return { segments: segments ?? 0, merged }
    }
    const { cache } = openTestCache(file)
    while (cache.search.countUnindexed() > 50) cache.search.indexSome(0)
    cache.close()
    expect(look().merged).toBe(64)
    expect(look().segments).toBeGreaterThan(16)
    const again = openTestCache(file).cache
    indexAll(again)
    expect(found(again, 'words')).toHaveLength(100)
    again.close()
    expect(look().merged).toBe(8)
    expect(look().segments).toBeLessThan(16)
  })

  it('indexes mail that arrives meanwhile, once', () => {
    const { cache, inbox } = openTestCache(openUnindexed(40))
    store(cache, inbox, 'new', 300, [mail('n1', 300, { subject: 'Unicorn' })])
    store(cache, inbox, 't5', 301, [mail('e5 part0', 5), mail('n2', 301, { subject: 'Unicorn' })])
    expect(found(cache, 'unicorn')).toContain('new')
    indexAll(cache)
    expect(found(cache, 'unicorn')).toEqual(['t5', 'new'])
    expect(found(cache, 'words')).toEqual([
      't5',
      'new',
      ...Array.from({ length: 40 }, (_, at) => `t${40 - at}`).filter((id) => id !== 't5'),
    ])
    expect(cache.search.countUnindexed()).toBe(0)
  })

  it('keeps the order as mail arrives in short and very long threads', () => {
    const { cache, inbox } = openTestCache()
    const sizes = [1, 7, 8, 9, 23, 24, 25, 26, 60]
    sizes.forEach((size, at) => {
      store(
        cache,
        inbox,
        `t${size}`,
        at * 100 + 99,
        Array.from({ length: size }, (_, email) => mail(`${size}-${email}`, at * 100 + email)),
      )
    })
    const expected = sizes.map((size) => `t${size}`).toReversed()
    expect(found(cache, 'words')).toEqual(expected)
    // Each thread in turn gets the newest e-mail, in its own page, as in a sync.
    for (const [at, size] of sizes.entries()) {
      store(cache, inbox, `t${size}`, 2000 + at, [mail(`late ${size}`, 2000 + at)])
    }
    expect(found(cache, 'words')).toEqual(expected)
    expect(found(cache, 'late 60')).toEqual(['t60'])
    // The first e-mail of each thread is still found too.
    for (const size of sizes) expect(found(cache, `${size} 0`)).toContain(`t${size}`)
    const pages: string[] = []
    for (let after: { readonly id: string } | null = null; ;) {
      const page: { readonly threads: readonly { readonly id: string }[]; readonly hasMore: boolean } =
        cache.threadSearch.page(query('words'), after, 2)
      pages.push(...page.threads.map(({ id }) => id))
      if (!page.hasMore) break
      after = page.threads.at(-1) ?? null
    }
    expect(pages).toEqual(expected)
  })

  it('places more threads of one moment than fit, in the platform’s order', () => {
    const { cache, inbox } = openTestCache()
    const same = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => listedThread(`same${from + at}`, 5, { folder: 'inbox' }))
    cache.threads.storePage(inbox, [listedThread('later', 6), ...same(0, 60), listedThread('before', 4)], fresh)
    // This thread is one millisecond older, but its place is already taken by the others.
    const close = { received_at: new Date(Date.UTC(2026, 0, 1, 0, 5) - 1).toISOString() }
    cache.threads.storePage(inbox, [...same(0, 60), listedThread('close', 5, close)], fresh)
    // This thread was stored later on the platform, so it comes before the others of that time.
    cache.threads.storePage(inbox, [listedThread('first', 5), ...same(0, 3)], fresh)
    const all = cache.threadSearch.page({ ...query(''), text: [] }, null, 100)
    expect(all.threads.map(({ id }) => id)).toEqual([
      ...['later', 'first', ...same(0, 60).map(({ id }) => id), 'close', 'before'],
    ])
  })

  it('searches only the subject, with phrases, prefixes and spellings', () => {
    const { cache, inbox } = openTestCache()
    store(cache, inbox, 't1', 1, [mail('e1', 1, { subject: 'Fresh paint in the Straße', text: 'fog' })])
    store(cache, inbox, 't2', 2, [mail('e2', 2, { subject: 'Gull', text: 'fresh paint strasse' })])
    store(cache, inbox, 't3', 3, [mail('e3', 3, { subject: null, text: 'Fresh paint' })])
    store(cache, inbox, 't4', 4, [mail('e4', 4, { subject: 'Gull' }), mail('e5', 5, { subject: 'Re: paint, fresh' })])
    const inSubject = (text: string, fields: Partial<ResolvedThreadQuery> = {}) =>
      found(cache, '', {
        text: [{ text, isPhrase: text.includes(' '), isExcluded: false, isInSubject: true }],
        ...fields,
      })
    expect(found(cache, 'fresh')).toEqual(['t4', 't3', 't2', 't1'])
    expect(inSubject('FRÉSH')).toEqual(['t4', 't1'])
    expect(inSubject('fresh paint')).toEqual(['t1'])
    expect(inSubject('paint in')).toEqual(['t1'])
    expect(inSubject('fog')).toEqual([])
    expect(inSubject('fre')).toEqual([])
    for (const typed of ['f', 'fre', 'pain']) expect(inSubject(typed, { lastWordIsPrefix: true })).toEqual(['t4', 't1'])
    expect(inSubject('strasse')).toEqual([])
    expect(inSubject('strasse', { isWidened: true })).toEqual(['t1'])
    // Rule 4: the conditions must match the same e-mail.
    expect(inSubject('fresh', { from: ['ada'], hasAttachment: false })).toEqual(['t4', 't1'])
    expect(
      found(cache, '', {
        text: ['gull', 'fresh'].map((text) => ({ text, isPhrase: false, isExcluded: false, isInSubject: true })),
      }),
    ).toEqual([])
  })

  it('finds threads of an unknown folder in all mail and everywhere, but in no other folder', () => {
    const { cache, inbox } = openTestCache()
    for (const [at, folder] of ['later', 'inbox', 'spam', 'clients/9'].entries()) {
      cache.threads.storePage(inbox, [listedThread(`t${at}`, at, { folder, labels: [{ id: 'l1' }] })], fresh)
      cache.emails.storePage(inbox, `t${at}`, [mail(`e${at}`, at, { text: 'fog' })])
    }
    for (const words of [{ text: [] }, {}]) {
      const shown = (fields: Partial<ResolvedThreadQuery>) => found(cache, 'fog', { ...words, ...fields })
      expect(shown({})).toEqual(['t3', 't1', 't0'])
      expect(shown({ folders: ['inbox', 'archive', 'sent'] })).toEqual(['t3', 't1', 't0'])
      expect(shown({ folders: ['inbox', 'archive', 'sent', 'spam', 'trash'] })).toHaveLength(4)
      expect(shown({ folders: ['inbox', 'archive'] })).toEqual(['t1'])
      expect(shown({ labelIds: ['l1'], read: false })).toEqual(['t3', 't1', 't0'])
    }
    expect(cache.threadSearch.matching(query('fog'), ['t0', 't2']).map(({ id }) => id)).toEqual(['t0'])
  })

  it('counts by folder wherever the query looks, with matching sent e-mails in sent', () => {
    const { cache, inbox } = openTestCache()
    const put = (id: string, minute: number, folder: string, emails: readonly FetchedEmail[]): void => {
      cache.threads.storePage(inbox, [listedThread(id, minute, { folder, email_count: emails.length })], fresh)
      cache.emails.storePage(inbox, id, emails)
    }
    const sent = (id: string, minute: number, text: string) => mail(id, minute, { direction: 'outbound', text })
    put('t1', 1, 'inbox', [mail('e1', 1, { text: 'fog' })])
    put('t2', 2, 'archive', [mail('e2', 2, { text: 'fog' }), sent('e3', 2, 'fog again')])
    put('t3', 3, 'archive', [mail('e4', 3, { text: 'fog' }), sent('e5', 3, 'gone')])
    put('t4', 4, 'trash', [mail('e6', 4, { text: 'fog' }), sent('e7', 4, 'fog')])
    put('t5', 5, 'spam', [mail('e8', 5, { text: 'gull' })])
    const counted = cache.threadSearch.countByFolder(query('fog', { folders: ['inbox'] }), null, 100)
    expect(counted).toEqual({ folders: { inbox: 1, archive: 2, spam: 0, sent: 1, trash: 1, snoozed: 0 }, next: null })
    const first = cache.threadSearch.countByFolder(query('fog'), null, 2)
    expect(first.folders).toMatchObject({ trash: 1, archive: 0 })
    const rest = cache.threadSearch.countByFolder(query('fog'), first.next, 100)
    expect(rest).toMatchObject({ folders: { inbox: 1, archive: 2 }, next: null })
  })

  it('treats the last word as a prefix while typing', () => {
    const { cache, inbox } = openTestCache()
    store(cache, inbox, 't1', 1, [mail('e1', 1, { text: 'The invoice of May' })])
    store(cache, inbox, 't2', 2, [mail('e2', 2, { text: 'An involved inventory' })])
    expect(found(cache, 'inv')).toEqual([])
    for (const typed of ['i', 'in', 'inv', 'İNV', 'inv']) {
      expect(found(cache, typed, { lastWordIsPrefix: true })).toEqual(['t2', 't1'])
    }
    expect(found(cache, 'invo', { lastWordIsPrefix: true })).toEqual(['t2', 't1'])
    for (const typed of ['invoi', 'invoice']) expect(found(cache, typed, { lastWordIsPrefix: true })).toEqual(['t1'])
    expect(found(cache, 'invoices', { lastWordIsPrefix: true })).toEqual([])
    // Prefixes inside an address, and Han text, where each character is a word.
    store(cache, inbox, 't3', 3, [mail('e3', 3, { text: 'Write to a@offices.example about 東京都' })])
    for (const typed of ['a@o', 'a@off', 'a@offi', '東', '東京', 'ex', 'offices.exam']) {
      expect(found(cache, typed, { lastWordIsPrefix: true })).toContain('t3')
    }
    expect(found(cache, 'of inv', { lastWordIsPrefix: true })).toEqual(['t1'])
    expect(found(cache, 'inv of', { lastWordIsPrefix: true })).toEqual([])
  })

  it('accepts any character in part of a name or address', () => {
    const { cache, inbox } = openTestCache()
    store(cache, inbox, 'odd', 1, [mail('o', 1, { from: 'A\0da "100%_\\" <ada\0x@example.com>' })])
    const from = (part: string): readonly string[] => found(cache, 'words', { from: [part] })
    for (const part of ['\0', 'a\0da', 'DA\0X@', '0%_', '\\"', '"', '%', 'x@example.com']) {
      expect(from(part), JSON.stringify(part)).toEqual(['odd'])
      expect(cache.search.suggestPeople(inbox.key, part, 5), JSON.stringify(part)).toHaveLength(1)
    }
    for (const part of ['a\0db', '0%%', '* OR', '\ud800ab']) expect(from(part), JSON.stringify(part)).toEqual([])
  })

  it('treats an address in angle brackets as complete', () => {
    const { cache, inbox } = openTestCache()
    const people = [
      'Ann <ann@x.example>',
      'ANN@x.example',
      'joann@x.example',
      '<ann@x.example.org>',
      '"ann@x.example" <b@y.example>',
    ]
    for (const [at, from] of people.entries()) store(cache, inbox, `t${at}`, at, [mail(`e${at}`, at, { from })])
    expect(found(cache, 'words', { from: ['<Ann@X.example>'] })).toEqual(['t1', 't0'])
    expect(found(cache, 'words', { from: ['<joann@x.example>', '<b@y.example>'] })).toEqual(['t4', 't2'])
    expect(found(cache, 'words', { from: ['ann@x.example'] })).toHaveLength(5)
    expect(found(cache, 'words', { from: ['<ann>'] })).toEqual([])
    for (let at = 5; at < 300; at += 1)
      store(cache, inbox, `t${at}`, at, [mail(`e${at}`, at, { from: `ann@x.example.n${at}` })])
    expect(found(cache, 'words', { from: ['<ann@x.example>'] })).toEqual(['t1', 't0'])
  })

  it('counts matches, however few threads each step covers', () => {
    const { cache, inbox } = openTestCache()
    for (let at = 0; at < 90; at += 1) {
      const size = at % 30 === 7 ? 26 : 1 + (at % 3)
      const mails = Array.from({ length: size }, (_none, email) =>
        mail(`${at}-${email}`, at * 30 - email, { text: at % 4 === 0 && email === size - 1 ? 'red' : 'blue' }),
      )
      const thread = { email_count: size, read: at % 5 !== 0, folder: at % 3 === 0 ? 'archive' : 'inbox' }
      cache.threads.storePage(inbox, [listedThread(`t${at}`, at * 30, thread)], fresh)
      cache.emails.storePage(inbox, `t${at}`, mails)
    }
    const fields: readonly Partial<ResolvedThreadQuery>[] = [
      {},
      { text: [], read: false },
      { text: [] },
      { folders: ['inbox', 'archive'], since: Date.parse(timeOf(600)) },
      { from: ['ada'], until: Date.parse(timeOf(900)), text: [] },
      { since: Date.parse(timeOf(9_000)) },
    ]
    for (const each of fields) {
      const asked = query('red', each)
      const all = cache.threadSearch.page(asked, null, 100).threads.length
      for (const threads of [1, 2, 7, 89, 90, 91, 1_000]) {
        let [count, steps] = [0, 0]
        for (let from: number | null = null; ;) {
          const step = cache.threadSearch.count(asked, from, threads)
          count += step.count
          steps += 1
          if (step.next === null) break
          from = step.next
        }
        expect([count, steps <= Math.ceil(90 / threads)], JSON.stringify([each, threads])).toEqual([all, true])
      }
    }
  })

  it('finds a rare word in many very long threads', () => {
    const { cache, inbox } = openTestCache()
    for (let at = 0; at < 40; at += 1) {
      const mails = Array.from({ length: 26 }, (_none, email) =>
        mail(`${at}-${email}`, at * 100 + email, { text: at === 2 && email === 3 ? 'unicorn' : 'gull' }),
      )
      store(cache, inbox, `t${at}`, at * 100 + 25, mails)
    }
    expect(found(cache, 'unicorn')).toEqual(['t2'])
    expect(found(cache, 'unicorn gull')).toEqual([])
    expect(found(cache, 'gull')).toHaveLength(40)
  })

  /** Each size, and up to 2 more or fewer. */
  const around = (...sizes: readonly number[]): readonly number[] =>
    sizes.flatMap((size) => [-2, -1, 0, 1, 2].map((difference) => size + difference))
  /**
   * Fills an inbox with threads, oldest first. Each lists its e-mails: true if sent, false if received, null if sent
   * without the search words.
   */
  const fillInbox = (cache: Cache, id: string, threads: readonly (readonly (boolean | null)[])[]): void => {
    const inbox = { key: cache.inboxes.get(id)?.key ?? -1, id }
    const emails = threads.map((sent, at) =>
      sent.map((isSent, email) =>
        mail(`${at}-${email}`, 100 * at + email, {
          direction: isSent === false ? 'inbound' : 'outbound',
          ...(isSent === null && { text: 'Thanks.' }),
        }),
      ),
    )
    const listed = emails.map((some, at) => listedThread(`t${at}`, 100 * at + some.length - 1))
    cache.threads.storePage(inbox, listed.toReversed(), fresh)
    emails.forEach((some, at) => cache.emails.storePage(inbox, `t${at}`, some))
  }

  it('finds other spellings on request, and reports them', () => {
    const { cache, inbox } = openTestCache()
    const texts = [
      'An der Straße',
      'Jedziemy do Łodzi',
      'Smørrebrød, æbler og øl',
      'Diyarbakır',
      'Une œuvre',
      'שָׁלוֹם רַב',
      'مَرْحَبًا',
      'Eine Strasse',
    ]
    for (const [at, text] of texts.entries()) store(cache, inbox, `t${at}`, at + 1, [mail(`e${at}`, at + 1, { text })])
    const both = (typed: string, fields: Partial<ResolvedThreadQuery> = {}) => [
      found(cache, typed, fields),
      found(cache, typed, { ...fields, isWidened: true }),
      cache.threadSearch.spellings(query(typed, { ...fields, isWidened: true })),
    ]
    expect(both('strasse')).toEqual([['t7'], ['t7', 't0'], ['straße']])
    expect(both('straße')).toEqual([['t0'], ['t7', 't0'], ['strasse']])
    expect(both('lodzi')).toEqual([[], ['t1'], ['łodzi']])
    expect(both('smorrebrod')).toEqual([[], ['t2'], ['smørrebrød']])
    expect(both('ol aebler')).toEqual([[], ['t2'], ['øl', 'æbler']])
    expect(both('Diyarbakir')).toEqual([[], ['t3'], ['diyarbakır']])
    expect(both('oeuvre')).toEqual([[], ['t4'], ['œuvre']])
    expect(both('שלום')[1]).toEqual(['t5'])
    expect(both('مرحبا')[1]).toEqual(['t6'])
    // A phrase, a prefix, and an excluded word, which is matched exactly.
    const phrase = [{ text: 'der strasse', isPhrase: true, isExcluded: false }]
    expect(both('', { text: phrase })).toEqual([[], ['t0'], ['der straße']])
    expect(both('strasse', { lastWordIsPrefix: true })[1]).toEqual(['t7', 't0'])
    const excluded = [{ text: 'strasse', isPhrase: false, isExcluded: true }]
    expect(both('', { text: excluded })[1]).toHaveLength(7)
    // No spellings for words nobody has written.
    expect(both('possibilities')).toEqual([[], [], []])
  })

  it('finds a thread by any of its e-mails behind misses of any batch size', () => {
    const { cache } = openTestCache()
    const mixed = [
      [false, true, false],
      [false, false, true],
      [true, false],
      [...Array.from({ length: 11 }, () => false), true],
    ]
    // Null adds a sent e-mail without the words: a candidate that doesn't match.
    const crowds = [[false], [false, null]]
    // Batch sizes of search-threads.ts: misses before the next place is read, first and later; thread capacity.
    const sizes = around(8, 32, 64, 96, 128)
    const cases = sizes.flatMap((size) => mixed.flatMap((thread) => crowds.map((one) => ({ size, thread, one }))))
    cache.inboxes.storeListed(cases.map((_, at) => inboxOf({ id: `inbox-${at + 1}` })))
    cases.forEach(({ size, thread, one }, at) => {
      fillInbox(cache, `inbox-${at + 1}`, [[false], thread, ...Array.from({ length: size }, () => one)])
      const inboxId = `inbox-${at + 1}`
      const asked = (fields: Partial<ResolvedThreadQuery>): unknown => [
        ...[size, thread.length, one.length],
        found(cache, 'words', { inboxId, ...fields }),
      ]
      const only = [size, thread.length, one.length, ['t1']]
      expect(asked({ folders: ['sent', 'trash'] })).toEqual(only)
      expect(asked({ folders: ['sent'] })).toEqual(only)
      // The range contains all of the thread's e-mails except its first.
      const since = Date.parse(timeOf(101))
      const until = Date.parse(timeOf(200))
      expect(asked({ folders: ['sent', 'trash'], since: since - 1, until })).toEqual(
        thread[0] === true ? only.with(-1, []) : only,
      )
    })
  })

  it('finds a very long thread behind a batch of misses as long', () => {
    const { cache } = openTestCache()
    const large = (isSent: (email: number) => boolean) => Array.from({ length: 26 }, (_, email) => isSent(email))
    const sizes = [30, 31, 32, 33, 76, 77, 78]
    cache.inboxes.storeListed(sizes.map((size) => inboxOf({ id: `inbox ${size}` })))
    for (const size of sizes) {
      const threads = [large((email) => email === 17), ...Array.from({ length: size }, () => large(() => false))]
      fillInbox(cache, `inbox ${size}`, threads)
      const asked = { inboxId: `inbox ${size}`, folders: ['sent', 'trash'] as const }
      expect([size, found(cache, 'words', asked)]).toEqual([size, ['t0']])
    }
  })

  it('finds nothing after an unknown thread, and continues from a moved one', () => {
    const { cache, inbox } = openTestCache()
    for (let minute = 1; minute <= 5; minute += 1)
      store(cache, inbox, `t${minute}`, minute, [mail(`e${minute}`, minute)])
    expect(cache.threadSearch.page(query('words'), { id: 'nobody' }, 2)).toEqual({ threads: [], hasMore: false })
    // The thread was moved since the last page: it no longer matches, but still marks where to continue.
    cache.threads.storePage(inbox, [listedThread('t4', 4, { folder: 'trash' })], fresh)
    const page = cache.threadSearch.page(query('words'), { id: 't4' }, 2)
    expect(page.threads.map(({ id }) => id)).toEqual(['t3', 't2'])
  })

  it('counts searchable e-mails and all e-mails', () => {
    const { cache, inbox } = openTestCache()
    const extent = () => cache.search.extent(inbox.key)
    expect(extent()).toEqual({ emails: 0, of: 0 })
    const emails = Array.from({ length: 30 }, (_, at) => mail(`e${at}`, at))
    cache.threads.storePage(inbox, [listedThread('t1', 29, { email_count: 30 }), listedThread('t2', 50)], fresh)
    expect(extent()).toEqual({ emails: 0, of: 31 })
    // The thread outgrows its place: first into a larger one, then into a separate one.
    for (const email of emails) cache.emails.storePage(inbox, 't1', [email])
    expect(extent()).toEqual({ emails: 30, of: 31 })
    store(cache, inbox, 't2', 60, [mail('f1', 50), mail('f2', 60)])
    expect(extent()).toEqual({ emails: 32, of: 32 })
    cache.emails.storePage(inbox, 't2', [mail('f2', 60, { text: 'other words' })])
    expect(extent()).toEqual({ emails: 32, of: 32 })
  })

  it.each([
    ['by the name of today', { email_count: 4 }, 4],
    ['by the older name of that field', { message_count: 4 }, 4],
    ['by the name of today where both are there', { email_count: 4, message_count: 9 }, 4],
    ['by the older name where the other holds no number', { email_count: 'four', message_count: 4 }, 4],
    ['as one where nothing says it', {}, 1],
    ['as one where no number says it', { email_count: [4], message_count: null }, 1],
  ])('counts the e-mails of a thread from before the index %s', (_name, words, count) => {
    const { cache, inbox } = openTestCache(
      openUnindexed(3, 0, (id) => `${'0'.repeat(8)}${JSON.stringify({ id, ...words })}`),
    )
    indexAll(cache)
    expect(cache.threads.get(inbox, 't1')?.emailCount).toBe(count)
    expect(cache.search.extent(inbox.key)).toEqual({ emails: 0, of: 3 * count })
  })

  it.each(['receivedEmails', 'sentEmails'] as const)(
    'searches the account’s own list %s, including older mail, newest first in pages',
    (list) => {
      const file = join(temporaryDirectory(), 'cache.sqlite')
      const { database, close } = openDatabase(file, CACHE_FILE_KIND)
      const table = list === 'sentEmails' ? 'sent_emails' : 'received_emails'
      for (let minute = 1; minute <= 20; minute += 1) {
        const created_at = timeOf(minute)
        const subject = `Report ${minute}`
        const words = { id: `old${minute}`, from: 'Ada <ada@example.com>', to: ['me@example.com'], subject, created_at }
        database
          .prepare(`INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 0, ?)`)
          .run(words.id, Date.parse(created_at), addChecksum(receivedEmailOf(words)))
      }
      close()

      const { cache, inbox } = openTestCache(file)
      const listed = (
        typed: string,
        fields: Partial<AccountListQuery> = {},
        after: number | null = null,
        limit = 100,
      ) => {
        const page = cache[list].search({ ...query(typed), ...fields }, after, { limit, milliseconds: 10_000 })
        return { ids: page?.rowKeys.map((key) => cache[list].found(key)?.listed.id), next: page?.next ?? null }
      }
      expect(cache[list].countSearched()).toBe(0)
      indexAll(cache)
      expect(cache[list].countSearched()).toBe(20)
      const ids = (from: number, to: number): readonly string[] =>
        Array.from({ length: from - to + 1 }, (_, at) => `old${from - at}`)
      expect(listed('report')).toEqual({ ids: ids(20, 1), next: null })
      const first = listed('report', {}, null, 5)
      expect(first.ids).toEqual(ids(20, 16))
      expect(listed('report', {}, first.next, 3)).toEqual({ ids: ids(15, 13), next: expect.any(Number) as number })
      expect(listed('report 7')).toEqual({ ids: ['old7'], next: null })
      expect(listed('report', { since: Date.parse(timeOf(5)), until: Date.parse(timeOf(8)) }).ids).toEqual(ids(7, 5))
      expect(listed('report', { from: ['ADA@'], to: ['me@'] }).ids).toHaveLength(20)
      expect(listed('report', { from: ['bob'] }).ids).toEqual([])
      expect(listed('rep', { lastWordIsPrefix: true }).ids).toHaveLength(20)
      expect(cache[list].search(query('report'), 4711, { limit: 5, milliseconds: 10_000 })).toBeNull()

      // Opening the e-mail adds its body; another e-mail arrives with the same time as the newest.
      expect(listed('heron').ids).toEqual([])
      const created_at = timeOf(20)
      const before = cache[list].searchVersion()
      const whole = { id: 'old20', created_at, subject: 'Report 20', text: 'The heron', html: null }
      const listedNow = { id: 'new', created_at, subject: 'Report', attachments: [{ id: 'a', filename: 'x.pdf' }] }
      if (list === 'receivedEmails') {
        cache.receivedEmails.storeWhole(receivedEmailOf(whole))
        cache.receivedEmails.storePage([receivedEmailOf(listedNow)])
      } else {
        cache.sentEmails.storeWhole(sentEmailOf(whole))
        cache.sentEmails.storePage([sentEmailOf(listedNow)])
      }
      expect(listed('heron').ids).toEqual(['old20'])
      expect(cache[list].searchVersion()).not.toBe(before)
      expect(listed('report').ids?.slice(0, 2)).toEqual(['new', 'old20'])
      expect(found(cache, 'report')).toEqual([])
      expect(cache.search.extent(inbox.key)).toEqual({ emails: 0, of: 0 })
    },
  )

  it.each([2_047, 2_048, 2_049])(
    'finds an e-mail of the account’s own list behind %i misses, however split',
    (size) => {
      const { cache } = openTestCache()
      const emails = Array.from({ length: size + 2 }, (_, at) =>
        receivedEmailOf({
          id: `e${at}`,
          from: 'Ada <ada@example.com>',
          subject: at < 2 ? 'heron' : 'gull',
          created_at: timeOf(at),
        }),
      )
      cache.receivedEmails.storePage(emails.toReversed())
      for (const milliseconds of [0, 10_000]) {
        const ids: (string | undefined)[] = []
        for (let after: number | null = null; ;) {
          const page = cache.receivedEmails.search(query('heron'), after, { limit: 1, milliseconds })
          ids.push(...(page?.rowKeys ?? []).map((key) => cache.receivedEmails.found(key)?.listed.id))
          after = page?.next ?? null
          if (after === null) break
        }
        expect(ids).toEqual(['e1', 'e0'])
      }
    },
  )

  it('is rebuilt if damaged, and mail is kept meanwhile', () => {
    const { cache, inbox, file } = openTestCache()
    for (let minute = 1; minute <= 30; minute += 1)
      store(cache, inbox, `t${minute}`, minute, [mail(`e${minute}`, minute)])
    cache.close()
    const damaged = new Database(file)
    damaged.unsafeMode(true)
    damaged.exec('UPDATE search_words_data SET block = zeroblob(40) WHERE id > 10')
    damaged.close()

    const again = openTestCache(file)
    // Neither reads nor writes may fail.
    expect(found(again.cache, 'words')).toEqual([])
    store(again.cache, again.inbox, 't31', 31, [mail('e31', 31)])
    indexAll(again.cache)
    expect(again.cache.emails.ofThread(again.inbox, 't31', true)).toHaveLength(1)
    expect(found(again.cache, 'words')).toHaveLength(31)
  })

  it('reports a damaged file, whichever query meets it', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    const pending = {
      threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
      topics: () => new Map(),
    }
    let reports = 0
    const { cache } = openCache(file, pending, { onBroken: () => undefined, onCorrupt: () => (reports += 1) })
    onTestFinished(() => cache.close())
    cache.inboxes.storeListed([inboxOf({ id: 'inbox-1' })])
    store(cache, { key: cache.inboxes.get('inbox-1')?.key ?? -1, id: 'inbox-1' }, 't1', 1, [mail('e1', 1)])
    // Point the table at the root page of one of its indexes.
    const damaging = new Database(file)
    damaging.unsafeMode(true)
    damaging.pragma('writable_schema = ON')
    damaging.exec(`UPDATE sqlite_schema SET rootpage = (
      SELECT rootpage FROM sqlite_schema WHERE name = 'search_threads_by_time'
    ) WHERE name = 'search_threads'`)
    damaging.pragma(`schema_version = ${1 + Number(damaging.pragma('schema_version', { simple: true }))}`)
    damaging.close()

    const everything = query('', { text: [] })
    for (const ask of [
      () => cache.threadSearch.page(everything, null, 10),
      () => cache.threadSearch.count(everything, null, 10),
      () => cache.threadSearch.countByFolder(everything, null, 10),
    ]) {
      const before = reports
      expect(ask).toThrow('malformed')
      expect(reports).toBeGreaterThan(before)
    }
  })
})
