/** Contacts from a table (CSV) of a person's own: which column is what, and what an import would change. */

/** The most bytes of a table, and its most lines. */
export const TABLE_LIMITS = { bytes: 32 * 1024 * 1024, lines: 200_000, columns: 200 } as const

/**
 * What a column can be, besides a property. `name` is a whole name, split into first and last. `subscribed` says the
 * opposite of `unsubscribed`.
 */
export const COLUMN_FIELDS = [
  'email',
  'firstName',
  'lastName',
  'name',
  'unsubscribed',
  'subscribed',
  'nothing',
] as const
type ColumnField = (typeof COLUMN_FIELDS)[number]

const PROPERTY = 'property:'
/** What a column is taken for: a field of contacts, or a property by its key. */
export type ColumnTarget = ColumnField | `${typeof PROPERTY}${string}`

/** False for what several columns can be: who unsubscribed in any of them is unsubscribed. */
export const isOnce = (target: ColumnTarget): boolean => !['unsubscribed', 'subscribed', 'nothing'].includes(target)

export const propertyTarget = (key: string): ColumnTarget => `${PROPERTY}${key}`
/** The key of the property that a column is; null where it is none. */
export const propertyOf = (target: ColumnTarget): string | null =>
  target.startsWith(PROPERTY) ? target.slice(PROPERTY.length) : null

export interface TableColumn {
  readonly heading: string
  /** From the first lines, without those that are empty. */
  readonly samples: readonly string[]
  readonly target: ColumnTarget
}

export interface ContactTable {
  readonly tableId: string
  readonly columns: readonly TableColumn[]
  /** True if the first line was taken for a heading; `otherColumns` are the columns if it is not. */
  readonly hasHeading: boolean
  readonly otherColumns: readonly TableColumn[]
  /** How many lines have something in them, the heading left out. */
  readonly lines: number
}

/** A line that is not imported, or not whole, and why. */
export interface BadLine {
  /** Of the file, counted from 1; where it spans several, the first. */
  readonly line: number
  readonly why: string
  /** True if the rest of it is imported. */
  readonly isPart?: true
}

/** What an import makes of somebody: null before where they are new. */
export interface PlannedContact {
  readonly address: string
  readonly isNew: boolean
  /** What is there before and after, by what a person calls it. */
  readonly fields: readonly { readonly name: string; readonly before: string; readonly after: string }[]
}

/** Preview of an import. Every line is in at least one of the counts, or repeats an earlier address. */
export interface ImportPlan {
  readonly added: number
  readonly changed: number
  /** Those who are as the table has them already. */
  readonly same: number
  /** Lines with an address that an earlier line has: they add to that, the last word counts. */
  readonly repeated: number
  /** People who unsubscribed and would be subscribed again, which they are only where that is wanted. */
  readonly leftUnsubscribed: number
  readonly bad: number
  /** The first of each. */
  readonly contacts: readonly PlannedContact[]
  readonly badLines: readonly BadLine[]
}
