/**
 * Any list of threads: a folder, a label, a search, or "all that match". Two queries are equal if their
 * `threadQueryKey` is equal.
 */
import type { Thread } from './model.ts'
import { z } from 'zod'
import { FOLDERS, type Folder } from './model.ts'
import {
  isMarkLabel,
  toAssignmentLabelId,
  toMarkLabelId,
  THREAD_MARKS,
  listThreadMarks,
  NO_THREAD_MARKS,
  SNOOZED_FOLDER,
  type ThreadMark,
} from './thread-marks.ts'
import { isInSent, type ThreadState } from './thread-state.ts'

/** A word or quoted phrase of a search as typed, but without quotes and minus. */
export interface TextTerm {
  readonly text: string
  readonly isPhrase: boolean
  readonly isExcluded: boolean
  /**
   * True if the term must be in the subject. The platform searches for the words anywhere, and its results are checked
   * locally.
   */
  readonly isInSubject?: true | undefined
}

export const DATE_UNITS = ['hour', 'day', 'week', 'month', 'year'] as const
export type DateUnit = (typeof DATE_UNITS)[number]

/**
 * A bound of a date range. Days and local times are in the user's time zone; `ago` and `relative-day` are relative to
 * the current time, also in saved searches.
 */
export type DateBound =
  /** For example `2026-05-01`. */
  | { readonly kind: 'day'; readonly day: string }
  /** 0 is today, -1 yesterday, 1 tomorrow. */
  | { readonly kind: 'relative-day'; readonly offset: number }
  /** For example `2026-05-01T10:00:00`, without an offset. */
  | { readonly kind: 'local-time'; readonly time: string }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'ago'; readonly amount: number; readonly unit: DateUnit }

export const PEOPLE_FIELDS = ['from', 'to', 'cc', 'bcc'] as const
export type PeopleField = (typeof PEOPLE_FIELDS)[number]

/** Kinds of received e-mails, derived from their headers and sender (`engine/store/search-index/mail-kind.ts`). */
export const RECEIVED_EMAIL_KINDS = ['person', 'newsletter', 'robot'] as const
export type MailKind = (typeof RECEIVED_EMAIL_KINDS)[number]

/** Kinds of any e-mail: `sent` for one sent from the inbox, otherwise one of `RECEIVED_EMAIL_KINDS`. */
export const EMAIL_KINDS = ['sent', ...RECEIVED_EMAIL_KINDS] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]

/** Conditions on a single e-mail (platform.md 9.4). `null` or an empty list means no condition. */
export interface EmailFilter extends Readonly<Record<PeopleField, readonly string[]>> {
  /** All terms must match the same e-mail (platform.md 9.1 and 9.4). */
  readonly text: readonly TextTerm[]
  readonly hasAttachment: boolean | null
  /** Matches any of these kinds, in the order of `EMAIL_KINDS`. The platform doesn't know kinds. */
  readonly kinds: readonly EmailKind[] | null
  /** Start of the date range, inclusive. */
  readonly since: DateBound | null
  /** End of the date range, exclusive. */
  readonly until: DateBound | null
}

/** Conditions on threads. `null` or an empty list means no condition, except for `folders`. */
export interface ThreadFilter extends EmailFilter {
  /** `null` means all mail (see `resolveQueryFolders`). */
  readonly folders: readonly Folder[] | null
  /** Matches threads with any of these labels. */
  readonly labelIds: readonly string[]
  /** Additionally requires one of these assignee labels. An empty list matches nothing; null means no condition. */
  readonly assignedTo: readonly string[] | null
  /** Excludes threads with any of these assignee labels. The platform can't search for that. */
  readonly notAssignedTo: readonly string[]
  readonly read: boolean | null
  /** True to match only threads that the platform has dropped and that exist locally; false to exclude them. */
  readonly dropped: boolean | null
  /** Matches threads with all of these marks. The platform doesn't know marks; omitted for no condition. */
  readonly marks?: readonly ThreadMark[] | undefined
  /** Excludes threads with any of these marks. Omitted for no condition. */
  readonly withoutMarks?: readonly ThreadMark[] | undefined
}

