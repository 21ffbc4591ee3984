import type { Label } from '../../../shared/model.ts'
import { parseSearch, type Placed, type SearchFault } from '../../../shared/search/parse-search.ts'
import { folderQuery, labelQuery, onlyHereQuery, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { ThreadListRoute } from '../../kernel/route.ts'

/** What the list of an address is: its query, or what is wrong with the search that it names. */
export type ReadRoute = { readonly query: ThreadQuery } | { readonly fault: Placed<SearchFault>; readonly text: string }

/**
 * What is wrong first with a typed search, or what it asks for.
 * @param labels those of the inbox, which it may name
 * @param isTyped it is not typed to its end: its last word stands for all that begin with it
 */
export const readSearch = (inboxId: string, text: string, labels: readonly Label[], isTyped = false): ReadRoute => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { filter, faults, endsInOpenWord } = parseSearch(text, { labels, now: Date.now(), timeZone })
  const [fault] = faults
  if (fault !== undefined) return { fault, text }
  const lastWordIsPrefix = isTyped && endsInOpenWord
  return { query: { ...filter, inboxIds: [inboxId], ...(lastWordIsPrefix ? { lastWordIsPrefix } : {}) } }
}

/**
 * The list of an address.
 * @param how `isTyped`: a search that is not typed to its end; `leavesOutDropped`: folders and labels leave out what the
 *   platform has dropped
 */
export const readRoute = (
  route: ThreadListRoute,
  labels: readonly Label[],
  { isTyped, leavesOutDropped }: { readonly isTyped: boolean; readonly leavesOutDropped: boolean },
): ReadRoute => {
  const dropped = leavesOutDropped ? false : null
  switch (route.view) {
    case 'folder':
      return { query: { ...folderQuery(route.inboxId, route.folder), dropped } }
    case 'label':
      return { query: { ...labelQuery(route.inboxId, route.labelId), dropped } }
    case 'onlyHere':
      return { query: onlyHereQuery(route.inboxId) }
    case 'search':
      return readSearch(route.inboxId, route.query, labels, isTyped)
  }
}
