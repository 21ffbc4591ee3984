/** Search terms for the list where a search starts. The search covers everything until the user adds them. */
import type { Label } from '../../../shared/model.ts'
import { parseAssigneeName } from '../../../shared/assignees.ts'
import { quoteAssignee } from '../../../shared/search/assigned-operator.ts'
import { formatLabelName, quoteValue } from '../../../shared/search/format-search.ts'
import type { Route } from '../../kernel/route.ts'

/** `in:archive` in a folder, `label:urgent` in a label, `assigned:mara` in an assignee's list, otherwise null. */
export const toRouteSearchTerm = (route: Route, labels: readonly Label[]): string | null => {
  if (route.view === 'folder') return [`in:${route.folder}`, ...(route.tab === undefined ? [] : [route.tab])].join(' ')
  if (route.view !== 'label') return null
  const label = labels.find(({ id }) => id === route.labelId)
  if (label === undefined) return null
  const person = parseAssigneeName(label.name)
  return person === null || person.includes('"')
    ? `label:${quoteValue(formatLabelName(route.labelId, labels))}`
    : `assigned:${quoteAssignee(person)}`
}
