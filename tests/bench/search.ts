import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { UnreadCounts } from '../../src/engine/own/saved-searches/unread-counts.ts'
import { INDEX_STEP_MS } from '../../src/engine/store/search-index/index-in-background.ts'
import type { Cache } from '../../src/engine/store/cache.ts'
import type { InboxRef } from '../../src/engine/store/inboxes.ts'
import { resolveQuery, type ResolvedThreadQuery } from '../../src/engine/store/search-index/search-query.ts'
import { Random } from '../../packages/platform/src/random.ts'
import { FOLDERS } from '../../src/shared/model.ts'
import { NO_FILTER, type TextTerm } from '../../src/shared/thread-query.ts'
import { openUnchangedCache } from '../support/open-cache.ts'
import { emailOf, inboxOf, threadOf } from '../support/raw-payloads.ts'
import { accountDirectory, openBenchEngine } from './bench-engine.ts'
import { startBenchPlatform } from './bench-platform.ts'
import { percentile, type Figure } from './figure.ts'
import {
  drawRank,
  fillInbox,
  FIRST_NAMES,
  generatePages,
  LABELS,
  LAST_NAMES,
  messageOf,
  NOW,
  wordOfRank,
  type Filling,
} from './filled-inbox.ts'
import { measureNotmuch } from './notmuch.ts'

const SMALL = 1_000
/** E-mails of the largest mailbox: 100,000, or 1,000,000 with `--million`. Lower BENCH_EMAILS for a quick run. */
const LARGEST = process.argv.includes('--million') ? 1_000_000 : Number(process.env.BENCH_EMAILS ?? 100_000)
const ROUNDS = 40
/** Incoming e-mails. With few, the slowest five percent would be just one or two. */
const ARRIVALS = 400
const PAGE = 20
interface Mailbox extends Filling {
  readonly cache: Cache
  readonly inbox: InboxRef
  readonly file: string
}

const directories: string[] = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})
const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-search-'))
  directories.push(directory)
  return directory
}

const fillMailbox = (size: number): Mailbox => {
  const file = join(makeDirectory(), 'cache.sqlite')
  const cache = openUnchangedCache(file)
  cache.inboxes.storeListed([inboxOf({ id: 'inbox' })])
  const inbox = { key: cache.inboxes.get('inbox')?.key ?? -1, id: 'inbox' }
  return { cache, inbox, file, ...fillInbox(cache, inbox, size) }
}

const term = (text: string, isExcluded = false): TextTerm => ({ text, isPhrase: text.includes(' '), isExcluded })
const common = (random: Random): string => wordOfRank(random.below(8))
const middling = (random: Random): string => wordOfRank(100 + random.below(200))
const rare = (random: Random): string => wordOfRank(15_000 + random.below(5_000))

type Shape = (random: Random, mailbox: Mailbox) => Partial<ResolvedThreadQuery>

const SHAPES: Readonly<Record<string, Shape>> = {
  'a common word': (random) => ({ text: [term(common(random))] }),
  'a word of middling frequency': (random) => ({ text: [term(middling(random))] }),
  'a rare word': (random) => ({ text: [term(rare(random))] }),
  'two words': (random) => ({ text: [term(common(random)), term(middling(random))] }),
  'a phrase': (random) => ({ text: [term(`${common(random)} ${common(random)}`)] }),
  'a word with an exclusion': (random) => ({ text: [term(common(random)), term(common(random), true)] }),
  'from: a substring': (random) => ({ from: [random.pick(FIRST_NAMES).slice(0, 3).toLowerCase()] }),
  'from: a substring with a word': (random) => ({
    from: [`${random.pick(LAST_NAMES).toLowerCase()}@company${random.below(40)}.`],
    text: [term(common(random))],
  }),
  'a label with a word': (random) => ({ labelIds: [random.pick(LABELS)], text: [term(common(random))] }),
  'a label with a rare word': (random) => ({ labelIds: [random.pick(LABELS)], text: [term(rare(random))] }),
  'unread with a range of dates': (random, { oldest }) => {
    const since = oldest + random.next() * (NOW - oldest) * 0.9
    return { read: false, since, until: since + (NOW - oldest) * 0.1 }
  },
  'a common word in the oldest hundredth': (random, { oldest }) => ({
    text: [term(common(random))],
    until: oldest + (NOW - oldest) / 100,
  }),
  'a folder that is nearly empty with a common word': (random) => ({
    text: [term(common(random))],
    folders: ['trash'],
  }),
  'everything unread': () => ({ read: false }),
  'the tab People over the inbox': () => ({ folders: ['inbox'], kinds: ['person'] }),
  'the tab Robots over the inbox': () => ({ folders: ['inbox'], kinds: ['robot'] }),
  'threads that nobody has': () => ({ notAssignedTo: LABELS, folders: ['inbox'] }),
  'a common word in threads that nobody has': (random) => ({ notAssignedTo: LABELS, text: [term(common(random))] }),
  'threads that one of two people has, with a common word': (random) => ({
    ...{ assignedTo: LABELS.slice(0, 2), text: [term(common(random))] },
  }),
}

