/**
 * The identity of any list of threads: a folder, a label, a search, a saved search, "all that match". Two lists are the
 * same where their keys are (`threadQueryKey`).
 */
import { z } from 'zod'
import { FOLDERS, type Folder } from './model.ts'
import { markLabelId, MARKS, marksOf, NO_MARKS, SNOOZED, type Mark } from './thread-marks.ts'
import { isInSent, type ThreadState } from './thread-state.ts'

/** One word or quoted phrase of a search, as it was typed, without its quotes and its minus. */
export interface TextTerm {
  readonly text: string
  readonly isPhrase: boolean
  /** An e-mail with it does not match. */
  readonly isExcluded: boolean
  /**
   * It has to be in the subject. The platform cannot be asked for that: it is asked for the words anywhere, and what it finds is
   * checked on this computer.
   */
  readonly isInSubject?: true | undefined
}

export const DATE_UNITS = ['hour', 'day', 'week', 'month', 'year'] as const
export type DateUnit = (typeof DATE_UNITS)[number]

/**
 * One end of a range of time. Days and local times are the person's own; `ago` and `relative-day` move on with the
 * clock, so that a saved search for the last seven days stays one.
 */
export type DateBound =
  /** `2026-05-01`. */
  | { readonly kind: 'day'; readonly day: string }
  /** 0 is today, -1 yesterday, 1 tomorrow. */
  | { readonly kind: 'relative-day'; readonly offset: number }
  /** `2026-05-01T10:00:00`, without an offset. */
  | { readonly kind: 'local-time'; readonly time: string }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'ago'; readonly amount: number; readonly unit: DateUnit }

export const PEOPLE_FIELDS = ['from', 'to', 'cc', 'bcc'] as const
export type PeopleField = (typeof PEOPLE_FIELDS)[number]

/** What an e-mail that came in is by its headers and its sender (`engine/search-index/mail-kind.ts`). */
export const MAIL_KINDS = ['person', 'newsletter', 'robot'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** The kind of any e-mail: one that was sent from the inbox is of none of those that come in. */
export const EMAIL_KINDS = ['sent', ...MAIL_KINDS] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]

/** What one e-mail fulfils by itself (contract, Search threads, rule 4). `null` and an empty list mean no condition. */
export interface EmailFilter extends Readonly<Record<PeopleField, readonly string[]>> {
  /** Every term must hold in the same e-mail (contract, Search threads, rules 1 and 4). */
  readonly text: readonly TextTerm[]
  readonly hasAttachment: boolean | null
  /** Any of them, in the order of `EMAIL_KINDS`. The platform knows no kinds. */
  readonly kinds: readonly EmailKind[] | null
  /** Inclusive. */
  readonly since: DateBound | null
  /** Exclusive. */
  readonly until: DateBound | null
}

/** What threads of a list have in common. `null` and an empty list mean no condition, save for `folders`. */
export interface ThreadFilter extends EmailFilter {
  /** `null` is all mail (`scopeOf`). */
  readonly folders: readonly Folder[] | null
  /** Any of them. */
  readonly labelIds: readonly string[]
  /** One of these labels as well: those of the people who may have it. None of them fits where nobody is named; null asks nothing. */
  readonly assignedTo: readonly string[] | null
  /** None of these labels: those of the people who must not have it. The platform cannot be asked for that. */
  readonly notAssignedTo: readonly string[]
  readonly read: boolean | null
  /** Only those that the platform has dropped, and this computer keeps; `false` leaves these out. */
  readonly dropped: boolean | null
  /** All of them, and what only this computer knows of. Left out for none. */
  readonly marks?: readonly Mark[] | undefined
  /** None of them. Left out for no condition. */
  readonly withoutMarks?: readonly Mark[] | undefined
}

/** The last wanted word of a search; undefined if it is in quotes, which ask for the whole word. */
export const openWordOf = (text: readonly TextTerm[]): TextTerm | undefined => {
  const last = text.findLast(({ isExcluded }) => !isExcluded)
  return last?.isPhrase === true ? undefined : last
}

/** A filter as windows search it: typed, entered, saved or opened by a link, its open word is a prefix. */
export const withOpenWord = <Filter extends Pick<EmailFilter, 'text'>>(
  filter: Filter,
): Filter & Pick<ThreadQuery, 'lastWordIsPrefix'> => ({
  ...filter,
  ...(openWordOf(filter.text) !== undefined && { lastWordIsPrefix: true }),
})

export interface ThreadQuery extends ThreadFilter {
  /** One, today. */
  readonly inboxIds: readonly string[]
  /** On this computer the open word of `text` matches every word that begins with it. The platform matches whole words. */
  readonly lastWordIsPrefix?: boolean | undefined
}

/** Characters of the text of a search that crosses the contract. The platform names no length for a person's part. */
export const LONGEST_SEARCH = 100_000

const texts = (most: number): z.ZodType<readonly string[], readonly string[]> =>
  z.array(z.string().min(1).max(LONGEST_SEARCH)).max(most)