/** The last term of a search that isn't excluded; undefined if it is quoted, because quotes require the entire word. */
export const findPrefixTerm = (text: readonly TextTerm[]): TextTerm | undefined => {
  const last = text.findLast(({ isExcluded }) => !isExcluded)
  return last?.isPhrase === true ? undefined : last
}

/** Makes the last word a prefix, as in all searches in a window: typed, submitted, saved or from a link. */
export const withPrefixTerm = <Filter extends Pick<EmailFilter, 'text'>>(
  filter: Filter,
): Filter & Pick<ThreadQuery, 'lastWordIsPrefix'> => ({
  ...filter,
  ...(findPrefixTerm(filter.text) !== undefined && { lastWordIsPrefix: true }),
})

export interface ThreadQuery extends ThreadFilter {
  /** An account's own handlers get exactly one ID. Only calls for `ALL_INBOXES` have several, or all at once. */
  readonly inboxIds: readonly string[]
  /**
   * True if local searches match every word that starts with the last word of `text`. The platform always matches
   * entire words.
   */
  readonly lastWordIsPrefix?: boolean | undefined
}

const MAX_QUERY_INBOXES = 500

/** Maximum characters of a search in the contract. The platform has no limit for parts of a name. */
export const MAX_SEARCH_LENGTH = 100_000

const texts = (most: number): z.ZodType<readonly string[], readonly string[]> =>
  z.array(z.string().min(1).max(MAX_SEARCH_LENGTH)).max(most)
const dateBound: z.ZodType<DateBound, DateBound> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('day'), day: z.iso.date() }).strict(),
  z.object({ kind: z.literal('relative-day'), offset: z.int().min(-100_000).max(100_000) }).strict(),
  z.object({ kind: z.literal('local-time'), time: z.iso.datetime({ local: true }) }).strict(),
  z.object({ kind: z.literal('instant'), at: z.number().min(-8.64e15).max(8.64e15) }).strict(),
  z.object({ kind: z.literal('ago'), amount: z.int().min(1).max(10_000), unit: z.enum(DATE_UNITS) }).strict(),
])

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

const marks = z.array(z.enum(THREAD_MARKS)).min(1).max(THREAD_MARKS.length)

/** Schema of a query. Allows more than `SEARCH_LIMITS`: such a query is valid, and its response explains the fault. */
export const threadQuerySchema: z.ZodType<ThreadQuery, ThreadQuery> = z
  .object({
    ...emailConditions,
    inboxIds: z.array(z.string().min(1).max(2_000)).min(1).max(MAX_QUERY_INBOXES),
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

export const createFolderQuery = (inboxId: string, folder: Folder): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  folders: [folder],
})

/** Query for threads with a label, in all folders except spam and trash (platform.md 9.12). */
export const createLabelQuery = (inboxId: string, labelId: string): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  labelIds: [labelId],
})

/** Query for threads with a mark, in all folders except spam and trash. */
export const createMarkQuery = (inboxId: string, mark: ThreadMark): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  marks: [mark],
})

/** Query for local-only threads in all folders except spam and trash. */
export const createLocalOnlyQuery = (inboxId: string): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: [inboxId],
  dropped: true,
})

/** A list that the cache stores completely and in order, regardless of its length. */
export type CachedThreadList = (
  | { readonly folder: Folder }
  | { readonly labelId: string }
  | { readonly isLocalOnly: true }
) & {
  readonly withoutDropped?: boolean
}

/** True if a query has conditions on e-mails (platform.md 9.4) and not only on threads. */
const hasEmailFilter = ({ text, hasAttachment, kinds, since, until, ...filter }: ThreadFilter): boolean =>
  text.length > 0 ||
  hasAttachment !== null ||
  kinds !== null ||
  since !== null ||
  until !== null ||
  PEOPLE_FIELDS.some((field) => filter[field].length > 0)

/**
 * True if only Linnet can run a query, because the platform doesn't support one of its conditions. Without that
 * condition, the platform would return the entire inbox.
 */
export const isLocalOnlyQuery = ({
  dropped,
  kinds,
  marks,
  assignedTo,
}: Pick<ThreadFilter, 'dropped' | 'kinds' | 'marks' | 'assignedTo'>): boolean =>
  dropped === true ||
  kinds !== null ||
  marks !== undefined ||
  assignedTo?.length === 0 ||
  assignedTo?.some(isMarkLabel) === true

