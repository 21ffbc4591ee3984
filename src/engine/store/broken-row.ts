/**
 * A row with a damaged payload. It is fetched again. If that fails, the row is kept only if its other columns are
 * enough. Inboxes and labels aren't reported, because they are polled often.
 */
export type BrokenRow =
  | { readonly kind: 'thread' | 'emails'; readonly inboxId: string; readonly threadId: string }
  | { readonly kind: 'received' | 'sent e-mails'; readonly id: string }
  | { readonly kind: 'contacts' }

/** Called when a damaged row is read, possibly more than once. */
export type OnBrokenRow = (row: BrokenRow) => void
