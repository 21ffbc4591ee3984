/**
 * The account's own e-mails don't belong to an inbox. The index stores each of them as a thread of one e-mail, in two
 * lists with their own places. Their keys are negative, unlike all other keys.
 */

export type AccountList = 'received' | 'sent'

/** Key used in place of an inbox key. */
export const listKey = (list: AccountList): number => (list === 'received' ? 1_021 : 1_022)

export const accountEmailKey = (list: AccountList, rowKey: number): number =>
  -2 * rowKey - (list === 'received' ? 0 : 1)

/** Decodes an e-mail key. Null for keys of threads and of inbox e-mails. */
export const decodeAccountEmailKey = (key: number): { readonly list: AccountList; readonly rowKey: number } | null => {
  if (key >= 0) return null
  const list = key % 2 === 0 ? 'received' : 'sent'
  return { list, rowKey: list === 'received' ? -key / 2 : (-key - 1) / 2 }
}