const NO_QUERY: ResolvedThreadQuery = { ...NO_FILTER, inboxId: 'inbox', since: null, until: null }

/** Milliseconds per search. */
const timesOf = (mailbox: Mailbox, shape: Shape): readonly number[] => {
  const random = new Random(3)
  return Array.from({ length: ROUNDS }, () => {
    const query = { ...NO_QUERY, ...shape(random, mailbox) }
    const start = performance.now()
    mailbox.cache.threadSearch.page(query, null, PAGE)
    return performance.now() - start
  })
}

/** Milliseconds per typed letter of a word. */
const timesOfTyping = (mailbox: Mailbox): readonly number[] => {
  const random = new Random(5)
  return Array.from({ length: ROUNDS / 2 }, () => {
    const word = [common, middling, rare][random.below(3)]?.(random) ?? ''
    return Array.from({ length: Math.min(6, word.length) }, (_, at) => {
      const query = { ...NO_QUERY, text: [term(word.slice(0, at + 1))], lastWordIsPrefix: true }
      const start = performance.now()
      mailbox.cache.threadSearch.page(query, null, PAGE)
      return performance.now() - start
    })
  }).flat()
}

/** Milliseconds per letter of names and addresses typed for suggestions. */
const timesOfSuggesting = ({ cache, inbox }: Mailbox): readonly number[] => {
  const random = new Random(11)
  return Array.from({ length: ROUNDS / 2 }, () => {
    const typed = random.pick([random.pick(FIRST_NAMES), random.pick(LAST_NAMES), `company${random.below(40)}.`])
    return Array.from({ length: typed.length }, (_, at) => {
      const start = performance.now()
      cache.search.suggestPeople(inbox.key, typed.slice(0, at + 1), 8)
      return performance.now() - start
    })
  }).flat()
}

/** Milliseconds per turn spent counting the unread threads of saved searches, one search of every shape. */
const turnsOfCounting = async (mailbox: Mailbox): Promise<readonly number[]> => {
  const random = new Random(13)
  const shapes = new Map(Object.entries(SHAPES).map(([name, shape]) => [name, shape(random, mailbox)]))
  const bound = (at: number | null | undefined) =>
    at === null || at === undefined ? null : ({ kind: 'instant', at } as const)
  const turns: number[] = []
  const ending = new AbortController()
  let counted = 0
  const counts = new UnreadCounts({
    counted: () => [...shapes.keys()].map((id) => ({ id, name: id, inboxId: 'inbox', text: id })),
    filterOf: ({ id }) => {
      const shape = shapes.get(id) ?? {}
      return { ...NO_FILTER, ...shape, since: bound(shape.since), until: bound(shape.until), read: false }
    },
    countSome: (_inboxId, filter, from, threads) => {
      const query = resolveQuery({ ...filter, inboxIds: ['inbox'] }, { now: NOW, timeZone: 'UTC' })
      const start = performance.now()
      const step = mailbox.cache.threadSearch.count(query, from, threads)
      turns.push(performance.now() - start)
      return step
    },
    changed: () => {
      counted += 1
      if (counted === shapes.size) ending.abort()
    },
    failed: (thrown) => {
      throw thrown
    },
    // Counting starts immediately; timers for later days never fire.
    clock: {
      elapsed: () => performance.now(),
      after: (milliseconds, callback) => {
        if (milliseconds < 10_000) queueMicrotask(callback)
        return () => undefined
      },
    },
    signal: ending.signal,
  })
  counts.of('')
  await counts.ended()
  return turns
}

