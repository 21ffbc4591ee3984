import { MAX_WAIT_MS, listPossibleOrders, type ListOrder } from '../../../shared/list-order.ts'
import type { ThreadPage } from '../../../shared/model.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { ListPart } from '../../store/thread-lists.ts'

interface Window {
  readonly offset: number
  readonly limit: number
}

/** Reads a window of a list or of a part, newest first. */
type ReadWindow = (window: Window, part?: ListPart) => ThreadPage

/** Reads a list from its end, which takes no longer than from its top. */
const readBackwards = (read: (window: Window) => ThreadPage, { offset, limit }: Window): ThreadPage => {
  const { total } = read({ offset: 0, limit: 0 })
  const end = Math.max(0, total - offset)
  const start = Math.max(0, end - limit)
  const page = read({ offset: start, limit: end - start })
  return { ...page, offset, items: page.items.toReversed() }
}

/** Reads a window of a list in any order. Must run in one turn, so that no write can interfere. */
export const readInOrder = (
  { query, order, now }: { readonly query: ThreadQuery; readonly order: ListOrder | undefined; readonly now: number },
  window: Window,
  read: ReadWindow,
): ThreadPage => {
  if (order === undefined || order === 'newest' || !listPossibleOrders(query).includes(order)) return read(window)
  if (order === 'oldest') return readBackwards(read, window)
  const since = now - MAX_WAIT_MS
  const { offset, limit } = window
  const waiting = readBackwards((part) => read(part, { isWaiting: true, since }), window)
  const others = read(
    { offset: Math.max(0, offset - waiting.total), limit: limit - waiting.items.length },
    { isWaiting: false, since },
  )
  return { ...others, offset, total: waiting.total + others.total, items: [...waiting.items, ...others.items] }
}
