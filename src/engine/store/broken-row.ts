/** Account-wide lists, named as in `listProgress`. */
export type AccountListOfRow = 'received' | 'sent e-mails' | 'contacts'

/**
 * A row with a damaged payload. It is fetched again. If that fails, the row is kept only if its other columns are
 * enough.
 */
export type BrokenRow =
  | { readonly kind: 'thread' | 'emails'; readonly inboxId: string; readonly threadId: string }
  | { readonly kind: 'labels'; readonly inboxKey: number }
  | { readonly kind: AccountListOfRow; readonly id: string }
  | { readonly kind: 'inboxes' }

/** Called when a damaged row is read, possibly more than once. */
export type OnBrokenRow = (row: BrokenRow) => void
