import { foldText } from './word-tokenizer.ts'

/** Parts of typed text, in the form of `foldText`. */
export const toTypedParts = (typed: string): readonly string[] =>
  foldText(typed)
    .split(/\s+/u)
    .filter((part) => part !== '')

/** Each typed part must occur, anywhere and in any order. @returns a predicate for texts folded with `foldText` */
export const createTypedFilter = (typed: string): ((folded: string) => boolean) => {
  const parts = toTypedParts(typed)
  return (folded) => parts.every((part) => folded.includes(part))
}
