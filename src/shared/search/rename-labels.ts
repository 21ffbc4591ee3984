import { assigneesAmong, findAssignee } from '../assignees.ts'
import { ASSIGNED, typedAssignee } from './assigned.ts'
import { quoteValue, labelName } from './format-search.ts'
import { lexSearch } from './lex-search.ts'
import { operatorOf, plain } from './operators.ts'
import { findLabel, type SearchContext } from './parse-search.ts'

type Labels = SearchContext['labels']

/**
 * Current text for a person whose label was renamed; null if the typed text still means that person, or if the label is
 * gone.
 */
const personNow = (
  typed: string,
  isQuoted: boolean,
  before: Labels,
  now: Labels,
  idNow: (id: string) => string,
): string | null => {
  if (!isQuoted && Object.values(ASSIGNED).some((word) => word === plain(typed))) return null
  const ids = findAssignee(typed, before)?.labels.map(({ id }) => idNow(id)) ?? []
  const has = ({ labels }: { readonly labels: Labels }): boolean => labels.some(({ id }) => ids.includes(id))
  const still = findAssignee(typed, now)
  if (still !== undefined && has(still)) return null
  const person = assigneesAmong(now).find(has)
  return person === undefined || person.name.includes('"') ? null : typedAssignee(person.name)
}

/**
 * Updates a search after labels were renamed, so its meaning stays the same. IDs and deleted labels stay as typed.
 * @param before the labels when the search was written @param idNow maps a label's ID from that time to its current ID
 */
export const renameLabels = (
  text: string,
  before: Labels,
  now: Labels,
  idNow: (id: string) => string = (id) => id,
): string => {
  const values = lexSearch(text).flatMap((token) => {
    if (token.kind !== 'operator') return []
    const name = operatorOf(token.name)
    return name === 'label' || name === 'assigned' ? token.values.map((value) => ({ ...value, name })) : []
  })
  let renamed = ''
  let at = 0
  for (const { text: typed, span, name, isQuoted } of values) {
    if (name === 'assigned') {
      const person = personNow(typed, isQuoted, before, now, idNow)
      if (person === null) continue
      renamed += text.slice(at, span.start) + person
      at = span.end
      continue
    }
    const label = findLabel(typed, before)
    if (label === undefined || plain(label.id) === plain(typed)) continue
    const id = idNow(label.id)
    // Keep text that still means the same label.
    if (findLabel(typed, now)?.id === id || !now.some((each) => each.id === id)) continue
    renamed += text.slice(at, span.start) + quoteValue(labelName(id, now))
    at = span.end
  }
  return renamed + text.slice(at)
}
