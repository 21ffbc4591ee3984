/** What a search can be narrowed to where it was begun. It looks everywhere until a person puts that on. */
import type { Label } from '../../../shared/model.ts'
import { labelName, quoteValue } from '../../../shared/search/format-search.ts'
import type { Route } from '../../kernel/route.ts'

/** `in:archive` in a folder, `label:urgent` in a label; null anywhere else. */
export const narrowingAt = (route: Route, labels: readonly Label[]): string | null => {
  if (route.view === 'folder') return [`in:${route.folder}`, ...(route.tab === undefined ? [] : [route.tab])].join(' ')
  if (route.view !== 'label') return null
  return labels.some(({ id }) => id === route.labelId) ? `label:${quoteValue(labelName(route.labelId, labels))}` : null
}