export const ALL_MAIL_FOLDERS: readonly Folder[] = FOLDERS.filter((folder) => folder !== 'spam' && folder !== 'trash')

/**
 * A query's folders; all mail by default. The platform defaults to the inbox unless a label is set (platform.md 9.12),
 * so requests always name folders.
 */
export const resolveQueryFolders = ({ folders }: Pick<ThreadFilter, 'folders'>): readonly Folder[] =>
  folders ?? ALL_MAIL_FOLDERS

/**
 * Folders whose threads a query can match. All mail includes snoozed threads, and folders that the platform added
 * later, which no other list shows.
 * @param existing folders of local threads
 */
export const listMatchableFolders = (
  query: Pick<ThreadFilter, 'folders' | 'marks'>,
  existing: readonly string[],
): readonly string[] => {
  const folders: readonly string[] = resolveQueryFolders(query)
  const known: readonly string[] = FOLDERS
  if (ALL_MAIL_FOLDERS.every((folder) => folders.includes(folder))) {
    return [...folders, SNOOZED_FOLDER, ...existing.filter((folder) => !known.includes(folder))]
  }
  return query.marks?.includes('snoozed') === true ? [...folders, SNOOZED_FOLDER] : folders
}

/** The cached list that matches a query; null if the query is a search. */
export const toCachedList = (query: ThreadQuery): CachedThreadList | null => {
  if (hasEmailFilter(query) || query.read !== null || query.withoutMarks !== undefined) return null
  const { folders, labelIds: chosen, assignedTo, notAssignedTo, dropped, marks = [] } = query
  if (notAssignedTo.length > 0 || assignedTo?.length === 0) return null
  // A cached list has only one label.
  const labelIds = [...chosen, ...marks.map(toMarkLabelId), ...(assignedTo ?? [])]
  if ([chosen, marks, assignedTo ?? []].filter((some) => some.length > 0).length > 1) return null
  const [labelId] = labelIds
  if (dropped === true) return labelId === undefined && folders === null ? { isLocalOnly: true } : null
  const choice = dropped === false ? { withoutDropped: true } : {}
  if (labelId !== undefined) return labelIds.length === 1 && folders === null ? { labelId, ...choice } : null
  const [folder, second] = resolveQueryFolders(query)
  return folder !== undefined && second === undefined ? { folder, ...choice } : null
}

/**
 * True if the query covers a thread in this state (platform.md 9.2 and 9.3). A thread with a sent e-mail is also in
 * `sent`; local-only threads count unless the query excludes them.
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
    marks = NO_THREAD_MARKS,
    dashboardAssignee,
    hasOutbound,
    onServer,
  }: ThreadState & Pick<Thread, 'hasOutbound' | 'onServer' | 'dashboardAssignee'>,
): boolean => {
  const scope = listMatchableFolders(query, [folder])
  const has = listThreadMarks(marks)
  const isAssigned = (id: string): boolean =>
    labelIds.includes(id) || (dashboardAssignee !== undefined && id === toAssignmentLabelId(dashboardAssignee))
  return (
    (query.marks ?? []).every((mark) => has.includes(mark)) &&
    !(query.withoutMarks ?? []).some((mark) => has.includes(mark)) &&
    (scope.includes(folder) || (scope.includes('sent') && isInSent(folder, hasOutbound))) &&
    (query.labelIds.length === 0 || query.labelIds.some((id) => labelIds.includes(id))) &&
    (query.assignedTo === null || query.assignedTo.some(isAssigned)) &&
    !query.notAssignedTo.some(isAssigned) &&
    (query.read === null || query.read === read) &&
    (query.dropped === null || query.dropped !== onServer)
  )
}

const sortedUnique = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted()

/**
 * A key that is equal for queries that list the same threads in the same order, regardless of the order of their parts.
 * Repeated words count twice for the platform's limits, so they make a different query.
 */
export const threadQueryKey = (query: ThreadQuery): string =>
  JSON.stringify([
    sortedUnique(query.inboxIds),
    FOLDERS.filter((folder) => resolveQueryFolders(query).includes(folder)),
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
    ...(query.lastWordIsPrefix === true ? [findPrefixTerm(query.text)?.text ?? ''] : []),
  ])
