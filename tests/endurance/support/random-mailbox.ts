import fc from 'fast-check'
import { FOLDERS, type Folder } from '../../../src/shared/model.ts'
import type { TextTerm } from '../../../src/shared/thread-query.ts'

/** Text that exposes differences between tokenizers. */
const FRAGMENTS = [
  ...['red', 'red', 'red', 'car', 'car', 'blue', 'RED', 'Cars', 'carpet', 'a', '1', '2026', '1,000', '3.14', 'x86_64'],
  ...["don't", 'e-mail', 'email', 'foo_bar', 'a@b.example', 'ann@x.example', 'C++', '#42', 'https://x.example/a?b=c'],
  ...['Résumé', 'resume', 'e\u0301te\u0301', 'été', 'naïve', 'ﬁle', 'file', 'ＡＢＣ', 'abc', 'straße', 'STRASSE', 'ß'],
  ...['İstanbul', 'istanbul', 'σοφός', 'ΣΟΦΟΣ', 'приве\u0308т', 'привёт', 'привет', 'Ё', '½', '²', '㎏', 'ℌ', 'Ǆ'],
  ...[
    '東京',
    '東京都庁',
    '京',
    'こんにちは',
    'カタカナ',
    'ｶﾀｶﾅ',
    'สวัสดี',
    '안녕하세요',
    '안녕',
    'ລາວ',
    'ខ្មែរ',
    'မြန်မာ',
    'བོད',
  ],
  ...['שָׁלוֹם', 'שלום', 'مُحَمَّد', 'محمد', 'हिन्दी', 'में', 'می\u200cخواهم', 'தமிழ்', 'ქართული'],
  ...['👍', '👍🏽', '👩‍👩‍👧', '👩', '🇩🇪', '❤️', '❤', '☎', '🧑🏿‍🚀', '©'],
  ...['€', '!!!', '…', '—', '“red', 'car”', 'red-car', 'red.car', 'co\u00adop', 'coop', 're\u200dd', '\u0301'],
  ...['x'.repeat(300), `z${'\u0301\u0316'.repeat(25)}`, `ш${'\u0483'.repeat(40)}a`, 'z', 'longword'.repeat(20)],
] as const
const fragment = fc.constantFrom(...FRAGMENTS)
const sentence = fc.array(fragment, { maxLength: 5 }).map((words) => words.join(' '))
const tag = fc.constantFrom(
  ...[
    '<p>',
    '</p>',
    '<br>',
    '<b>',
    '</b>',
    '<span class="red">',
    '</span>',
    '<a href="car">',
    '<div title=car>',
    '<td>',
  ],
  ...['<!-- car -->', '<style>red</style>', '<img alt="red" src="cid:car">', '&amp;', '&eacute;', '&#233;', '&nbsp;'],
  ...['<title>car</title>', '<script>red</script>', '<noscript>', '<iframe>', '&lt;b&gt;', '<', '<3', '<u>', '<wbr>'],
)
const html = fc.array(fc.oneof(fragment, tag, fc.constant(' ')), { maxLength: 8 }).map((parts) => parts.join(''))

export interface RandomPerson {
  readonly name: string
  readonly address: string
}
const PEOPLE: readonly RandomPerson[] = [
  { name: '', address: 'ann@x.example' },
  { name: 'Ann Lee', address: 'ann@x.example' },
  { name: 'Lee, Ann', address: 'Ann.Lee@X.example' },
  { name: 'Zoë "Zed" O\'Neil', address: 'zoe@y.example' },
  { name: 'Zoe\u0308', address: 'zoe+tag@y.example' },
  { name: '李雷', address: 'li@x.example' },
  { name: 'İpek Straße', address: 'ipek@bücher.example' },
  { name: 'red car', address: 'no-reply@red.example' },
  { name: 'back\\slash (sales)', address: 'b@z.example' },
  { name: '', address: 'car' },
]
/** There are more guests than the index looks up individually. */
const guest = (number: number): RandomPerson => ({ name: '', address: `guest${number}@y.example` })
const person = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...PEOPLE) },
  { weight: 1, arbitrary: fc.nat({ max: 99 }).map(guest) },
)
const people = fc.array(person, { maxLength: 3 })

