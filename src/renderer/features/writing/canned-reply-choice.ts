/** Maximum number of suggestions: nobody looks through more, and typing narrows the list. */
const MAX_SUGGESTIONS = 20

/** After a line start, a space, or an opening bracket or quote. A name never starts with a space. */
const TRIGGER = /(?:^|[\s([{<"'“‘«])[;；]([^\s;][^;\n]{0,60}|)$/u

/** Partial name typed after a `;` at the start of a word, or null. */
export const parseTypedName = (before: string): string | null => TRIGGER.exec(before)?.[1] ?? null

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Replies and templates whose names contain all typed words; names that start with the text come first. */
export const findCannedReplies = <Reply extends { readonly name: string }>(
  replies: readonly Reply[],
  typed: string,
): readonly Reply[] => {
  const whole = folded(typed)
  const words = whole.split(/\s+/).filter((word) => word !== '')
  const found = replies.filter(({ name }) => words.every((word) => folded(name).includes(word)))
  const begins = found.filter(({ name }) => folded(name).startsWith(whole))
  return [...begins, ...found.filter((reply) => !begins.includes(reply))].slice(0, MAX_SUGGESTIONS)
}
