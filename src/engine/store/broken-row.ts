/** The account's own lists, by the names of their walks. */
export type AccountListOfRow = 'received' | 'sent e-mails' | 'contacts'

/**
 * A row whose text was damaged. It is read as far as its other columns tell, dropped where they tell nothing, and fetched
 * again.
 */
export type BrokenRow =
  | { readonly kind: 'thread' | 'emails'; readonly inboxId: string; readonly threadId: string }
  | { readonly kind: 'labels'; readonly inboxKey: number }
  | { readonly kind: AccountListOfRow; readonly id: string }
  | { readonly kind: 'inboxes' }

/** Is told of a row that was found broken, perhaps more than once, while it is being read. */
export type OnBroken = (row: BrokenRow) => void

/** A list of IDs that was kept; null where it was damaged. */
export const readKeptIds = (text: string): readonly string[] | null => {
  if (text === '[]') return []
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null
  } catch {
    return null
  }
}