export interface RandomEmail {
  readonly sent: boolean
  readonly time: number
  readonly read: boolean
  readonly from: RandomPerson | null
  readonly to: readonly RandomPerson[]
  readonly cc: readonly RandomPerson[]
  readonly bcc: readonly RandomPerson[]
  readonly subject: string | null
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly { readonly filename: string | null; readonly isInline: boolean }[]
}

const START = Date.UTC(2026, 4, 30, 22)
const HOUR = 3_600_000
/** Often equal, otherwise days, months or years apart, as times in real mail are imprecise. */
const time = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 }).map((hours) => START + hours * HOUR) },
  { weight: 2, arbitrary: fc.integer({ min: -40, max: 5 }).map((days) => START + days * 24 * HOUR) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: -6, max: 1 }).map((years) => Date.UTC(2026 + years, 11, 31, 23, 59, 59, 999)),
  },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }).map((milliseconds) => START + milliseconds) },
)

export const randomEmail: fc.Arbitrary<RandomEmail> = fc.record({
  sent: fc.boolean(),
  time,
  read: fc.boolean(),
  from: fc.option(person, { freq: 8 }),
  to: people,
  cc: people,
  bcc: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: people }),
  subject: fc.option(sentence, { freq: 6 }),
  text: fc.option(sentence, { freq: 6 }),
  html: fc.option(html, { freq: 2 }),
  attachments: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          filename: fc.constantFrom('car.pdf', 'red_car-2.PDF', 'notes.txt', '東京.png', null),
          isInline: fc.boolean(),
        }),
        { maxLength: 2 },
      ),
    },
  ),
})

const RED_CAR = { subject: 'red car' } as const
const NO_WORDS = { subject: null, text: null, html: null } as const

export interface RandomThread {
  readonly folder: Folder
  readonly labels: readonly number[]
  readonly emails: readonly RandomEmail[]
}
const randomThread: fc.Arbitrary<RandomThread> = fc.record({
  folder: fc.oneof({ weight: 3, arbitrary: fc.constant('inbox' as const) }, fc.constantFrom(...FOLDERS)),
  labels: fc.uniqueArray(fc.integer({ min: 0, max: 1 })),
  emails: fc.oneof(
    { weight: 8, arbitrary: fc.array(randomEmail, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(randomEmail, { minLength: 9, maxLength: 14 }) },
  ),
})

/**
 * Number of consecutive misses after which the index seeks the next possible thread: the first time, then on later
 * occasions.
 */
const ASKED_AFTER = [64, 96, 128] as const

const folderOfMost = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('inbox' as const, 'archive' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...FOLDERS) },
)

/**
 * A thread with sent and received e-mails. A search limited to sent or received mail must also match e-mails that
 * aren't the thread's first.
 */
const mixedThread: fc.Arbitrary<RandomThread> = fc
  .record({
    folder: folderOfMost,
    labels: fc.subarray([0, 1]),
    email: randomEmail,
    sent: fc.array(fc.boolean(), { minLength: 2, maxLength: 7 }).map((sent) => [...sent, false]),
  })
  .map(({ folder, labels, email, sent }) => ({
    folder,
    labels,
    emails: sent.map((isSent, at) => ({ ...email, ...RED_CAR, sent: isSent, time: START + at })),
  }))

/**
 * A run of identical e-mails, about as long as the index scans before it seeks the next match, followed by threads in
 * which only some e-mails match. E-mails in the run may have a reply that doesn't match.
 */
