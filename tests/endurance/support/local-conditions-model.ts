/**
 * A mailbox with all local-only thread state, searches for that state as users type them, and their expected results: a
 * second, minimal implementation of the rules in docs/search.md, snoozing.md and assigning.md.
 */
import fc from 'fast-check'
import type { StoredMarks } from '../../../src/engine/store/pending-changes.ts'
import { FOLDERS, type Folder } from '../../../src/shared/model.ts'
import { matches } from './reference-match.ts'
import { randomEmail, randomSearch, type RandomEmail, type RandomPerson, type RandomSearch } from './random-mailbox.ts'

/** The third label is the same person as the second, and the last isn't a person. */
export const LABELS = [
  { id: 'label-billing', name: 'billing' },
  { id: 'label-mara', name: '@mara' },
  { id: 'label-mara-too', name: '@Mara' },
  { id: 'label-jo', name: '@jo' },
  { id: 'label-no-person', name: 'mara' },
] as const
const PEOPLE = { mara: [1, 2], jo: [3] } as const
type Name = keyof typeof PEOPLE
export const ME: readonly Name[] = ['jo']

const MARKS = ['starred', 'muted', 'snoozed', 'reminder', 'back'] as const
const KINDS = ['person', 'newsletter', 'robot'] as const
type Mark = (typeof MARKS)[number]
type Kind = (typeof KINDS)[number]

/**
 * Senders with a kind of their own, and two near misses. Everyone else counts as a person. Only `no-reply@red.example`
 * also occurs in `random-mailbox.ts`.
 */
const SENDERS: Readonly<Record<string, Kind>> = {
  'no-reply@red.example': 'robot',
  'orders-noreply@x.example': 'robot',
  'MAILER-DAEMON@y.example': 'robot',
  'Notifications+car@x.example': 'robot',
  'bounce-17@y.example': 'robot',
  'newsletter@x.example': 'newsletter',
  'Digest+red@y.example': 'newsletter',
  'newsroom@x.example': 'person',
  'reply@y.example': 'person',
}
/** Headers and the kind that they imply, or null if the sender decides. */
const HEADERS: readonly { readonly headers: Readonly<Record<string, string>>; readonly kind: Kind | null }[] = [
  { headers: {}, kind: null },
  { headers: { 'auto-submitted': 'no' }, kind: null },
  { headers: { 'List-Id': 'Red cars <red.cars.example>' }, kind: 'newsletter' },
  { headers: { 'list-unsubscribe': '<mailto:out@x.example>' }, kind: 'newsletter' },
  { headers: { Precedence: 'bulk' }, kind: 'newsletter' },
  { headers: { 'list-id': '<a.example>', 'auto-submitted': 'auto-generated' }, kind: 'newsletter' },
  { headers: { 'Auto-Submitted': 'auto-generated' }, kind: 'robot' },
  { headers: { precedence: 'junk' }, kind: 'robot' },
  { headers: { 'list-id': '<a.example>', 'auto-submitted': 'auto-replied' }, kind: 'robot' },
  { headers: { 'content-type': 'multipart/report; report-type=delivery-status' }, kind: 'robot' },
  { headers: { 'return-path': '<>', 'list-id': '<a.example>' }, kind: 'robot' },
]

export interface ModelEmail extends RandomEmail {
  readonly headers: number
  /** True if the headers are stored locally. The platform only sends them in the account's list of received e-mails. */
  readonly isTold: boolean
}
export interface ModelThread {
  readonly folder: Folder
  readonly read: boolean
  readonly labels: readonly number[]
  readonly marks: StoredMarks
  readonly emails: readonly ModelEmail[]
}

const sender: fc.Arbitrary<RandomPerson> = fc
  .constantFrom(...Object.keys(SENDERS))
  .map((address) => ({ name: 'Red car', address }))
export const modelEmail: fc.Arbitrary<ModelEmail> = fc
  .record({
    email: randomEmail,
    from: fc.option(sender),
    headers: fc.nat({ max: HEADERS.length - 1 }),
    isTold: fc.boolean(),
  })
  .map(({ email, from, headers, isTold }) => ({ ...email, from: from ?? email.from, html: null, headers, isTold }))

