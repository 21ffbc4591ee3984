import { toCachedList, type ThreadQuery } from './thread-query.ts'

/** `waiting`: threads that wait for an answer, longest first; then the others, newest first. */
export const LIST_ORDERS = ['newest', 'oldest', 'waiting'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

/** A thread whose last message is older doesn't wait any more: nobody expects an answer. */
export const MAX_WAIT_MS = 30 * 24 * 60 * 60 * 1_000

/** Orders of a query's list. Searches, which load from the top, have only one. */
export const listPossibleOrders = (query: ThreadQuery): readonly ListOrder[] => {
  const list = toCachedList(query)
  if (list === null) return ['newest']
  const canWait = 'labelId' in list || ('folder' in list && list.folder === 'inbox')
  return LIST_ORDERS.filter((order) => order !== 'waiting' || canWait)
}