const crowdOf = (all: { readonly hours: number; readonly sent?: boolean }): fc.Arbitrary<readonly RandomThread[]> =>
  fc
    .record({
      size: fc.constantFrom(...ASKED_AFTER),
      difference: fc.integer({ min: -3, max: 1 }),
      folder: folderOfMost,
      labels: fc.subarray([0, 1]),
      isReversed: fc.boolean(),
      isAnswered: fc.boolean(),
      email: randomEmail,
      behind: fc.array(mixedThread, { minLength: 1, maxLength: 3 }),
    })
    .map(({ size, difference, folder, labels, isReversed, isAnswered, email, behind }) => {
      const { hours, sent = email.sent } = all
      const threads = Array.from({ length: size + difference }, (_none, at) => {
        const one = { ...email, ...RED_CAR, sent, from: guest(at), time: START + hours * HOUR + (at >> 1) }
        const answer = { ...one, ...NO_WORDS, sent: true }
        return { folder, labels, emails: isAnswered ? [one, answer] : [one] }
      })
      return [...behind, ...(isReversed ? threads.toReversed() : threads)]
    })
/** A crowd that is newer than most other threads, older, or among them. */
const crowd = fc.constantFrom(-1, 4, 7).chain((hours) => crowdOf({ hours }))

export interface RandomMailbox {
  readonly threads: readonly RandomThread[]
  /** Multiplies the page length of each search. */
  readonly pages: number
}
export const randomMailbox: fc.Arbitrary<RandomMailbox> = fc.oneof(
  {
    weight: 11,
    arbitrary: fc.array(randomThread, { maxLength: 8 }).map((threads) => ({ threads, pages: 1 })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(randomThread, { minLength: 4, maxLength: 8 }), crowd)
      .map(([threads, many]) => ({ threads: [...threads, ...many], pages: 20 })),
  },
)
/** A crowd of received e-mails, directly followed by the older threads behind it. */
export const crowdedMailbox: fc.Arbitrary<RandomMailbox> = crowdOf({ hours: 4, sent: false }).map((threads) => ({
  threads,
  pages: 20,
}))

/** A change to a mailbox between two searches. Thread numbers wrap around at the number of threads. */
export type RandomChange =
  | { readonly kind: 'email'; readonly thread: number; readonly email: RandomEmail }
  | { readonly kind: 'many e-mails'; readonly thread: number; readonly email: RandomEmail }
  | { readonly kind: 'thread'; readonly new: RandomThread }
  | { readonly kind: 'move'; readonly thread: number; readonly folder: Exclude<Folder, 'sent'> }
  | { readonly kind: 'read'; readonly thread: number; readonly read: boolean }
  | { readonly kind: 'label'; readonly thread: number; readonly label: number; readonly on: boolean }

const number = fc.nat({ max: 20 })
const change: fc.Arbitrary<RandomChange> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('email' as const), thread: number, email: randomEmail }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('many e-mails' as const), thread: number, email: randomEmail }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('thread' as const), new: randomThread }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      thread: number,
      folder: fc.constantFrom('inbox' as const, 'archive' as const, 'spam' as const, 'trash' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), thread: number, read: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('label' as const),
      thread: number,
      label: fc.integer({ min: 0, max: 1 }),
      on: fc.boolean(),
    }),
  },
)