const sometimes = <Value>(value: Value): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant(value) })
export const modelMarks: fc.Arbitrary<StoredMarks> = fc.record({
  isStarred: fc.boolean(),
  isMuted: fc.boolean(),
  snoozedUntil: sometimes(Date.UTC(2100, 0, 1)),
  remindAt: sometimes(Date.UTC(2100, 0, 2)),
  back: sometimes({ at: Date.UTC(2027, 0, 1), why: 'snoozed' as const }),
  isReturnSeen: fc.boolean(),
})
export const modelLabels = fc.subarray(LABELS.map((_, at) => at))
export const modelFolder = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Folder>('inbox') },
  { weight: 2, arbitrary: fc.constantFrom(...FOLDERS) },
)
export const modelThread: fc.Arbitrary<ModelThread> = fc.record({
  folder: modelFolder,
  read: fc.boolean(),
  labels: modelLabels,
  marks: modelMarks,
  emails: fc.array(modelEmail, { minLength: 1, maxLength: 4 }),
})

/** Null means assigned to nobody. */
const NAMED: readonly { readonly typed: string; readonly names: readonly Name[] | null }[] = [
  { typed: 'mara', names: ['mara'] },
  { typed: '@MARA', names: ['mara'] },
  { typed: 'jo', names: ['jo'] },
  { typed: 'me', names: ME },
  { typed: '(mara, me)', names: ['mara', 'jo'] },
  { typed: 'nobody', names: null },
]

export type Condition = { readonly typed: string; readonly isExcluded: boolean } & (
  | { readonly mark: Mark }
  | { readonly kind: Kind }
  | { readonly names: readonly Name[] | null }
)
const excluded = fc.boolean()
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .record({ mark: fc.constantFrom(...MARKS), isExcluded: excluded })
    .map((each) => ({ ...each, typed: `is:${each.mark}` })),
  fc
    .record({ kind: fc.constantFrom(...KINDS), isExcluded: excluded })
    .map((each) => ({ ...each, typed: `is:${each.kind}` })),
  fc
    .record({ named: fc.constantFrom(...NAMED), isExcluded: excluded })
    .map(({ named: { typed, names }, isExcluded }) => ({ typed: `assigned:${typed}`, names, isExcluded })),
  fc.constant({ mark: 'snoozed' as const, typed: 'in:snoozed', isExcluded: false }),
)

export interface ModelSearch extends RandomSearch {
  readonly conditions: readonly Condition[]
}
const NO_WORDS = { text: [], from: [], to: [], cc: [], bcc: [], hasAttachment: null, since: null, until: null } as const
/** How the conditions are combined: with everything, only with thread conditions, or within a list. */
const BESIDE = ['all', 'threads', 'list'] as const
export const modelSearch: fc.Arbitrary<ModelSearch> = fc
  .record({
    search: randomSearch,
    beside: fc.constantFrom(...BESIDE),
    conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
  })
  .map(({ search, beside, conditions }) => ({
    ...search,
    ...(beside === 'all' ? {} : NO_WORDS),
    ...(beside === 'list' && { labels: [], read: null, folders: search.folders?.slice(0, 1) ?? null }),
    conditions,
  }))

export const typedConditions = ({ conditions }: ModelSearch): string =>
  conditions.map(({ typed, isExcluded }) => `${isExcluded ? '-' : ''}${typed}`).join(' ')

const hasMark = ({ marks }: ModelThread, mark: Mark): boolean =>
  ({
    starred: marks.isStarred,
    muted: marks.isMuted,
    snoozed: marks.snoozedUntil !== null,
    reminder: marks.remindAt !== null,
    back: marks.back !== null,
  })[mark]

const kindOf = ({ sent, from, headers, isTold }: ModelEmail): Kind | null => {
  if (sent) return null
  return (isTold ? HEADERS[headers]?.kind : null) ?? SENDERS[from?.address ?? ''] ?? 'person'
}

export const headersOf = ({ headers }: ModelEmail): Readonly<Record<string, string>> => HEADERS[headers]?.headers ?? {}

