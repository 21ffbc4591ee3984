import { quoteValue, labelName } from './format-search.ts'
import { lexSearch } from './lex-search.ts'
import { operatorOf, plain } from './operators.ts'
import { findLabel, type SearchContext } from './parse-search.ts'

type Labels = SearchContext['labels']

/**
 * A search after labels were given other names: it means the same labels as before, by the names that they have now. All else
 * stays as it was typed, and so does what names a label by its ID, or one that is gone.
 * @param before the labels as they were when the search meant what it is to mean
 * @param idNow the ID of a label today, by the one that it had then
 */
export const renameLabels = (
  text: string,
  before: Labels,
  now: Labels,
  idNow: (id: string) => string = (id) => id,
): string => {
  const values = lexSearch(text).flatMap((token) =>
    token.kind === 'operator' && operatorOf(token.name) === 'label' ? token.values : [],
  )
  let renamed = ''
  let at = 0
  for (const { text: typed, span } of values) {
    const label = findLabel(typed, before)
    if (label === undefined || plain(label.id) === plain(typed)) continue
    const id = idNow(label.id)
    // What still means it stays as it was typed.
    if (findLabel(typed, now)?.id === id || !now.some((each) => each.id === id)) continue
    renamed += text.slice(at, span.start) + quoteValue(labelName(id, now))
    at = span.end
  }
  return renamed + text.slice(at)
}