const dateBound: z.ZodType<DateBound, DateBound> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('day'), day: z.iso.date() }).strict(),
  z.object({ kind: z.literal('relative-day'), offset: z.int().min(-100_000).max(100_000) }).strict(),
  z.object({ kind: z.literal('local-time'), time: z.iso.datetime({ local: true }) }).strict(),
  z.object({ kind: z.literal('instant'), at: z.number().min(-8.64e15).max(8.64e15) }).strict(),
  z.object({ kind: z.literal('ago'), amount: z.int().min(1).max(10_000), unit: z.enum(DATE_UNITS) }).strict(),
])

/** What of a query is about e-mails, as it crosses the contract. */
export const emailConditions = {
  text: z
    .array(
      z
        .object({
          text: z.string().max(1_000),
          isPhrase: z.boolean(),
          isExcluded: z.boolean(),
          isInSubject: z.literal(true).optional(),
        })
        .strict(),
    )
    .max(200),
  from: texts(200),
  to: texts(200),
  cc: texts(200),
  bcc: texts(200),
  hasAttachment: z.boolean().nullable(),
  kinds: z.array(z.enum(EMAIL_KINDS)).min(1).max(EMAIL_KINDS.length).nullable(),
  since: dateBound.nullable(),
  until: dateBound.nullable(),
  lastWordIsPrefix: z.boolean().optional(),
} as const

const marks = z.array(z.enum(MARKS)).min(1).max(MARKS.length)

/**
 * A query as it crosses the contract. What the platform takes at most (`SEARCH_LIMITS`) is not checked here: a query
 * beyond it is an honest question, and is answered with what is wrong.
 */
export const threadQuerySchema: z.ZodType<ThreadQuery, ThreadQuery> = z
  .object({
    ...emailConditions,
    inboxIds: z.array(z.string().min(1).max(512)).length(1),
    folders: z.array(z.enum(FOLDERS)).min(1).max(FOLDERS.length).nullable(),
    labelIds: texts(200),
    assignedTo: texts(200).nullable(),
    notAssignedTo: texts(200),
    read: z.boolean().nullable(),
    dropped: z.boolean().nullable(),
    marks: marks.optional(),
    withoutMarks: marks.optional(),
  })
  .strict()

export const NO_FILTER: ThreadFilter = {
  text: [],
  from: [],
  to: [],
  cc: [],
  bcc: [],
  hasAttachment: null,
  kinds: null,
  since: null,
  until: null,
  folders: null,
  labelIds: [],
  assignedTo: null,
  notAssignedTo: [],
  read: null,
  dropped: null,
}

/** The list of a folder. */
export const folderQuery = (inboxId: string, folder: Folder): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  folders: [folder],
})

/** The list of a label: over all folders but spam and trash (contract, Search threads, `folders`). */
export const labelQuery = (inboxId: string, labelId: string): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  labelIds: [labelId],
})

/** The list of a mark: over all folders but spam and trash. */
export const markQuery = (inboxId: string, mark: Mark): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  marks: [mark],
})

/** The list of what only this computer has, over all folders but spam and trash. */
export const onlyHereQuery = (inboxId: string): ThreadQuery => ({ ...NO_FILTER, inboxIds: [inboxId], dropped: true })

/** A list that the cache keeps whole and in order, whatever its length. */
export type KeptThreadList = (
  | { readonly folder: Folder }
  | { readonly labelId: string }
  | { readonly isOnlyHere: true }
) & {
  /** Whether threads that the platform has dropped are left out. */
  readonly withoutDropped?: boolean
}

/** Whether a query has a condition on e-mails (contract, Search threads, rule 4) and not on threads alone. */
const hasEmailFilter = ({ text, hasAttachment, kinds, since, until, ...filter }: ThreadFilter): boolean =>
  text.length > 0 ||
  hasAttachment !== null ||
  kinds !== null ||
  since !== null ||
  until !== null ||
  PEOPLE_FIELDS.some((field) => filter[field].length > 0)

/**
 * Whether this computer alone can answer a query: the platform has no word for a condition of it. Asked without that
 * condition, the platform would lead through all of an inbox.
 */
export const isOfThisComputer = ({
  dropped,
  kinds,
  marks,
  assignedTo,
}: Pick<ThreadFilter, 'dropped' | 'kinds' | 'marks' | 'assignedTo'>): boolean =>
  dropped === true || kinds !== null || marks !== undefined || assignedTo?.length === 0

/** All mail: every folder but spam and trash. */
export const ALL_MAIL: readonly Folder[] = FOLDERS.filter((folder) => folder !== 'spam' && folder !== 'trash')

/**
 * The folders that a query looks in: all mail without a choice. The platform's own default is the inbox alone unless a label
 * is set (contract, Search threads, `folders`), so that it is always asked with folders.
 */