const hasSomeOf = ({ labels }: ModelThread, names: readonly Name[]): boolean =>
  names.some((name) => PEOPLE[name].some((label) => labels.includes(label)))
const EVERYBODY: readonly Name[] = ['mara', 'jo']

/** Several `assigned:` conditions narrow each other to the people they have in common. */
const fitsPeople = (thread: ModelThread, conditions: readonly Condition[]): boolean => {
  let wanted: readonly Name[] | null = null
  for (const each of conditions) {
    if (!('names' in each)) continue
    const isWanted = each.isExcluded === (each.names === null)
    const names = each.names ?? EVERYBODY
    if (!isWanted && hasSomeOf(thread, names)) return false
    if (isWanted) wanted = (wanted ?? EVERYBODY).filter((name) => names.includes(name))
  }
  return wanted === null || hasSomeOf(thread, wanted)
}

const isSpamOrTrash = (folder: string): boolean => folder === 'spam' || folder === 'trash'

const seen = ({ folder, read, marks }: ModelThread): { readonly folder: string; readonly read: boolean } => {
  if (isSpamOrTrash(folder)) return { folder, read }
  if (marks.snoozedUntil !== null) return { folder: 'snoozed', read }
  return marks.back === null ? { folder, read } : { folder: 'inbox', read: read && marks.isReturnSeen }
}

/** True if the search has conditions on e-mails, not only on threads. */
export const asksEmails = (search: ModelSearch): boolean =>
  search.text.length + search.from.length + search.to.length + search.cc.length + search.bcc.length > 0 ||
  search.hasAttachment !== null ||
  search.since !== null ||
  search.until !== null ||
  search.conditions.some((each) => 'kind' in each)

const instant = (at: number | null) => (at === null ? null : ({ kind: 'instant', at } as const))

export interface Found {
  readonly thread: ModelThread
  /** The thread's matching e-mails, newest first. */
  readonly emails: readonly ModelEmail[]
  /** Folders whose search results contain the thread. */
  readonly folders: readonly Folder[]
}

/** Expected results, unordered. The times of the e-mails tell them apart. */
export const expectedOf = (threads: readonly ModelThread[], search: ModelSearch): readonly Found[] => {
  const { conditions, labels, read, since, until } = search
  const scope: readonly string[] = search.folders ?? ['inbox', 'archive', 'sent']
  const isAllMail = ['inbox', 'archive', 'sent'].every((folder) => scope.includes(folder))
  const asksSnoozed = conditions.some((each) => 'mark' in each && each.mark === 'snoozed' && !each.isExcluded)
  return threads.flatMap((thread) => {
    const { folder, read: isRead } = seen(thread)
    const isHere = (sent: boolean, place: string): boolean =>
      place === 'sent' ? sent && !isSpamOrTrash(folder) : place === folder
    const places = isAllMail || asksSnoozed ? [...scope, 'snoozed'] : scope
    const fits =
      conditions.every((each) => !('mark' in each) || hasMark(thread, each.mark) !== each.isExcluded) &&
      fitsPeople(thread, conditions) &&
      (labels.length === 0 || labels.some((label) => thread.labels.includes(label))) &&
      (read === null || read === isRead)
    const emails = thread.emails
      .filter(
        (email) =>
          conditions.every((each) => !('kind' in each) || (kindOf(email) === each.kind) !== each.isExcluded) &&
          matches(
            'received',
            { email, isWhole: true },
            {
              ...search,
              kinds: null,
              ...{ since: instant(since), until: instant(until), lastWordIsPrefix: false },
            },
          ),
      )
      .toSorted((one, other) => other.time - one.time)
    const [here, anywhere] = [places, [...FOLDERS, 'snoozed']].map((all) =>
      emails.filter(({ sent }) => all.some((place) => isHere(sent, place))),
    )
    if (!fits || here === undefined || anywhere === undefined || anywhere.length === 0) return []
    return [
      { thread, emails: here, folders: FOLDERS.filter((place) => emails.some(({ sent }) => isHere(sent, place))) },
    ]
  })
}