export interface RandomSearch {
  readonly text: readonly TextTerm[]
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly hasAttachment: boolean | null
  readonly since: number | null
  readonly until: number | null
  readonly folders: readonly Folder[] | null
  readonly labels: readonly number[]
  /** Person labels, at least one of which is required, or null for no condition. */
  readonly assignedTo: readonly number[] | null
  /** Person labels that a thread must not have. */
  readonly notAssignedTo: readonly number[]
  readonly read: boolean | null
  readonly limit: number
  /** Changes since the previous search. */
  readonly changes: readonly RandomChange[]
}

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, otherwise: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary })
/** Longer than any real word, and short enough for a query. */
const LONGEST_TERM = 170
const word: fc.Arbitrary<TextTerm> = fc.record({
  // A leading minus or quote is an operator, not part of a word.
  text: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('red', 'car', 'Car', 'a') },
    {
      weight: 2,
      arbitrary: fragment.filter((text) => !/^-|["\s]/.test(text) && Array.from(text).length < LONGEST_TERM),
    },
  ),
  isPhrase: fc.constant(false),
  isExcluded: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
const phrase: fc.Arbitrary<TextTerm> = fc.record({
  text: fc
    .array(fragment, { maxLength: 3 })
    .map((words) => words.join(' '))
    .filter((text) => !text.includes('"') && Array.from(text).length < LONGEST_TERM),
  isPhrase: fc.constant(true),
  isExcluded: fc.boolean(),
})
const terms = (minLength: number, maxLength: number): fc.Arbitrary<readonly TextTerm[]> =>
  fc.array(fc.oneof({ weight: 3, arbitrary: word }, phrase), { minLength, maxLength })
const PARTS = [
  ...['ann', 'ANN L', 'lee', 'x.example', '@', 'a', 'zoë', 'zoe\u0308', 'z', '李', 'i\u0307pek', 'straße', 'nobody'],
  ...['"zed"', 'car', 'back\\', '(sales)', 'bücher', 'b@', 'guest', 'GUEST1', 'y.', 'guest7@'],
  // Text that spans the end of a name and the start of its address.
  ...['leeann', 'lee ann', 'carno', 'lee\nann'],
] as const
const parts = rarely<readonly string[]>(fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 2 }), [])

const anySearch: fc.Arbitrary<RandomSearch> = fc
  .record({
    text: fc.oneof(
      { weight: 1, arbitrary: fc.constant<readonly TextTerm[]>([]) },
      { weight: 4, arbitrary: terms(1, 2) },
      { weight: 1, arbitrary: terms(3, 4) },
    ),
    from: parts,
    to: parts,
    cc: parts,
    bcc: parts,
    hasAttachment: rarely<boolean | null>(fc.boolean(), null),
    since: rarely<number | null>(time, null),
    until: rarely<number | null>(time, null),
    folders: fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constant(FOLDERS) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...FOLDERS), { minLength: 1 }) },
    ),
    labels: rarely<readonly number[]>(fc.uniqueArray(fc.integer({ min: 0, max: 1 }), { minLength: 1 }), []),
    assignedTo: rarely<readonly number[] | null>(fc.subarray([0, 1]), null),
    notAssignedTo: rarely<readonly number[]>(fc.subarray([0, 1], { minLength: 1 }), []),
    read: rarely<boolean | null>(fc.boolean(), null),
    limit: fc.integer({ min: 1, max: 4 }),
    changes: rarely<readonly RandomChange[]>(fc.array(change, { minLength: 1, maxLength: 3 }), []),
  })
  .filter(({ since, until }) => since === null || until === null || since < until)
  .filter(({ text }) => {
    const typed = text.map(({ text: term }) => term).join(' ')
    return Array.from(typed).length < 240 && typed.split(/\s+/u).length <= 30
  })

/** Keeps only the conditions on folders, labels and read state. */
const ofThreads = (search: RandomSearch): RandomSearch => ({
  ...search,
  ...{ text: [], from: [], to: [], cc: [], bcc: [], hasAttachment: null, since: null, until: null },
})

export const randomSearch: fc.Arbitrary<RandomSearch> = fc.oneof(
  { weight: 9, arbitrary: anySearch },
  { weight: 1, arbitrary: anySearch.map(ofThreads) },
)
/** A search whose words the entire crowd has, so only folders and senders decide the result. */
export const crowdSearch: fc.Arbitrary<RandomSearch> = fc
  .tuple(anySearch.map(ofThreads), fc.subarray(['archive', 'spam', 'trash'] as const))
  .map(([search, folders]) => ({
    ...search,
    text: [{ text: 'red', isPhrase: false, isExcluded: false }],
    folders: ['sent', ...folders],
    ...{ labels: [], assignedTo: null, read: null, changes: [] },
  }))