export const scopeOf = ({ folders }: Pick<ThreadFilter, 'folders'>): readonly Folder[] => folders ?? ALL_MAIL

/**
 * The folders in which this computer looks for threads. All mail includes snoozed threads, and folders that the platform
 * has added since this version: no other list shows those.
 * @param existing folders of threads on this computer
 */
export const seenFolders = (
  query: Pick<ThreadFilter, 'folders' | 'marks'>,
  existing: readonly string[],
): readonly string[] => {
  const folders: readonly string[] = scopeOf(query)
  const known: readonly string[] = FOLDERS
  if (ALL_MAIL.every((folder) => folders.includes(folder))) {
    return [...folders, SNOOZED, ...existing.filter((folder) => !known.includes(folder))]
  }
  return query.marks?.includes('snoozed') === true ? [...folders, SNOOZED] : folders
}

/** The kept list that a query is; null for a search. */
export const keptListOf = (query: ThreadQuery): KeptThreadList | null => {
  if (hasEmailFilter(query) || query.read !== null || query.withoutMarks !== undefined) return null
  const { folders, labelIds: chosen, assignedTo, notAssignedTo, dropped, marks = [] } = query
  if (notAssignedTo.length > 0 || assignedTo?.length === 0) return null
  // A list is of one label.
  const labelIds = [...chosen, ...marks.map(markLabelId), ...(assignedTo ?? [])]
  if ([chosen, marks, assignedTo ?? []].filter((some) => some.length > 0).length > 1) return null
  const [labelId] = labelIds
  if (dropped === true) return labelId === undefined && folders === null ? { isOnlyHere: true } : null
  const choice = dropped === false ? { withoutDropped: true } : {}
  if (labelId !== undefined) return labelIds.length === 1 && folders === null ? { labelId, ...choice } : null
  const [folder, second] = scopeOf(query)
  return folder !== undefined && second === undefined ? { folder, ...choice } : null
}

/**
 * Whether a thread in this state is where a query looks: in one of its folders, with one of its labels, read or not
 * (contract, Search threads, rules 2 and 3). A thread with a sent e-mail is in `sent` as well, wherever else it lies. Whether the
 * platform has it still is asked where the query speaks of it.
 */
export const isInScope = (
  query: Pick<
    ThreadFilter,
    'folders' | 'labelIds' | 'assignedTo' | 'notAssignedTo' | 'read' | 'dropped' | 'marks' | 'withoutMarks'
  >,
  {
    folder,
    read,
    labelIds,
    marks = NO_MARKS,
    hasOutbound,
    onServer,
  }: ThreadState & { readonly hasOutbound: boolean; readonly onServer: boolean },
): boolean => {
  const scope = seenFolders(query, [folder])
  const has = marksOf(marks)
  return (
    (query.marks ?? []).every((mark) => has.includes(mark)) &&
    !(query.withoutMarks ?? []).some((mark) => has.includes(mark)) &&
    (scope.includes(folder) || (scope.includes('sent') && isInSent(folder, hasOutbound))) &&
    (query.labelIds.length === 0 || query.labelIds.some((id) => labelIds.includes(id))) &&
    (query.assignedTo === null || query.assignedTo.some((id) => labelIds.includes(id))) &&
    !query.notAssignedTo.some((id) => labelIds.includes(id)) &&
    (query.read === null || query.read === read) &&
    (query.dropped === null || query.dropped !== onServer)
  )
}

const sortedUnique = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted()

/**
 * The same text for queries that list the same threads in the same order, whatever order their parts came in. What is
 * typed twice counts twice for the platform's limits, so it makes another query.
 */
export const threadQueryKey = (query: ThreadQuery): string =>
  JSON.stringify([
    sortedUnique(query.inboxIds),
    FOLDERS.filter((folder) => scopeOf(query).includes(folder)),
    sortedUnique(query.labelIds),
    ...(query.assignedTo === null ? [] : [{ assignedTo: sortedUnique(query.assignedTo) }]),
    ...(query.notAssignedTo.length === 0 ? [] : [{ notAssignedTo: sortedUnique(query.notAssignedTo) }]),
    query.read,
    ...(query.dropped === null ? [] : [query.dropped ? 'dropped' : 'not dropped']),
    ...(query.marks ?? []).toSorted(),
    ...(query.withoutMarks ?? []).toSorted().map((mark) => `not ${mark}`),
    query.hasAttachment,
    ...(query.kinds === null ? [] : [EMAIL_KINDS.filter((kind) => query.kinds?.includes(kind))]),
    query.since,
    query.until,
    ...PEOPLE_FIELDS.map((field) => query[field].map((value) => value.toLowerCase()).toSorted()),
    query.text
      .map(({ text, isPhrase, isExcluded, isInSubject }) => JSON.stringify([text, isPhrase, isExcluded, isInSubject]))
      .toSorted(),
    ...(query.lastWordIsPrefix === true ? [openWordOf(query.text)?.text ?? ''] : []),
  ])
