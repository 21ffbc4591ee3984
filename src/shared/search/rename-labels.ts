import { collectAssignees, findAssignee } from '../assignees.ts'
import { ASSIGNEE_KEYWORDS, quoteAssignee } from './assigned-operator.ts'
import { quoteValue, formatLabelName } from './format-search.ts'
import { lexSearch } from './lex-search.ts'
import { findOperator, normalizeKeyword } from './operators.ts'
import { findLabel, type SearchContext } from './parse-search.ts'

type Labels = SearchContext['labels']

/**
 * Current text for a person whose label was renamed; null if the typed text still means that person, or if the label is
 * gone.
 */
const renamedPerson = (
  typed: string,
  isQuoted: boolean,
  before: Labels,
  now: Labels,
  idNow: (id: string) => string,
): string | null => {
  if (!isQuoted && Object.values(ASSIGNEE_KEYWORDS).some((word) => word === normalizeKeyword(typed))) return null
  const ids = findAssignee(typed, before)?.labels.map(({ id }) => idNow(id)) ?? []
  const has = ({ labels }: { readonly labels: Labels }): boolean => labels.some(({ id }) => ids.includes(id))
  const still = findAssignee(typed, now)
  if (still !== undefined && has(still)) return null
  const person = collectAssignees(now).find(has)
  return person === undefined || person.name.includes('"') ? null : quoteAssignee(person.name)
}

/**
 * Updates a search after labels were renamed, so its meaning stays the same. IDs and deleted labels stay as typed.
 * @param before the labels when the search was written @param idNow maps a label's ID from that time to its current ID
 */
export const renameLabelsInSearch = (
  text: string,
  before: Labels,
  now: Labels,
  idNow: (id: string) => string = (id) => id,
): string => {
  const values = lexSearch(text).flatMap((token) => {
    if (token.kind !== 'operator') return []
    const name = findOperator(token.name)
    return name === 'label' || name === 'assigned' ? token.values.map((value) => ({ ...value, name })) : []
  })
  let renamed = ''
  let at = 0
  for (const { text: typed, span, name, isQuoted } of values) {
    if (name === 'assigned') {
      const person = renamedPerson(typed, isQuoted, before, now, idNow)
      if (person === null) continue
      renamed += text.slice(at, span.start) + person
      at = span.end
      continue
    }
    const label = findLabel(typed, before)
    if (label === undefined || normalizeKeyword(label.id) === normalizeKeyword(typed)) continue
    const id = idNow(label.id)
    // Keep text that still means the same label.
    if (findLabel(typed, now)?.id === id || !now.some((each) => each.id === id)) continue
    renamed += text.slice(at, span.start) + quoteValue(formatLabelName(id, now))
    at = span.end
  }
  return renamed + text.slice(at)
}
