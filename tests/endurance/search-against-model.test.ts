import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { parseSearchRequest } from '../../packages/platform/src/search/search-parameters.ts'
import { runToEnd, searchThreads } from '../../packages/platform/src/search/search-threads.ts'
import type { InlineImageMode } from '../../packages/platform/src/settings.ts'
import { Database } from '../../packages/platform/src/storage/database.ts'
import { insertEmail } from '../../packages/platform/src/storage/emails.ts'
import { addInbox } from '../../packages/platform/src/storage/inboxes.ts'
import {
  addThreadLabel,
  folders,
  insertThread,
  refreshThread,
  setThreadFolder,
  setThreadRead,
} from '../../packages/platform/src/storage/threads.ts'
import { platformOf } from '../../packages/platform/tests/integration/service-under-test.ts'
import { counts, runs } from './support/endurance.ts'

/**
 * Compares searches in random mailboxes with a second, plain implementation of the rules (platform.md 9) over lists.
 */
interface ModelEmail {
  readonly sent: boolean
  readonly time: number
  readonly read: boolean
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly subject: readonly string[]
  readonly body: readonly string[]
  readonly attachment: string | null
  /** True if the HTML shows the attachment inline. */
  readonly isShown: boolean
}
interface ModelThread {
  readonly folder: (typeof folders)[number]
  readonly labels: readonly number[]
  readonly emails: readonly ModelEmail[]
}

const words = ['red', 'car', 'blue', 'sky'] as const
const people = ['ann', 'bob', 'cleo'] as const
const person = fc.constantFrom(...people)
const text = fc.array(fc.constantFrom(...words), { maxLength: 4 })
const email: fc.Arbitrary<ModelEmail> = fc.record({
  sent: fc.boolean(),
  // Days of May, so that several coincide.
  time: fc.integer({ min: 1, max: 9 }),
  read: fc.boolean(),
  from: person,
  to: person,
  cc: fc.oneof(person, fc.constant('')),
  subject: text,
  body: text,
  attachment: fc.option(fc.constantFrom('car.pdf', 'notes.txt')),
  isShown: fc.boolean(),
})
const thread: fc.Arbitrary<ModelThread> = fc.record({
  folder: fc.constantFrom(...folders),
  labels: fc.uniqueArray(fc.integer({ min: 0, max: 1 })),
  emails: fc.array(email, { minLength: 1, maxLength: 4 }),
})

