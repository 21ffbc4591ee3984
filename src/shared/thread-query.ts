/**
 * The identity of any list of threads: a folder, a label, a search, a saved search, "all that match". Two lists are the
 * same where their keys are (`threadQueryKey`).
 */
import { FOLDERS, type Folder } from './model.ts'

/** One word or quoted phrase of a search, as it was typed, without its quotes and its minus. */
export interface TextTerm {
  readonly text: string
  readonly isPhrase: boolean
  /** An e-mail with it does not match. */
  readonly isExcluded: boolean
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

/** What threads of a list have in common. `null` and an empty list mean no condition, save for `folders`. */
export interface ThreadFilter extends Readonly<Record<PeopleField, readonly string[]>> {
  /** Every term must hold in the same e-mail (contract, Search threads, rules 1 and 4). */
  readonly text: readonly TextTerm[]
  readonly hasAttachment: boolean | null
  /** Inclusive. */
  readonly since: DateBound | null
  /** Exclusive. */
  readonly until: DateBound | null
  /** `null` is the contract's own scope: `scopeOf` says which folders that is. */
  readonly folders: readonly Folder[] | null
  /** Any of them. */
  readonly labelIds: readonly string[]
  readonly read: boolean | null
}

export interface ThreadQuery extends ThreadFilter {
  readonly inboxIds: readonly string[]
}

export const NO_FILTER: ThreadFilter = {
  text: [],
  from: [],
  to: [],
  cc: [],
  bcc: [],
  hasAttachment: null,
  since: null,
  until: null,
  folders: null,
  labelIds: [],
  read: null,
}

/**
 * The folders that a query looks in. Without a choice: the inbox, or inbox, archive and sent where a label is set
 * (contract, Search threads, `folders`).
 */
const scopeOf = ({ folders, labelIds }: Pick<ThreadFilter, 'folders' | 'labelIds'>): readonly Folder[] =>
  folders ?? (labelIds.length > 0 ? ['inbox', 'archive', 'sent'] : ['inbox'])

const sortedUnique = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted()

/** The same text for queries that list the same threads in the same order, whatever order their parts came in. */
export const threadQueryKey = (query: ThreadQuery): string =>
  JSON.stringify([
    sortedUnique(query.inboxIds),
    FOLDERS.filter((folder) => scopeOf(query).includes(folder)),
    sortedUnique(query.labelIds),
    query.read,
    query.hasAttachment,
    query.since,
    query.until,
    ...PEOPLE_FIELDS.map((field) => sortedUnique(query[field].map((value) => value.toLowerCase()))),
    sortedUnique(query.text.map(({ text, isPhrase, isExcluded }) => JSON.stringify([text, isPhrase, isExcluded]))),
  ])
