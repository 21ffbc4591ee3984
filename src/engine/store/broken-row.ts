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

/** Parses a stored list of IDs; null if damaged. */
export const parseStoredIds = (text: string): readonly string[] | null => {
  if (text === '[]') return []
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null
  } catch {
    return null
  }
}
