/** As many as anybody looks through; more are found by more letters. */
const MOST = 20

/** After the start of a line, a space or an opening bracket or quote; a name begins with no space. */
const TYPED = /(?:^|[\s([{<"'“‘«])[;；]([^\s;][^;\n]{0,60}|)$/u

/** What of a canned reply's name is typed behind a `;` that begins a word; null where there is none. */
export const typedName = (before: string): string | null => TYPED.exec(before)?.[1] ?? null

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The canned replies and templates whose names have all words that are typed, first those that begin with them. */
export const findCannedReplies = <Reply extends { readonly name: string }>(
  replies: readonly Reply[],
  typed: string,
): readonly Reply[] => {
  const whole = folded(typed)
  const words = whole.split(/\s+/).filter((word) => word !== '')
  const found = replies.filter(({ name }) => words.every((word) => folded(name).includes(word)))
  const begins = found.filter(({ name }) => folded(name).startsWith(whole))
  return [...begins, ...found.filter((reply) => !begins.includes(reply))].slice(0, MOST)
}