interface ModelSearch {
  readonly terms: readonly { readonly excluded: boolean; readonly words: readonly string[] }[]
  /** A term without words. */
  readonly noise: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly has_attachment: boolean | null
  readonly start_date: number | null
  readonly end_date: number | null
  readonly folders: readonly (typeof folders)[number][]
  readonly labels: readonly number[]
  readonly read: boolean | null
}
const someone = fc.array(fc.constantFrom('ann', 'bo', 'cleo@x', 'x.example', 'nobody'), { maxLength: 2 })
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
const search: fc.Arbitrary<ModelSearch> = fc
  .record({
    terms: fc.array(
      fc.record({
        excluded: fc.boolean(),
        words: fc.array(fc.constantFrom(...words, 'pdf', 'ann'), { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
    noise: fc.constantFrom('', '', '', '€', '-!', '""'),
    from: someone,
    to: someone,
    cc: someone,
    has_attachment: maybe(fc.boolean()),
    start_date: maybe(fc.integer({ min: 1, max: 9 })),
    end_date: maybe(fc.integer({ min: 1, max: 9 })),
    folders: fc.uniqueArray(fc.constantFrom(...folders)),
    labels: fc.uniqueArray(fc.integer({ min: 0, max: 1 })),
    read: maybe(fc.boolean()),
  })
  .filter(({ start_date: start, end_date: end }) => start === null || end === null || start <= end)

const address = (name: string): string => `${name}@x.example`
const dayOfMay = (day: number): string => `2026-05-0${day}`

/** Applies the rules of platform.md 9 to plain values. @returns indexes of the threads found, latest activity first */
function expected(
  threads: readonly ModelThread[],
  wanted: ModelSearch,
  cap: number,
  inlineImages: InlineImageMode,
): readonly number[] {
  const scope =
    wanted.folders.length > 0 ? wanted.folders : wanted.labels.length > 0 ? ['inbox', 'archive', 'sent'] : ['inbox']
  const inScope = (folder: string, isSent: boolean): boolean =>
    scope.some((name) => (name === 'sent' ? isSent && folder !== 'spam' && folder !== 'trash' : name === folder))
  const includes = (list: readonly string[], part: readonly string[]): boolean =>
    list.some((_, at) => part.every((word, offset) => list[at + offset] === word))
  const hasEmailFilter =
    wanted.noise !== '' ||
    wanted.terms.length + wanted.from.length + wanted.to.length + wanted.cc.length > 0 ||
    wanted.has_attachment !== null ||
    wanted.start_date !== null ||
    wanted.end_date !== null
  const matches = (mail: ModelEmail): boolean => {
    const isNamed = mail.attachment !== null && (!mail.isShown || inlineImages !== 'hidden')
    const isCounted = mail.attachment !== null && (!mail.isShown || inlineImages === 'counted')
    const fields = [
      mail.subject,
      mail.body,
      ...[mail.from, mail.to, mail.cc].map((name) => (name === '' ? [] : [name])),
      ...[mail.from, mail.to, mail.cc].map((name) => (name === '' ? [] : [name, 'x', 'example'])),
      isNamed ? mail.attachment.split('.') : [],
    ]
    const person = (name: string, values: readonly string[]): boolean =>
      values.length === 0 ||
      (name !== '' && values.some((value) => name.includes(value) || address(name).includes(value)))
    return (
      (wanted.noise === '' || wanted.terms.length > 0) &&
      wanted.terms.every((term) => fields.some((field) => includes(field, term.words)) !== term.excluded) &&
      person(mail.from, wanted.from) &&
      person(mail.to, wanted.to) &&
      person(mail.cc, wanted.cc) &&
      (wanted.has_attachment === null || isCounted === wanted.has_attachment) &&
      (wanted.start_date === null || mail.time >= wanted.start_date) &&
      (wanted.end_date === null || mail.time <= wanted.end_date)
    )
  }
  const found = threads.flatMap(({ folder, labels, emails }, index) => {
    const isWanted =
      emails.some(({ sent }) => inScope(folder, sent)) &&
      (wanted.labels.length === 0 || wanted.labels.some((label) => labels.includes(label))) &&
      (wanted.read === null || emails.every(({ read }) => read) === wanted.read)
    const hits = emails.filter((mail) => !hasEmailFilter || (matches(mail) && inScope(folder, mail.sent)))
    if (!isWanted || hits.length === 0) return []
    return [
      {
        index,
        activity: Math.max(...emails.map(({ time }) => time)),
        newest: Math.max(...hits.map(({ time }) => time)),
      },
    ]
  })
  // Threads stored later come first among equal times.
  const inOrder = found.toSorted((a, b) => b.activity - a.activity || b.index - a.index)
  const covered = inOrder.toSorted((a, b) => b.newest - a.newest).slice(0, cap)
  return inOrder.filter((match) => covered.includes(match)).map(({ index }) => index)
}

/** A client's query parameters. @param labels the IDs of both labels */
function parametersOf(wanted: ModelSearch, labels: readonly string[], limit: number): URLSearchParams {
  const query = new URLSearchParams({ limit: String(limit) })
  const list = (name: string, values: readonly string[]): void => {
    if (values.length > 0) query.set(name, values.join(','))
  }
  const terms = wanted.terms.map((term) => `${term.excluded ? '-' : ''}"${term.words.join(' ')}"`)
  query.set('query', [...terms, wanted.noise].join(' '))
  list('from', wanted.from)
  list('to', wanted.to)
  list('cc', wanted.cc)
  list('folders', wanted.folders)
  list(
    'labels',
    wanted.labels.map((label) => labels[label] ?? ''),
  )
  if (wanted.has_attachment !== null) query.set('has_attachment', String(wanted.has_attachment))
  if (wanted.read !== null) query.set('read', String(wanted.read))
  if (wanted.start_date !== null) query.set('start_date', dayOfMay(wanted.start_date))
  if (wanted.end_date !== null) query.set('end_date', dayOfMay(wanted.end_date))
  return query
}

let db: Database | null = null
afterEach(() => db?.close())

test('finds exactly the threads that the rules name, in order, page by page', () => {
  fc.assert(
    fc.property(
      fc.array(thread, { maxLength: 8 }),
      search,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom('named', 'counted', 'hidden'),
      (threads, wanted, cap, pageSize, inlineImages) => {
        db = new Database(':memory:')
        const platform = platformOf(db, { searchCap: cap })
        const { ids, labels, inbox } = store(db, threads, inlineImages)
        const query = parametersOf(wanted, labels, pageSize)
        const found: number[] = []
        for (let more = true; more;) {
          const page = runToEnd(searchThreads(platform, inbox, parseSearchRequest(query)))
          found.push(...page.items.map(({ id }) => ids.indexOf(id)))
          more = page.hasMore
          query.set('after', page.items.at(-1)?.id ?? '')
        }
        expect(found).toEqual(expected(threads, wanted, cap, inlineImages))
        db.close()
        db = null
      },
    ),
    runs(counts(400)),
  )
})

interface ModelChange {
  readonly beforeStep: number
  readonly thread: number
  readonly kind: 'new thread' | 'new mail' | 'move' | 'read' | 'label' | 'unlabel' | 'lose mail' | 'go'
  readonly mail: ModelEmail
  readonly folder: (typeof folders)[number]
  readonly label: number
}
const change: fc.Arbitrary<ModelChange> = fc.record({
  beforeStep: fc.nat({ max: 25 }),
  thread: fc.nat({ max: 319 }),
  kind: fc.constantFrom('new thread', 'new mail', 'move', 'read', 'label', 'unlabel', 'lose mail', 'go'),
  mail: email,
  folder: fc.constantFrom(...folders),
  label: fc.integer({ min: 0, max: 1 }),
})

test('includes changes made between the steps of a search', () => {
  let steps = 0
  fc.assert(
    fc.property(
      fc.array(thread, { minLength: 1, maxLength: 8 }),
      search,
      fc.constantFrom(5, 60, 10_000),
      fc.array(change, { minLength: 1, maxLength: 60 }),
      (threads, wanted, cap, changes) => {
        db = new Database(':memory:')
        const platform = platformOf(db, { searchCap: cap })
        // Enough for a search to take several steps.
        const many = Array.from({ length: 320 }, (_, at) => threads[at % threads.length]).filter((one) => !!one)
        const { labels, inbox } = store(db, many, 'counted')
        const request = parseSearchRequest(parametersOf(wanted, labels, 100))
        const underWay = searchThreads(platform, inbox, request)
        for (let step = 0; ; step += 1) {
          for (const one of changes) if (one.beforeStep === step) make(db, inbox, one)
          const { done, value } = underWay.next()
          if (done !== true) continue
          steps = Math.max(steps, step)
          expect(value).toEqual(runToEnd(searchThreads(platform, inbox, request)))
          break
        }
        db.close()
        db = null
      },
    ),
    runs(counts(40)),
  )
  expect(steps).toBeGreaterThan(10)
})

function make(database: Database, inbox: number, { kind, thread: at, mail, folder, label }: ModelChange): void {
  const seq =
    kind === 'new thread' ? insertThread(database, { inboxSeq: inbox, folder: 'inbox', subject: null }) : at + 1
  const row = database.get<{ emails: number }>('SELECT email_count AS emails FROM threads WHERE seq = ?', seq)
  if (!row) return
  if (kind === 'new thread' || kind === 'new mail') storeEmail(database, inbox, seq, mail, 'counted')
  if (kind === 'move') setThreadFolder(database, seq, folder, null)
  if (kind === 'read') setThreadRead(database, seq, mail.read)
  if (kind === 'label') addThreadLabel(database, seq, label + 1)
  if (kind === 'unlabel') {
    database.run('DELETE FROM thread_labels WHERE thread_seq = ? AND label_seq = ?', seq, label + 1)
  }
  if (kind === 'lose mail' && row.emails > 1) {
    database.run('DELETE FROM emails WHERE seq = (SELECT max(seq) FROM emails WHERE thread_seq = ?)', seq)
  }
  if (kind === 'go') database.run('DELETE FROM threads WHERE seq = ?', seq)
  else refreshThread(database, seq)
}

function storeEmail(
  database: Database,
  inbox: number,
  thread: number,
  mail: ModelEmail,
  inlineImages: InlineImageMode,
): void {
  const one = (name: string) => (name === '' ? [] : [{ name, address: address(name) }])
  const attachment = {
    filename: mail.attachment ?? '',
    contentType: 'x/y',
    contentDisposition: null,
    contentId: null,
    size: 1,
    isInline: mail.isShown,
  }
  insertEmail(database, {
    direction: mail.sent ? 'outbound' : 'inbound',
    inboxSeq: inbox,
    threadSeq: thread,
    receivedAt: Date.parse(dayOfMay(mail.time)),
    storedAt: 0,
    read: mail.read,
    messageId: null,
    subject: mail.subject.join(' '),
    from: one(mail.from)[0] ?? null,
    to: one(mail.to),
    cc: one(mail.cc),
    bcc: [],
    replyTo: [],
    deliveredTo: [],
    text: mail.body.join(' '),
    html: null,
    headers: {},
    attachments: mail.attachment === null ? [] : [attachment],
    inlineImages,
    raw: Buffer.alloc(0),
    authentication: null,
    sent: null,
  })
}

function store(database: Database, threads: readonly ModelThread[], inlineImages: InlineImageMode) {
  const inbox = addInbox(
    database,
    { emailAddress: 'me@x.example', name: null, fromName: null, forwarding: false },
    0,
  ).seq
  const labels = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
  for (const id of labels) {
    database.run(
      'INSERT INTO labels (id, inbox_seq, name, color, created_at) VALUES (?, ?, ?, ?, 0)',
      id,
      inbox,
      id,
      '#000000',
    )
  }
  const ids = threads.map(({ folder, labels: carried, emails }, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const seq = insertThread(database, { id, inboxSeq: inbox, folder, subject: null })
    for (const mail of emails) storeEmail(database, inbox, seq, mail, inlineImages)
    for (const label of carried) addThreadLabel(database, seq, label + 1)
    refreshThread(database, seq)
    setThreadFolder(database, seq, folder, null)
    return id
  })
  return { ids, labels, inbox }
}
