import { createTypedFilter } from '../../../shared/search/typed-filter.ts'
import { foldText } from '../../../shared/search/word-tokenizer.ts'

/** Maximum number of suggestions: nobody looks through more, and typing narrows the list. */
const MAX_SUGGESTIONS = 20

/** After a line start, a space, or an opening bracket or quote. A name never starts with a space. */
const TRIGGER = /(?:^|[\s([{<"'“‘«])[;；]([^\s;][^;\n]{0,60}|)$/u

/** Partial name typed after a `;` at the start of a word, or null. */
export const parseTypedName = (before: string): string | null => TRIGGER.exec(before)?.[1] ?? null

/** Replies and templates whose names contain all typed words; names that start with the text come first. */
export const findCannedReplies = <Reply extends { readonly name: string }>(
  replies: readonly Reply[],
  typed: string,
): readonly Reply[] => {
  const matches = createTypedFilter(typed)
  const rank = ({ name }: Reply): number => (foldText(name).startsWith(foldText(typed)) ? 0 : 1)
  return replies
    .filter(({ name }) => matches(foldText(name)))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_SUGGESTIONS)
}