/** Milliseconds per e-mail that arrives in a thread, including the thread's new activity. */
const timesOfArrival = ({ cache, inbox }: Mailbox): readonly number[] => {
  const random = new Random(9)
  const threads = cache.threads.list(inbox, { folder: 'inbox' }, { offset: 100, limit: ARRIVALS })
  return threads.map(({ id, emailCount }, at) => {
    const received_at = new Date(NOW + at * 60_000).toISOString()
    const text = Array.from({ length: 160 }, () => wordOfRank(drawRank(random))).join(' ')
    const email = emailOf({
      id: random.uuid(),
      direction: 'inbound',
      from: 'Kim <kim@x.example>',
      to: ['inbox@linnet.example'],
      text,
      received_at,
    })
    const thread = threadOf({ id, received_at, folder: 'inbox', email_count: emailCount + 1, read: false })
    const start = performance.now()
    cache.threads.storePage(inbox, [thread], { askedAt: 0, inSent: false })
    cache.emails.storePage(inbox, id, [email])
    return performance.now() - start
  })
}

/** Re-indexes a file as if an older Linnet had written it, in the same steps as background indexing. */
const createIndexing = (file: string) => {
  let cache: Cache | null = null
  const times: number[] = []
  let milliseconds = 0
  const begin = (): Cache => {
    const database = new Database(file)
    database.exec("UPDATE search_state SET value = 0 WHERE name = 'version'")
    database.close()
    milliseconds = 0
    return openUnchangedCache(file)
  }
  const step = (): void => {
    cache ??= begin()
    const start = performance.now()
    const isLeft = cache.search.indexSome(INDEX_STEP_MS)
    milliseconds += performance.now() - start
    if (isLeft) return
    times.push(milliseconds)
    cache.close()
    cache = null
  }
  return {
    /** Continues indexing for this long, starting over once everything is indexed. */
    goOn: (forMilliseconds: number): void => {
      const end = performance.now() + forMilliseconds
      while (performance.now() < end) step()
    },
    /** @returns seconds to index everything */
    end: (): number => {
      while (cache !== null || times.length === 0) step()
      return times.reduce((sum, each) => sum + each, 0) / times.length / 1000
    },
  }
}

/** Searches for both programs, and the required speed-up over notmuch. */
const COMPARED = [
  { name: 'a common word', least: 10, words: (at: number) => [wordOfRank(at + 1)] },
  { name: 'a phrase', least: 10, words: (at: number) => [`${wordOfRank(at + 1)} ${wordOfRank(at + 2)}`] },
  { name: 'a word of middling frequency', least: 1, words: (at: number) => [wordOfRank(100 + at * 10)] },
  { name: 'a rare word', least: 1, words: (at: number) => [wordOfRank(15_000 + at * 100)] },
  { name: 'two words', least: 1, words: (at: number) => [wordOfRank(at + 1), wordOfRank(100 + at * 10)] },
] as const
const COMPARED_SEARCHES = 8
const COMPARED_ROUNDS = 10
/** Length of Linnet's turns, shorter than notmuch's so that both index about as many messages. */
const INDEXING_TURN_MS = 1_000
/** Maximum number of e-mails for notmuch, which needs two minutes to index them. */
const COMPARED_MOST = 100_000

/**
 * Runs searches through the contract on an engine in its own thread, like a window, without cached results.
 * @returns milliseconds of each search's rounds until its rows arrive, and from then until all excerpts do
 */
