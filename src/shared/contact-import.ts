/** Import of contacts from the user's CSV file: column mapping and preview. */

export const CONTACT_TABLE_LIMITS = { bytes: 32 * 1024 * 1024, lines: 200_000, columns: 200 } as const

/** `name` is a full name, to be split; `subscribed` is the opposite of `unsubscribed`. */
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
export type ColumnTarget = ColumnField | `${typeof PROPERTY}${string}`

/**
 * True if only one column may have this target. Several columns may hold the subscription: unsubscribed in any of them
 * counts as unsubscribed.
 */
export const isUniqueTarget = (target: ColumnTarget): boolean =>
  !['unsubscribed', 'subscribed', 'nothing'].includes(target)

export const toPropertyTarget = (key: string): ColumnTarget => `${PROPERTY}${key}`
export const propertyKeyOf = (target: ColumnTarget): string | null =>
  target.startsWith(PROPERTY) ? target.slice(PROPERTY.length) : null

export interface TableColumn {
  readonly heading: string
  /** Sample values from the first non-empty lines. */
  readonly samples: readonly string[]
  readonly target: ColumnTarget
}

export interface ContactTable {
  readonly tableId: string
  readonly columns: readonly TableColumn[]
  /** True if the first line was read as a heading. `otherColumns` are the columns for the opposite reading. */
  readonly hasHeading: boolean
  readonly otherColumns: readonly TableColumn[]
  /** Number of non-empty lines, without the heading. */
  readonly lines: number
}

/** A line that isn't imported, or only in part, with the reason. */
export interface ImportLineIssue {
  /** 1-based line number in the file. If the row spans several lines, the first one. */
  readonly line: number
  readonly why: string
  /** True if the rest of the line is imported. */
  readonly isPart?: true
}

export interface PlannedContact {
  readonly address: string
  readonly isNew: boolean
  /** Values before and after, by the field's display name. */
  readonly fields: readonly { readonly name: string; readonly before: string; readonly after: string }[]
}

/** Preview of an import. Every line is in at least one of the counts, or repeats an earlier address. */
export interface ImportPlan {
  readonly added: number
  readonly changed: number
  /** Contacts that already match the file. */
  readonly same: number
  /** Lines that repeat an address. They are merged into the earlier line, and the last value wins. */
  readonly repeated: number
  /** Unsubscribed contacts that the file would resubscribe, which the user must explicitly allow. */
  readonly leftUnsubscribed: number
  readonly bad: number
  readonly contacts: readonly PlannedContact[]
  readonly badLines: readonly ImportLineIssue[]
}
