/**
 * The account's own e-mails, which belong to no inbox, are kept in the index as threads of one e-mail each, in two lists
 * with places of their own. Their keys are below zero, where no thread's and no inbox e-mail's key is.
 */

/** An account's own list of e-mails. */
export type AccountList = 'received' | 'sent'

/** In the place of an inbox's key. */
export const listKey = (list: AccountList): number => (list === 'received' ? 1_021 : 1_022)

/** @param rowKey of the e-mail in its table */
export const accountEmailKey = (list: AccountList, rowKey: number): number =>
  -2 * rowKey - (list === 'received' ? 0 : 1)

/** The list and the row of a key; null for the key of a thread or of an inbox's e-mail. */
export const readAccountEmailKey = (key: number): { readonly list: AccountList; readonly rowKey: number } | null => {
  if (key >= 0) return null
  const list = key % 2 === 0 ? 'received' : 'sent'
  return { list, rowKey: list === 'received' ? -key / 2 : (-key - 1) / 2 }
}