const timesOfLists = async ({ file }: Pick<Mailbox, 'file'>, searches: readonly (readonly string[])[]) => {
  const directory = await accountDirectory({ days: 1 })
  copyFileSync(file, join(directory, 'cache.sqlite'))
  const platform = await startBenchPlatform(0, 'off')
  // Search local mail only.
  await platform.stop()
  const engine = await openBenchEngine(platform, directory)
  const rows = searches.map((): number[] => [])
  const excerpts: number[] = []
  for (let round = 0; round <= COMPARED_ROUNDS; round += 1) {
    for (const [at, words] of searches.entries()) {
      const query = { ...NO_FILTER, inboxIds: ['inbox'], folders: FOLDERS, text: words.map((word) => term(word)) }
      const start = performance.now()
      const { items } = await engine.call('thread.list', { query, offset: 0, limit: PAGE, localOnly: true })
      const listed = performance.now()
      let found = items.flatMap(({ id: threadId, match }) =>
        match?.by === 'computer' ? [{ threadId, emailId: match.emailId }] : [],
      )
      while (found.length > 0) found = found.slice((await engine.call('thread.excerpts', { query, found })).length)
      // The first round warms up the disk cache.
      if (round === 0) continue
      rows[at]?.push(listed - start)
      excerpts.push(performance.now() - listed)
    }
  }
  await engine.stop()
  return { rows, excerpts }
}

const compareWithNotmuch = async (mailbox: Filling & Pick<Mailbox, 'file'>): Promise<readonly Figure[]> => {
  const maildir = makeDirectory()
  for (const folder of ['cur', 'new', 'tmp']) mkdirSync(join(maildir, folder))
  let written = 0
  for (const page of generatePages(mailbox.emails)) {
    for (const email of page.flatMap(({ emails }) => emails)) {
      writeFileSync(join(maildir, 'cur', `${written}:2,S`), messageOf(email))
      written += 1
    }
  }
  const searches = COMPARED.map(({ words }) => Array.from({ length: COMPARED_SEARCHES }, (_, at) => words(at)))
  const asTyped = (words: readonly string[]): string =>
    words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')
  const indexing = createIndexing(mailbox.file)
  const notmuch = await measureNotmuch(maildir, searches.flat().map(asTyped), {
    page: PAGE,
    rounds: COMPARED_ROUNDS,
    // Machine load changes from minute to minute, so alternate.
    turn: () => indexing.goOn(INDEXING_TURN_MS),
  })
  if (notmuch === null) return []
  const seconds = indexing.end()
  const cache = openUnchangedCache(mailbox.file)
  const linnet = searches.flat().map((words) =>
    Array.from({ length: COMPARED_ROUNDS }, () => {
      const start = performance.now()
      const query = { ...NO_QUERY, folders: FOLDERS, text: words.map((word) => term(word)) }
      cache.threadSearch.page(query, null, PAGE)
      return performance.now() - start
    }),
  )
  cache.close()
  const lists = await timesOfLists(mailbox, searches.flat())
  const median = (times: readonly (readonly number[])[]): number => percentile(times.flat(), 0.5)
  const figures = COMPARED.map(({ name, least }, at): Figure => {
    const from = at * COMPARED_SEARCHES
    const theirs = median(notmuch.queries.slice(from, from + COMPARED_SEARCHES).map(({ milliseconds }) => milliseconds))
    const ours = median(linnet.slice(from, from + COMPARED_SEARCHES))
    return {
      name: `${name}, times as fast as ${notmuch.version}`,
      measured: theirs / ours,
      unit: '×',
      bound: { kind: 'at least', value: least },
      note: `medians of ${COMPARED_SEARCHES * COMPARED_ROUNDS}: ${ours.toFixed(2)} ms, notmuch ${theirs.toFixed(2)} ms`,
    }
  })
  const inWindow = COMPARED.map(({ name }, at): Figure => {
    const from = at * COMPARED_SEARCHES
    const theirs = median(notmuch.queries.slice(from, from + COMPARED_SEARCHES).map(({ milliseconds }) => milliseconds))
    const ours = median(lists.rows.slice(from, from + COMPARED_SEARCHES))
    return {
      name: `${name}, as a window asks for it: ${PAGE} rows with all that they show, times as fast as ${notmuch.version}`,
      measured: theirs / ours,
      unit: '×',
      bound: { kind: 'at least', value: 1 },
      note: `medians of ${COMPARED_SEARCHES * COMPARED_ROUNDS}: ${ours.toFixed(2)} ms, notmuch ${theirs.toFixed(2)} ms`,
    }
  })
  const later = percentile(lists.excerpts, 0.95)
  const rate = (of: number): string => `${Math.round(mailbox.emails / of)} e-mails/s`
  return [
    ...figures,
    ...inWindow,
    {
      name: `what stands around the words in those ${PAGE} rows, after them`,
      measured: later,
      unit: 'ms',
      bound: { kind: 'at most', value: 16 },
      note: `p95 of ${lists.excerpts.length}; median ${percentile(lists.excerpts, 0.5).toFixed(2)} ms`,
    },
    {
      name: `indexing, times as fast as ${notmuch.version}`,
      measured: notmuch.secondsToIndex / seconds,
      unit: '×',
      bound: { kind: 'at least', value: 5 },
      note: `${rate(seconds)} in steps of ${INDEX_STEP_MS} ms, notmuch ${rate(notmuch.secondsToIndex)}; its index is ${(notmuch.bytes / mailbox.bytes).toFixed(1)} × the bytes of the messages`,
    },
  ]
}

/** Local search in a small and in a large mailbox, compared with notmuch if that is installed. */
export const measureSearch = async (): Promise<readonly Figure[]> => {
  const small = fillMailbox(SMALL)
  const large = fillMailbox(LARGEST)
  const p95 = (times: readonly number[]): number => percentile(times, 0.95)
  const compare = (name: string, times: (mailbox: Mailbox) => readonly number[]): Figure => {
    // Warm up the disk cache.
    for (const mailbox of [small, large]) times(mailbox)
    const [inSmall, inLarge] = [times(small), times(large)]
    return {
      name,
      measured: p95(inLarge),
      unit: 'ms',
      bound: { kind: 'at most', value: Math.max(16, 3 * p95(inSmall)) },
      note: `p95 of ${inLarge.length} first pages; median ${percentile(inLarge, 0.5).toFixed(2)} ms; among ${small.emails} e-mails p95 ${p95(inSmall).toFixed(2)} ms, median ${percentile(inSmall, 0.5).toFixed(2)} ms`,
    }
  }
  const figures = [
    ...Object.entries(SHAPES).map(([name, shape]) => compare(name, (mailbox) => timesOf(mailbox, shape))),
    compare('a prefix, letter by letter', timesOfTyping),
    compare('whom a part of a name may mean, letter by letter', timesOfSuggesting),
  ]
  const turns = await turnsOfCounting(large)
  const arrivals = timesOfArrival(large)
  large.cache.close()
  small.cache.close()
  const { size } = statSync(large.file)
  const compared = LARGEST > COMPARED_MOST ? [] : await compareWithNotmuch(large)
  return [
    ...figures,
    {
      name: 'a turn of counting the unread threads of saved searches',
      measured: p95(turns),
      unit: 'ms',
      bound: { kind: 'at most', value: 16 },
      note: `p95 of ${turns.length} for ${Object.keys(SHAPES).length} searches; longest ${Math.max(...turns).toFixed(2)} ms`,
    },
    {
      name: 'a new e-mail of a thread, stored and indexed',
      measured: p95(arrivals),
      unit: 'ms',
      bound: { kind: 'at most', value: 10 },
      note: `p95 of ${arrivals.length}; median ${percentile(arrivals, 0.5).toFixed(2)} ms, p99 ${percentile(arrivals, 0.99).toFixed(2)} ms where FTS5 merges`,
    },
    {
      name: 'the whole cache, against the bytes of the messages',
      measured: size / large.bytes,
      unit: '×',
      bound: { kind: 'at most', value: 3.5 },
      note: `${Math.round(size / 1e6)} MB for ${large.emails} e-mails of ${Math.round(large.bytes / large.emails)} bytes`,
    },
    {
      name: 'e-mails stored and indexed in a second',
      measured: large.emails / large.secondsToFill,
      unit: 'e-mails/s',
      bound: null,
      note: `${large.emails} e-mails in pages, as sync writes them`,
    },
    ...compared,
  ]
}
